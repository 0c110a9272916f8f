// What a message carries besides words: images, documents, sound. Reads one content part of any provider, by its
// type; which parts a message has, and what may stand in their place, is each format's knowledge.
import { figure } from "../text/figures.ts";
import { asText, isFilledText, isObject, type JsonObject, jsonBytes, withoutUndefined } from "../text/json-values.ts";

/** Width and height in pixels where the payload says so cheaply (PNG, JPEG, GIF, WebP headers). */
export interface Picture extends Named {
  readonly mediaType: string;
  readonly width?: number;
  readonly height?: number;
}

/** How a message calls something that is attached to it. */
export interface Named {
  readonly name?: string;
  /** Under which a provider keeps it. */
  readonly id?: string;
  /** Where it stands; never its content. */
  readonly url?: string;
}

/** An image, a document, sound or a video. */
export interface Media extends Picture {
  readonly kind: "image" | "document" | "audio" | "video";
  /** 0 where the message holds none of it. */
  readonly bytes: number;
  readonly pages?: number;
  readonly seconds?: number;
}

/** One piece of a message that is no text. */
export interface Attachment extends Named {
  readonly kind: Media["kind"];
  /** `png`, `pdf`, `wav`; "" when nothing tells. */
  readonly encoding: string;
  /** Pixels, where the first bytes tell. */
  readonly width?: number;
  readonly height?: number;
  /** Bytes of JSON it takes in a request; few when it is only referred to by address. */
  readonly bytes: number;
  /** A tool gave it back; else it stands in what someone said. */
  readonly isInResult: boolean;
}

/** Gives the text that takes an attachment's place; undefined leaves it. */
export type ReplaceAttachment = (attachment: Attachment) => string | undefined;

/** An image, a document, sound: by its bytes, by its address, or by the id under which a provider keeps it. */
export interface AttachedPart {
  readonly kind: "attached";
  readonly type: Attachment["kind"];
  /** `image/png`; for sound `wav`; "" when nothing tells. */
  readonly mediaType: string;
  readonly base64?: string;
  readonly url?: string;
  readonly file?: { readonly id: string; readonly owner: "openai" | "anthropic" };
  readonly name?: string;
  /** OpenAI's choice of how closely an image is looked at. */
  readonly detail?: unknown;
}

/** The attachment that this content part is, as its replacement is told of it; undefined for text and for kinds nobody knows. */
export function readAttachment(part: unknown, isInResult: boolean): Attachment | undefined {
  const attached = isObject(part) ? readAttached(part) : undefined;
  if (attached === undefined) return undefined;
  const { type, mediaType, base64 = "" } = attached;
  return {
    kind: kindOf(mediaType) ?? type,
    encoding: encodingOf(mediaType) || (type === "audio" ? "" : signatureOf(base64)),
    ...(type === "image" ? imageSize(base64) : undefined),
    ...namesOf(attached),
    bytes: jsonBytes(part),
    isInResult,
  };
}

export function namesOf({ name, file, url }: AttachedPart): Named {
  return {
    ...(name === undefined ? {} : { name }),
    ...(file === undefined ? {} : { id: file.id }),
    ...(url === undefined || url === "" || url.startsWith("data:") ? {} : { url }),
  };
}

/** What a media type says by itself; undefined for documents and for none. */
export function kindOf(mediaType: string): Media["kind"] | undefined {
  const [family] = mediaType.split("/", 1);
  return family === "image" || family === "audio" || family === "video" ? family : undefined;
}

const LONGEST_NAME = 80;
const LONGEST_ADDRESS = 300;

/** `image: png 1500x900 "quay.png" https://…` */
export function describeAttachment({
  kind,
  encoding,
  width,
  height,
  name,
  id,
  url,
}: Omit<Attachment, "bytes" | "isInResult">): string {
  const details = [
    ...(encoding === "" ? [] : [encoding]),
    ...(width === undefined ? [] : [`${width}x${height}`]),
    ...[cutWhole(name, LONGEST_NAME)].filter(isFilledText).map((known) => JSON.stringify(known)),
    ...[cutWhole(id, LONGEST_ADDRESS), cutWhole(url, LONGEST_ADDRESS)].filter(isFilledText),
  ];
  return details.length === 0 ? kind : `${kind}: ${details.join(" ")}`;
}

/** Whole words only: a part of a secret is one that no rule of redaction knows any more. */
function cutWhole(text = "", most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  return cut.slice(0, Math.max(0, ...[" ", "/", "?", "&", "#"].map((end) => cut.lastIndexOf(end))));
}

/** The same for what a view tells of it. `redact`: before anything is cut, since no rule knows a part of a secret. */
export function describeMedia(
  { kind = "image", mediaType = "", name, id, url, ...known }: Partial<Media> = {},
  redact: (text: string) => string = (text) => text,
): string {
  const encoding = encodingOf(mediaType);
  const shown = (text: string | undefined) => (text === undefined ? undefined : redact(text));
  return describeAttachment({
    ...known,
    ...withoutUndefined({ name: shown(name), id: shown(id), url: shown(url) }),
    kind,
    encoding: encoding === "unknown" ? "" : encoding,
  });
}

/** What a part is by its type; a media type may say better. */
const KINDS: ReadonlyMap<unknown, AttachedPart["type"]> = new Map<unknown, AttachedPart["type"]>([
  ...["image_url", "input_image", "computer_screenshot", "image", "image_file"].map((type) => [type, "image"] as const),
  ...["document", "file", "input_file", "document_url", "container_upload", "media", "resource_link"].map(
    (type) => [type, "document"] as const,
  ),
  ...["audio", "input_audio", "audio_url"].map((type) => [type, "audio"] as const),
  ...["video", "video_url", "input_video"].map((type) => [type, "video"] as const),
]);

const DATA_KEYS = ["file_data", "data", "blob"];
const ADDRESS_KEYS = ["url", "image_url", "file_url", "audio_url", "video_url", "document_url", "uri", "fileUri"];
const ID_KEYS = ["file_id", "fileId"];
const TYPE_KEYS = ["media_type", "mimeType", "mime_type", "mediaType", "format"];
const NAME_KEYS = ["filename", "file_name", "title", "document_name", "name"];

/** The same with what it holds. */
export function readAttached(part: JsonObject): AttachedPart | undefined {
  const kind = KINDS.get(part.type);
  if (kind === undefined) return undefined;
  // What it is stands under its type, as a source, or beside the type.
  const own = part[asText(part.type)];
  const held = [own, part.source].find(isObject) ?? part;
  const payload = readPayload(held, asText(own));
  const id = first(held, ID_KEYS) ?? (part.source_type === "id" ? first(held, ["id"]) : undefined);
  const name = first(held, NAME_KEYS) ?? first(part, NAME_KEYS);
  const detail = held.detail ?? part.detail;
  return {
    kind: "attached",
    type: kind === "document" && payload.mediaType.startsWith("image/") ? "image" : kind,
    ...payload,
    ...(id === undefined ? {} : { file: { id, owner: ownerOf(part) } }),
    ...(name === undefined ? {} : { name }),
    ...(kind === "image" && detail !== undefined ? { detail } : {}),
  };
}

function first(fields: JsonObject, keys: readonly string[]): string | undefined {
  return keys.map((key) => fields[key]).find(isFilledText);
}

/** Its bytes, from a data URL too; any other address stays one. Words are no payload. */
function readPayload(held: JsonObject, own: string): Pick<AttachedPart, "mediaType" | "base64" | "url"> {
  const isWords = held.type === "text" || held.type === "content";
  const data = isWords ? undefined : first(held, DATA_KEYS);
  const address = own === "" ? first(held, ADDRESS_KEYS) : own;
  const inline = parseDataUrl(data ?? address ?? "");
  if (inline !== undefined) return inline;
  const mediaType = first(held, TYPE_KEYS) ?? (data !== undefined && data === held.file_data ? PDF : "");
  return {
    mediaType,
    ...(data === undefined ? {} : { base64: data }),
    ...(address === undefined ? {} : { url: address }),
  };
}

/** Bare base64 under `file_data` is a PDF: the only kind of file both of OpenAI's endpoints read. */
const PDF = "application/pdf";

function ownerOf({ type, source }: JsonObject): "openai" | "anthropic" {
  return isObject(source) || type === "container_upload" ? "anthropic" : "openai";
}

/** The images that Anthropic takes. */
export const IMAGE_TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

const LONGEST_ENCODING = 20;

/** `image/svg+xml` is `svg`. */
export function encodingOf(mediaType: string): string {
  const [name = ""] = mediaType.slice(mediaType.lastIndexOf("/") + 1).split(/[+;]/, 1);
  return /^[\w.-]+$/.test(name) ? name.slice(0, LONGEST_ENCODING) : "";
}

/** How the base64 of each begins. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ["iVBORw0KGgo", "png"],
  ["/9j/", "jpeg"],
  ["R0lGOD", "gif"],
  ["UklGR", "webp"],
  ["JVBERi", "pdf"],
];

export function signatureOf(base64: string): string {
  return SIGNATURES.find(([start]) => base64.startsWith(start))?.[1] ?? "";
}

/** One pixel: stands where a provider wants an image and takes no text. */
export const BLANK_IMAGE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

// Reads the pixel size of an image from the first bytes of its base64 text. Never decodes the whole payload:
// counting must not cost more than the header.

interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Enough for PNG, GIF and WebP. */
const HEADER_CHARACTERS = 64;
/** A JPEG tells its size after its metadata, which may hold a thumbnail. */
const JPEG_CHARACTERS = 131_072;

/** Size in pixels of a PNG, GIF, WebP or JPEG given as base64, or undefined. */
export function imageSize(base64: string): ImageSize | undefined {
  const header = decode(base64, HEADER_CHARACTERS);
  if (header === undefined) return undefined;
  const size = pngSize(header) ?? gifSize(header) ?? webpSize(header) ?? jpegSize(header, base64);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

/** Media type and payload of a `data:` URL with base64 content. */
export function parseDataUrl(url: string): { readonly mediaType: string; readonly base64: string } | undefined {
  if (!url.startsWith("data:")) return undefined;
  const comma = url.indexOf(",");
  const head = comma < 0 || comma > 200 ? "" : url.slice("data:".length, comma);
  if (!head.endsWith(";base64")) return undefined;
  return { mediaType: head.split(";")[0] ?? "", base64: url.slice(comma + 1) };
}

function decode(base64: string, characters: number): Uint8Array | undefined {
  const binary = decodeBase64(base64.slice(0, characters));
  return binary === "" ? undefined : Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** A character a byte; "" for what is no base64. Characters at the end that make no whole byte are left out. */
export function decodeBase64(base64: string): string {
  try {
    return atob(base64.slice(0, base64.length - (base64.length % 4)));
  } catch {
    return "";
  }
}

const CHUNK = 8_192;

/** Without a Node built-in. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(binary);
}

function startsWith(bytes: Uint8Array, text: string, at = 0): boolean {
  return [...text].every((character, index) => bytes[at + index] === character.charCodeAt(0));
}

function big(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = at; index < at + length; index += 1) value = value * 256 + (bytes[index] ?? 0);
  return value;
}

function little(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = at + length - 1; index >= at; index -= 1) value = value * 256 + (bytes[index] ?? 0);
  return value;
}

function pngSize(bytes: Uint8Array): ImageSize | undefined {
  if (!startsWith(bytes, "\x89PNG")) return undefined;
  return { width: big(bytes, 16, 4), height: big(bytes, 20, 4) };
}

function gifSize(bytes: Uint8Array): ImageSize | undefined {
  if (!startsWith(bytes, "GIF8")) return undefined;
  return { width: little(bytes, 6, 2), height: little(bytes, 8, 2) };
}

function webpSize(bytes: Uint8Array): ImageSize | undefined {
  if (!startsWith(bytes, "RIFF") || !startsWith(bytes, "WEBP", 8)) return undefined;
  if (startsWith(bytes, "VP8X", 12)) return { width: little(bytes, 24, 3) + 1, height: little(bytes, 27, 3) + 1 };
  if (startsWith(bytes, "VP8 ", 12)) {
    return { width: little(bytes, 26, 2) & 0x3fff, height: little(bytes, 28, 2) & 0x3fff };
  }
  const packed = little(bytes, 21, 4);
  return { width: (packed & 0x3fff) + 1, height: (Math.floor(packed / 0x4000) & 0x3fff) + 1 };
}

function jpegSize(header: Uint8Array, base64: string): ImageSize | undefined {
  if (header[0] !== 0xff || header[1] !== 0xd8) return undefined;
  const bytes = decode(base64, JPEG_CHARACTERS) ?? header;
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    // Frame headers carry the size: C0-CF without the tables C4, C8 and CC.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { width: big(bytes, at + 7, 2), height: big(bytes, at + 5, 2) };
    at += 2 + Math.max(2, big(bytes, at + 2, 2));
  }
  return undefined;
}

// Finds binary content that someone wrote into a text: a data URL in a page, a file that a tool printed. It says
// nothing to a reader, a summarizer would pay for every character of it, and facts found in it are chance.

/** Longer than any identifier: a run without a break is no language from here on. */
const LONGEST_RUN = 200;

/** The text with each long run of base64, of either alphabet, replaced by its length. */
export function elideBase64(text: string): string {
  let elided = "";
  let read = 0;
  for (let run = longRun(text, 0); run !== undefined; run = longRun(text, run.end)) {
    const { start, end } = run;
    const sample = text.slice(start, Math.min(end, start + 2 * LONGEST_RUN));
    if (!isBinary(sample, text.slice(Math.max(0, start - 7), start))) continue;
    elided += `${text.slice(read, start)}[base64: ${figure(end - start)} characters]`;
    read = end;
  }
  return read === 0 ? text : elided + text.slice(read);
}

const IN_RUN = Uint8Array.from({ length: 128 }, (_, unit) => (/[\w+/=-]/.test(String.fromCharCode(unit)) ? 1 : 0));

/**
 * The first at or after `from`, where no run goes on. Looks at the end of where one would be, so most texts are passed by in
 * steps of its length. A pattern takes a fifth of a second over a megabyte without a break, and can not be put down.
 */
function longRun(text: string, from: number): { readonly start: number; readonly end: number } | undefined {
  let start = from;
  while (start + LONGEST_RUN < text.length) {
    let at = start + LONGEST_RUN;
    while (at >= start && IN_RUN[text.charCodeAt(at)] === 1) at--;
    if (at < start) {
      let end = start + LONGEST_RUN + 1;
      while (IN_RUN[text.charCodeAt(end)] === 1) end++;
      return { start, end };
    }
    start = at + 1;
  }
  return undefined;
}

/** A row of dashes or one letter repeated is not; what stands behind `base64,` is in any case. */
function isBinary(sample: string, before: string): boolean {
  return before === "base64," || (/[a-z]/.test(sample) && /[A-Z]/.test(sample) && /\d/.test(sample));
}

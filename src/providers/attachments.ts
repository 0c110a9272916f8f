// What a message carries besides words: images, documents, sound. Reads one content part of any provider, by its
// type; which parts a message has, and what may stand in their place, is each format's knowledge.
import { asText, isFilledText, isObject, type JsonObject, jsonBytes } from "../text/json-values.ts";

/** One piece of a message that is no text. */
export interface Attachment {
  readonly kind: "image" | "document" | "audio";
  /** `png`, `pdf`, `wav`; "" when nothing tells. */
  readonly encoding: string;
  /** Pixels, where the first bytes tell. */
  readonly width?: number;
  readonly height?: number;
  /** Name of the file, as the message gives it. */
  readonly name?: string;
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
  const { type, mediaType, base64 = "", name } = attached;
  return {
    kind: type,
    encoding: encodingOf(mediaType) || (type === "audio" ? "" : signatureOf(base64)),
    ...(type === "image" ? imageSize(base64) : undefined),
    ...(name === undefined ? {} : { name }),
    bytes: jsonBytes(part),
    isInResult,
  };
}

type Payload = Omit<AttachedPart, "kind" | "type">;

/** The same with what it holds. */
export function readAttached(part: JsonObject): AttachedPart | undefined {
  return READERS.get(part.type)?.(part);
}

const READERS: ReadonlyMap<unknown, (part: JsonObject) => AttachedPart> = new Map(
  Object.entries<(part: JsonObject) => AttachedPart>({
    image_url: ({ image_url: image, ...part }) =>
      isObject(image) ? imageAt(image.url, image.detail) : imageAt(image, part.detail),
    input_image: readResponsesImage,
    computer_screenshot: readResponsesImage,
    image: (part) => attach("image", fromSource(part)),
    document: (part) => attach("document", fromSource(part)),
    audio: (part) => attach("audio", fromSource(part)),
    file: ({ file }) => readFile(isObject(file) ? file : {}),
    input_file: readFile,
    input_audio: ({ input_audio: audio }) => {
      const { data, format } = isObject(audio) ? audio : {};
      return attach("audio", { mediaType: asText(format), base64: asText(data) });
    },
  }),
);

function attach(type: AttachedPart["type"], payload: Payload): AttachedPart {
  return { kind: "attached", type, ...payload };
}

function imageAt(url: unknown, detail: unknown): AttachedPart {
  return attach("image", { ...fromUrl(url), ...(detail === undefined ? {} : { detail }) });
}

function readResponsesImage({ image_url: url, file_id: id, detail }: JsonObject): AttachedPart {
  const image = imageAt(url, detail);
  return isFilledText(id) && !isFilledText(url) ? { ...image, file: { id, owner: "openai" } } : image;
}

/** A data URL gives its bytes; any other address stays one. */
function fromUrl(url: unknown): Payload {
  return parseDataUrl(asText(url)) ?? { mediaType: "", url: asText(url) };
}

/** `{source: {...}}` of Anthropic, or `{data, mimeType}` as tool servers write it. */
function fromSource(part: JsonObject): Payload {
  const source = isObject(part.source) ? part.source : part;
  const name = isFilledText(part.title) ? { name: part.title } : {};
  if (isFilledText(source.file_id)) return { mediaType: "", file: { id: source.file_id, owner: "anthropic" }, ...name };
  if (source.type === "url") return { ...fromUrl(source.url), ...name };
  return { mediaType: asText(source.media_type) || asText(source.mimeType), base64: asText(source.data), ...name };
}

function readFile({ file_data: data, file_url: url, file_id: id, filename }: JsonObject): AttachedPart {
  const name = isFilledText(filename) ? { name: filename } : {};
  const file = isFilledText(id) ? { file: { id, owner: "openai" } as const } : {};
  const payload = isFilledText(data) ? fromFileBytes(data) : fromUrl(url);
  const type = payload.mediaType.startsWith("image/") ? "image" : "document";
  return attach(type, { ...payload, ...file, ...name });
}

/** Bare base64 is a PDF: the only kind of file both of OpenAI's endpoints read. */
function fromFileBytes(data: string): Payload {
  return parseDataUrl(data) ?? { mediaType: "application/pdf", base64: data };
}

/** The images that Anthropic takes. */
export const IMAGE_TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

const LONGEST_ENCODING = 20;

/** `image/svg+xml` is `svg`. */
function encodingOf(mediaType: string): string {
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
  const part = base64.slice(0, characters);
  try {
    const binary = atob(part.slice(0, part.length - (part.length % 4)));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
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

/** Starts only where a run starts, so that each character is looked at once. */
const LONG_RUN = new RegExp(`(?<![\\w+/=-])[\\w+/=-]{${LONGEST_RUN + 1},}`, "g");

/** The text with each long run of base64, of either alphabet, replaced by its length. */
export function elideBase64(text: string): string {
  if (text.length <= LONGEST_RUN) return text;
  return text.replace(LONG_RUN, (run, start: number) =>
    isBinary(run, text.slice(Math.max(0, start - 7), start))
      ? `[base64: ${run.length.toLocaleString("en-US")} characters]`
      : run,
  );
}

/** A row of dashes or one letter repeated is not; what stands behind `base64,` is in any case. */
function isBinary(run: string, before: string): boolean {
  const sample = run.slice(0, 2 * LONGEST_RUN);
  return before === "base64," || (/[a-z]/.test(sample) && /[A-Z]/.test(sample) && /\d/.test(sample));
}

// The content of messages and of results, read and rewritten in the same way for all formats.
import { asText, isFilledText, isObject, type JsonObject, toJson } from "../text/json-values.ts";
import {
  type AttachedPart,
  imageSize,
  kindOf,
  namesOf,
  parseDataUrl,
  type ReplaceAttachment,
  readAttached,
  readAttachment,
} from "./attachments.ts";
import type { Format, Media, MessagePart, Picture } from "./format.ts";
import { measureMedia } from "./media-size.ts";
import { carryMarks, isHostWritten } from "./message-marks.ts";
import { citedSources, readProviderStep } from "./provider-steps.ts";

const UNKNOWN_IMAGE = "image/unknown";

const SEALED_KEYS: ReadonlySet<string> = new Set(["encrypted_content", "encrypted_index", "data", "file_data"]);
/** Shorter values are text as likely as not. */
const LEAST_SEALED = 64;
/** Enough to tell base64 from a document's words, which stand under the same names. */
const SAMPLE = 300;
const BASE64 = /^[\w+/=\r\n-]*$/;

/** The part's JSON, encrypted values taken out and sized instead, and what is attached in it told apart. */
export function opaquePart(type: string, value: unknown): MessagePart & { readonly kind: "opaque" } {
  const attached = isObject(value) ? readAttached(value) : undefined;
  const media: Media[] = [];
  let sealedLength = 0;
  const text = toJson(value, (key, field) => {
    if (typeof field !== "string") return field;
    const isEncrypted = key.startsWith("encrypted");
    const isPayload = attached !== undefined && field !== "" && (field === attached.base64 || isInline(field));
    if (!isPayload) {
      // What a model drew or plotted stands as an address under names of many kinds.
      if (field.length < LEAST_SEALED || !(SEALED_KEYS.has(key) || isInline(field))) return field;
      if (!isEncrypted && !BASE64.test(sampleOf(field))) return field;
    }
    if (isEncrypted) sealedLength += field.length;
    else media.push(payloadOf(field, attached));
    return "";
  });
  if (attached !== undefined) media[0] = { ...(media[0] ?? elsewhere(attached)), ...namesOf(attached) };
  return { kind: "opaque", type, text, sealedLength, ...(media.length === 0 ? {} : { media }) };
}

function payloadOf(field: string, attached: AttachedPart | undefined): Media {
  const inline = parseDataUrl(field);
  return measureMedia(inline?.base64 ?? field, inline?.mediaType || (attached?.mediaType ?? ""), attached?.type);
}

function elsewhere({ type, mediaType }: AttachedPart): Media {
  return { kind: kindOf(mediaType) ?? type, mediaType, bytes: 0 };
}

function isInline(field: string): boolean {
  return field.startsWith("data:") && parseDataUrl(field.slice(0, SAMPLE)) !== undefined;
}

function sampleOf(field: string): string {
  const start = field.slice(0, SAMPLE);
  return parseDataUrl(start)?.base64 ?? start;
}

/** The content of a message. `readOwn` knows the parts that only this provider has; what nobody knows is opaque. */
export function viewContent(
  content: unknown,
  imageType: string,
  readOwn: (part: JsonObject) => MessagePart | undefined = () => undefined,
): readonly MessagePart[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  if (content === undefined || content === null) return [];
  if (!Array.isArray(content)) return [opaquePart("unreadable", content)];
  return content.flatMap((part: unknown): MessagePart | readonly MessagePart[] => {
    if (!isObject(part)) return opaquePart("unreadable", part);
    if (isTextPart(part)) return textParts(part);
    if (part.type === "refusal" && isFilledText(part.refusal))
      return { kind: "text", text: part.refusal, isRefusal: true };
    return part.type === imageType ? imagePart(part) : (readOwn(part) ?? providerPart(part));
  });
}

/** A part of the provider's own: what a tool of its did, or a kind nobody knows. `isStep`: where it stands says what it is. */
export function providerPart(part: JsonObject, isStep = false): MessagePart {
  const ran = readProviderStep(part, isStep);
  return { ...opaquePart(asText(part.type), part), ...(ran === undefined ? {} : { ran }) };
}

/** A text, and behind it the sources that it cites. */
function textParts(part: JsonObject & { readonly text: string }): readonly MessagePart[] {
  const text = { kind: "text", text: part.text, ...(isHostWritten(part) ? { isHostWritten: true } : {}) } as const;
  return [text, ...citingParts(part)];
}

/** Fields under which a text, or a message, names its sources. */
export const SOURCE_FIELDS = ["citations", "annotations"] as const;

export function citingParts(part: JsonObject): readonly MessagePart[] {
  return SOURCE_FIELDS.filter((field) => citesIn(part, field)).map((field) => {
    const sources = citedSources(part[field]);
    return { ...opaquePart(field, part[field]), ...(sources === "" ? {} : { words: `[${field}] ${sources}` }) };
  });
}

function citesIn(part: JsonObject, field: (typeof SOURCE_FIELDS)[number]): boolean {
  return Array.isArray(part[field]) && part[field].length > 0;
}

/** True for a text that names its sources. */
export function isCiting(part: JsonObject): boolean {
  return SOURCE_FIELDS.some((field) => citesIn(part, field));
}

/** What a document or a found passage says where it came as text; "" where it came as bytes. */
export function wordsOf({ source, content }: JsonObject): string {
  const given: JsonObject = isObject(source) ? source : { type: "content", content };
  const words = given.type === "text" ? given.data : given.type === "content" ? given.content : undefined;
  return readResultContent(words).text;
}

/** An image, however it is given; one that stands elsewhere is only known to be an image. */
export function imagePart(part: JsonObject): MessagePart {
  return { kind: "image", ...pictureOf(part) };
}

function pictureOf(part: JsonObject): Picture {
  const attached = readAttached(part);
  if (attached === undefined) return { mediaType: UNKNOWN_IMAGE };
  const { mediaType, base64 } = attached;
  const size = base64 === undefined ? undefined : imageSize(base64);
  return { mediaType: mediaType || UNKNOWN_IMAGE, ...size, ...namesOf(attached) };
}

const IMAGE_TYPES: ReadonlySet<unknown> = new Set(["image", "image_url", "input_image", "computer_screenshot"]);
export const TEXT_TYPES: ReadonlySet<unknown> = new Set(["text", "input_text", "output_text"]);

/** True for a text part of any of the providers. */
export function isTextPart(part: unknown): part is Readonly<{ type: string; text: string }> {
  return isObject(part) && TEXT_TYPES.has(part.type) && typeof part.text === "string";
}

type ResultContent = Pick<
  MessagePart & { readonly kind: "result" },
  "text" | "pieces" | "images" | "pictures" | "sealedLength" | "media"
>;

/** What a tool gave back, as text, and what images came with it. Parts of other kinds are their JSON. */
export function readResultContent(content: unknown): ResultContent {
  if (content === undefined || content === null || typeof content === "string")
    return { text: content ?? "", images: 0 };
  const texts: string[] = [];
  const pictures: Picture[] = [];
  const others: (MessagePart & { readonly kind: "opaque" })[] = [];
  for (const part of Array.isArray(content) ? content : [content]) {
    const fields: JsonObject = isObject(part) ? part : {};
    if (isTextPart(part)) texts.push(part.text);
    else if (typeof part === "string") texts.push(part);
    else if (IMAGE_TYPES.has(fields.type)) pictures.push(pictureOf(fields));
    else {
      const opaque = opaquePart(asText(fields.type), part);
      texts.push(opaque.text);
      others.push(opaque);
    }
  }
  const sealedLength = others.reduce((sum, opaque) => sum + opaque.sealedLength, 0);
  const media = others.flatMap((opaque) => opaque.media ?? []);
  return {
    text: texts.join("\n"),
    ...(texts.length < 2 ? {} : { pieces: texts }),
    images: pictures.length,
    ...(pictures.length === 0 ? {} : { pictures }),
    ...(sealedLength === 0 ? {} : { sealedLength }),
    ...(media.length === 0 ? {} : { media }),
  };
}

/** Where a content stands: in the result of a call, or in what somebody said. */
export interface ContentPlace {
  /** Undefined where it is said. */
  readonly resultOf: string | undefined;
  /** Of a text part here. */
  readonly textType: string;
}

/** A copy of a message with `map` applied to its contents; the same object when each came back the same. */
type MapContents = (message: JsonObject, map: (content: unknown, place: ContentPlace) => unknown) => unknown;

/** The methods of a format that rewrite contents. */
export function contentMappers(mapContents: MapContents): Pick<Format, "mapResults" | "mapTexts" | "mapAttachments"> {
  const forMessages = (message: unknown, map: (content: unknown, place: ContentPlace) => unknown) =>
    isObject(message) ? mapContents(message, map) : message;
  return {
    mapResults: (message, shorten) =>
      forMessages(message, (content, { resultOf }) =>
        resultOf === undefined ? content : mapWords(content, (text) => shorten(text, resultOf)),
      ),
    mapTexts: (message, shorten) =>
      forMessages(message, (content, { resultOf }) => (resultOf === undefined ? mapWords(content, shorten) : content)),
    mapAttachments: (message, replace) =>
      forMessages(message, (content, place) => mapAttachedParts(content, place, replace)),
  };
}

/** A copy of a list with `map` applied to each part; the same value when all came back the same, or when it is no list. */
export function mapParts(content: unknown, map: (part: unknown) => unknown): unknown {
  if (!Array.isArray(content)) return content;
  const parts = content.map(map);
  return parts.some((part, index) => part !== content[index]) ? parts : content;
}

function mapAttachedParts(content: unknown, { resultOf, textType }: ContentPlace, replace: ReplaceAttachment): unknown {
  return mapParts(content, (part) => {
    const attachment = readAttachment(part, resultOf !== undefined);
    const text = attachment === undefined ? undefined : replace(attachment);
    return text === undefined ? part : { type: textType, text, ...cacheMark(part) };
  });
}

/** Where the caller ends what its provider may cache stays where it was. */
function cacheMark(part: unknown): JsonObject {
  return isObject(part) && part.cache_control !== undefined ? { cache_control: part.cache_control } : {};
}

/** A copy with each text replaced: of parts, of what a shell printed, of a passage that a search found. */
function mapWords(content: unknown, shorten: (text: string) => string): unknown {
  return typeof content === "string" ? shorten(content) : mapParts(content, (part) => mapPartWords(part, shorten));
}

function mapPartWords(part: unknown, shorten: (text: string) => string): unknown {
  if (typeof part === "string") return shorten(part);
  if (!isObject(part)) return part;
  const isPassage = part.type === "search_result";
  const keys = isTextPart(part) ? ["text"] : isPassage ? ["content"] : ["stdout", "stderr"];
  const fields = keys
    .filter((key) => isPassage || typeof part[key] === "string")
    .map((key) => [key, mapWords(part[key], shorten)] as const);
  const isSame = fields.every(([key, value]) => value === part[key]);
  return isSame ? part : carryMarks(part, { ...part, ...Object.fromEntries(fields) });
}

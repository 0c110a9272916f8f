// Message parts that all formats read in the same way: images, results made of several parts, opaque blocks.
import { asText, isObject, type JsonObject, toJson } from "../text/json-values.ts";
import { imageSize, parseDataUrl, readAttached } from "./attachments.ts";
import type { MessagePart, Picture } from "./format.ts";
import { carryMarks } from "./message-marks.ts";

const UNKNOWN_IMAGE = "image/unknown";

const SEALED_KEYS: ReadonlySet<string> = new Set(["encrypted_content", "encrypted_index", "data", "file_data"]);
/** Shorter values are text as likely as not. */
const LEAST_SEALED = 64;
/** Enough to tell base64 from a document's words, which stand under the same names. */
const SAMPLE = 300;
const BASE64 = /^[\w+/=\r\n-]*$/;

/** The part's JSON, encrypted and binary values taken out and sized instead. */
export function opaquePart(type: string, value: unknown): MessagePart & { readonly kind: "opaque" } {
  let sealedLength = 0;
  const text = toJson(value, (key, field) => {
    if (typeof field !== "string" || field.length < LEAST_SEALED) return field;
    // What a model drew or plotted stands as an address under names of many kinds.
    if (!SEALED_KEYS.has(key) && !isInline(field)) return field;
    const sample = sampleOf(field);
    if (!key.startsWith("encrypted") && !BASE64.test(sample)) return field;
    sealedLength += readLength(type, field, sample);
    return "";
  });
  return { kind: "opaque", type, text, sealedLength };
}

/** A picture of unknown kind costs the same whatever its bytes; this length is counted as about 1,000 tokens. */
const PICTURE_LENGTH = 5_334;
/** A page of PDF takes some 80 KB and is read as some 2,500 tokens. */
const PDF_SHARE = 1 / 8;
/** A second of sound takes 64,000 characters uncompressed, 20,000 compressed, and is read as 10 tokens. */
const AUDIO_SHARE = 1 / 400;

function isInline(field: string): boolean {
  return field.startsWith("data:") && parseDataUrl(field.slice(0, SAMPLE)) !== undefined;
}

function sampleOf(field: string): string {
  const start = field.slice(0, SAMPLE);
  return parseDataUrl(start)?.base64 ?? start;
}

/** Length of the encrypted text that would cost as much as what the model reads of this base64, of which `payload` is the start. */
function readLength(type: string, base64: string, payload: string): number {
  if (imageSize(payload) !== undefined) return PICTURE_LENGTH;
  if (payload.startsWith("JVBERi")) return Math.ceil(base64.length * PDF_SHARE);
  return type.endsWith("audio") ? Math.ceil(base64.length * AUDIO_SHARE) : base64.length;
}

/** The content of a message. `readPart` knows the parts of one provider; what it gives nothing for is opaque. */
export function viewContent(
  content: unknown,
  readPart: (part: JsonObject) => MessagePart | readonly MessagePart[] | undefined,
): readonly MessagePart[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  if (content === undefined || content === null) return [];
  if (!Array.isArray(content)) return [opaquePart("unreadable", content)];
  const parts: MessagePart[] = [];
  for (const part of content) {
    const read = isObject(part) ? readPart(part) : opaquePart("unreadable", part);
    if (read === undefined) parts.push(opaquePart(asText(part.type), part));
    else if ("kind" in read) parts.push(read);
    else for (const each of read) parts.push(each);
  }
  return parts;
}

/** An image, however it is given; one that stands elsewhere is only known to be an image. */
export function imagePart(part: JsonObject): MessagePart {
  return { kind: "image", ...pictureOf(part) };
}

function pictureOf(part: JsonObject): Picture {
  const { mediaType = "", base64 } = readAttached(part) ?? {};
  return { mediaType: mediaType || UNKNOWN_IMAGE, ...(base64 === undefined ? undefined : imageSize(base64)) };
}

const IMAGE_TYPES: ReadonlySet<unknown> = new Set(["image", "image_url", "input_image", "computer_screenshot"]);
export const TEXT_TYPES: ReadonlySet<unknown> = new Set(["text", "input_text", "output_text"]);

/** True for a text part of any of the providers. */
export function isTextPart(part: unknown): part is Readonly<{ type: string; text: string }> {
  return isObject(part) && TEXT_TYPES.has(part.type) && typeof part.text === "string";
}

type ResultContent = Pick<MessagePart & { readonly kind: "result" }, "text" | "images" | "pictures" | "sealedLength">;

/** What a tool gave back, as text, and what images came with it. Parts of other kinds are their JSON. */
export function readResultContent(content: unknown): ResultContent {
  if (typeof content === "string") return { text: content, images: 0 };
  if (content === undefined || content === null) return { text: "", images: 0 };
  const texts: string[] = [];
  const pictures: Picture[] = [];
  let sealedLength = 0;
  for (const part of Array.isArray(content) ? content : [content]) {
    if (isTextPart(part)) texts.push(part.text);
    else if (isObject(part) && IMAGE_TYPES.has(part.type)) pictures.push(pictureOf(part));
    else if (typeof part === "string") texts.push(part);
    else {
      const opaque = opaquePart(isObject(part) ? asText(part.type) : "", part);
      texts.push(opaque.text);
      sealedLength += opaque.sealedLength;
    }
  }
  return {
    text: texts.join("\n"),
    images: pictures.length,
    ...(pictures.length === 0 ? {} : { pictures }),
    ...(sealedLength === 0 ? {} : { sealedLength }),
  };
}

/** A copy of a result's content with each of its texts replaced; the same value when nothing changed. */
export function mapResultContent(content: unknown, shorten: (text: string) => string): unknown {
  if (typeof content === "string") return shorten(content);
  if (!Array.isArray(content)) return content;
  const parts = content.map((part: unknown) => mapWords(part, shorten));
  return parts.some((part, index) => part !== content[index]) ? parts : content;
}

/** Where a part holds words: a text, what a shell printed, a passage that a search found. */
function mapWords(part: unknown, shorten: (text: string) => string): unknown {
  if (typeof part === "string") return shorten(part);
  if (!isObject(part)) return part;
  const fields: JsonObject = isTextPart(part)
    ? { text: shorten(part.text) }
    : part.type === "search_result"
      ? { content: mapResultContent(part.content, shorten) }
      : mapFields(part, ["stdout", "stderr"], shorten);
  const isSame = Object.entries(fields).every(([key, value]) => value === part[key]);
  return isSame ? part : carryMarks(part, { ...part, ...fields });
}

function mapFields(part: JsonObject, keys: readonly string[], map: (text: string) => string): JsonObject {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const text = part[key];
      return typeof text === "string" ? [[key, map(text)]] : [];
    }),
  );
}

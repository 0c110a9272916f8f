// Message parts that all formats read in the same way: images, results made of several parts, opaque blocks.
import type { MessagePart } from "../format.ts";
import { imageSize, parseDataUrl } from "../image-size.ts";
import { asText, isObject, toJson } from "../json-shape.ts";

export const UNKNOWN_IMAGE = "image/unknown";

const SEALED_KEYS: ReadonlySet<string> = new Set(["encrypted_content", "encrypted_index", "data", "file_data"]);
/** Shorter values are text as likely as not. */
const LEAST_SEALED = 64;

/** The part's JSON, encrypted and binary values taken out and sized instead. */
export function opaquePart(type: string, value: unknown): MessagePart {
  let sealedLength = 0;
  const text = toJson(value, (key, field) => {
    if (!SEALED_KEYS.has(key) || typeof field !== "string" || field.length < LEAST_SEALED) return field;
    sealedLength += field.length;
    return "";
  });
  return { kind: "opaque", type, text, sealedLength };
}

/** An image given by URL: inline (`data:`) ones tell their size, others are only known to be images. */
export function imagePartFromUrl(url: unknown): MessagePart {
  const inline = parseDataUrl(asText(url));
  if (inline === undefined) return { kind: "image", mediaType: UNKNOWN_IMAGE };
  return { kind: "image", mediaType: inline.mediaType, ...imageSize(inline.base64) };
}

export function imagePartFromBase64(mediaType: string, base64: string): MessagePart {
  return { kind: "image", mediaType: mediaType === "" ? UNKNOWN_IMAGE : mediaType, ...imageSize(base64) };
}

const IMAGE_TYPES: ReadonlySet<unknown> = new Set(["image", "image_url", "input_image", "computer_screenshot"]);
const TEXT_TYPES: ReadonlySet<unknown> = new Set(["text", "input_text", "output_text"]);

/** True for a text part of any of the providers. */
export function isTextPart(part: unknown): part is Readonly<{ type: string; text: string }> {
  return isObject(part) && TEXT_TYPES.has(part.type) && typeof part.text === "string";
}

/** What a tool gave back, as text, and how many images came with it. Parts of other kinds are their JSON. */
export function readResultContent(content: unknown): { readonly text: string; readonly images: number } {
  if (typeof content === "string") return { text: content, images: 0 };
  if (content === undefined || content === null) return { text: "", images: 0 };
  const parts = Array.isArray(content) ? content : [content];
  const texts: string[] = [];
  let images = 0;
  for (const part of parts) {
    if (isTextPart(part)) texts.push(part.text);
    else if (isObject(part) && IMAGE_TYPES.has(part.type)) images += 1;
    else texts.push(typeof part === "string" ? part : toJson(part));
  }
  return { text: texts.join("\n"), images };
}

/** A copy of a result's content with each of its texts replaced; the same value when nothing changed. */
export function mapResultContent(content: unknown, shorten: (text: string) => string): unknown {
  if (typeof content === "string") return shorten(content);
  if (!Array.isArray(content)) return content;
  let isChanged = false;
  const parts = content.map((part: unknown) => {
    if (!isTextPart(part)) return part;
    const text = shorten(part.text);
    if (text === part.text) return part;
    isChanged = true;
    return { ...part, text };
  });
  return isChanged ? parts : content;
}

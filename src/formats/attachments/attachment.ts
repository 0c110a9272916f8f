// What a message carries besides words: images, documents, sound. Reads one content part of any provider, by its
// type; which parts a message has, and what may stand in their place, is each format's knowledge.
import { imageSize, parseDataUrl } from "../image-size.ts";
import type { JsonObject } from "../json-shape.ts";
import { asText, isObject } from "../json-shape.ts";
import { jsonBytes } from "./json-bytes.ts";

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

interface Payload {
  readonly kind: Attachment["kind"];
  readonly mediaType: string;
  readonly base64: string;
  readonly name?: string;
}

/** The attachment that this content part is; undefined for text and for kinds nobody knows. */
export function readAttachment(part: unknown, isInResult: boolean): Attachment | undefined {
  if (!isObject(part)) return undefined;
  const payload = PAYLOADS.get(part.type)?.(part);
  if (payload === undefined) return undefined;
  const { kind, mediaType, base64, name } = payload;
  const size = kind === "image" ? imageSize(base64) : undefined;
  return {
    kind,
    encoding: encodingOf(mediaType) || (kind === "audio" ? "" : signatureOf(base64)),
    ...size,
    ...(name === undefined || name === "" ? {} : { name }),
    bytes: jsonBytes(part),
    isInResult,
  };
}

const PAYLOADS: ReadonlyMap<unknown, (part: JsonObject) => Payload> = new Map(
  Object.entries<(part: JsonObject) => Payload>({
    image_url: ({ image_url: url }) => fromUrl("image", isObject(url) ? url.url : url),
    input_image: ({ image_url: url }) => fromUrl("image", url),
    computer_screenshot: ({ image_url: url }) => fromUrl("image", url),
    image: (part) => fromSource("image", part),
    document: (part) => fromSource("document", part),
    audio: (part) => fromSource("audio", part),
    file: ({ file }) => fromFile(isObject(file) ? file : {}),
    input_file: (part) => fromFile(part),
    input_audio: ({ input_audio: audio }) => {
      const { data, format } = isObject(audio) ? audio : {};
      return { kind: "audio", mediaType: asText(format), base64: asText(data) };
    },
  }),
);

function fromUrl(kind: Attachment["kind"], url: unknown, name = ""): Payload {
  const inline = parseDataUrl(asText(url));
  return { kind, mediaType: inline?.mediaType ?? "", base64: inline?.base64 ?? "", name };
}

/** `{source: {media_type, data}}`, or `{data, mimeType}` as tool servers write it. */
function fromSource(kind: Attachment["kind"], part: JsonObject): Payload {
  const source = isObject(part.source) ? part.source : part;
  const mediaType = asText(source.media_type) || asText(source.mimeType);
  return { kind, mediaType, base64: asText(source.data), name: asText(part.title) };
}

function fromFile(file: JsonObject): Payload {
  const name = asText(file.filename);
  const payload = fromUrl("document", file.file_data, name);
  return payload.mediaType.startsWith("image/") ? { ...payload, kind: "image" } : payload;
}

const LONGEST_ENCODING = 20;

/** `image/svg+xml` is `svg`. */
function encodingOf(mediaType: string): string {
  const [name = ""] = mediaType.slice(mediaType.lastIndexOf("/") + 1).split(/[+;]/, 1);
  return /^[\w.-]+$/.test(name) ? name.slice(0, LONGEST_ENCODING) : "";
}

const SIGNATURES: readonly (readonly [string, string])[] = [
  ["iVBORw0KGgo", "png"],
  ["/9j/", "jpeg"],
  ["R0lGOD", "gif"],
  ["UklGR", "webp"],
  ["JVBERi", "pdf"],
];

function signatureOf(base64: string): string {
  return SIGNATURES.find(([start]) => base64.startsWith(start))?.[1] ?? "";
}

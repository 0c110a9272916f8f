// Images, files and sound of `ai` as OpenAI's parts, so that they are sized and can give way as attachments do.
import { isObject, type JsonObject } from "../../formats/json-shape.ts";

/** A part of what was said, or of a tool's output. Kinds that nobody knows stay as they are, and are counted. */
export function nativePart(part: JsonObject): JsonObject {
  const { type, mediaType, filename, text } = part;
  if (type === "text" && typeof text === "string") return { type, text };
  if (type === "image" || type === "image-data" || type === "image-url")
    return fromFile(part.image ?? part.data ?? part.url, typeof mediaType === "string" ? mediaType : "image/*");
  if (type === "file" || type === "file-data" || type === "file-url" || type === "media")
    return fromFile(part.data ?? part.url, typeof mediaType === "string" ? mediaType : "", filename);
  const { providerOptions: _, ...rest } = part;
  return { ...rest, type: typeof type === "string" && type !== "" && type !== "text" ? type : "unreadable" };
}

function fromFile(content: unknown, mediaType: string, filename?: unknown): JsonObject {
  const address = addressOf(content, mediaType);
  if (mediaType.startsWith("image/")) return { type: "image_url", image_url: { url: address } };
  if (mediaType.startsWith("audio/") && address.startsWith("data:"))
    return {
      type: "input_audio",
      input_audio: { data: address.slice(address.indexOf(",") + 1), format: mediaType.slice("audio/".length) },
    };
  const name = typeof filename === "string" ? { filename } : {};
  return { type: "file", file: { ...name, [address.startsWith("data:") ? "file_data" : "file_url"]: address } };
}

/** A web address as it is, all else as a data URL. */
function addressOf(content: unknown, mediaType: string): string {
  if (content instanceof URL) return content.href;
  if (typeof content === "string")
    return /^(?:https?|data|gs|s3):/i.test(content) ? content : `data:${mediaType};base64,${content}`;
  const bytes = bytesOf(content);
  return `data:${mediaType};base64,${bytes === undefined ? "" : toBase64(bytes)}`;
}

function bytesOf(content: unknown): Uint8Array | undefined {
  if (content instanceof Uint8Array) return content;
  if (content instanceof ArrayBuffer) return new Uint8Array(content);
  // Newer versions tag what they hold: `{type: "data", data}`, `{type: "url", url}`.
  return isObject(content) && content.data instanceof Uint8Array ? content.data : undefined;
}

const CHUNK = 8_192;

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(binary);
}

// Writes an attachment as Anthropic takes it: images of four kinds, PDF documents, and texts. What it cannot take
// leaves a note in its place.
import type { JsonObject } from "../../json-shape.ts";
import { documentLabel } from "../neutral/labels.ts";
import type { Losses } from "../neutral/losses.ts";
import type { AttachedPart } from "../neutral/neutral.ts";
import { leaveOut } from "./steps.ts";

const IMAGE_TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const PDF = "application/pdf";

/** How the base64 of each begins. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
  ["JVBERi", PDF],
];

export function writeAnthropicAttached(part: AttachedPart, losses: Losses): JsonObject {
  const { type, name } = part;
  const source = type === "audio" ? undefined : sourceOf(part);
  if (source !== undefined && type === "image") return { type, source };
  if (source !== undefined) return { type: "document", source, ...(name === undefined ? {} : { title: name }) };
  const text = readText(part);
  return { type: "text", text: text === undefined ? leaveOut(part, losses) : `${documentLabel(name)}\n${text}` };
}

function sourceOf({ type, mediaType, base64, url, file }: AttachedPart): JsonObject | undefined {
  if (base64 !== undefined && base64 !== "") {
    const known = (type === "image" ? IMAGE_TYPES.has(mediaType) : mediaType === PDF) ? mediaType : sniff(base64);
    const isTaken = type === "image" ? IMAGE_TYPES.has(known) : known === PDF;
    return isTaken ? { type: "base64", media_type: known, data: base64 } : undefined;
  }
  if (url !== undefined && /^https?:/i.test(url)) return { type: "url", url };
  return file?.owner === "anthropic" ? { type: "file", file_id: file.id } : undefined;
}

function sniff(base64: string): string {
  return SIGNATURES.find(([start]) => base64.startsWith(start))?.[1] ?? "";
}

/** The text of a document that is one. */
function readText({ type, mediaType, base64 }: AttachedPart): string | undefined {
  if (type !== "document" || base64 === undefined || !isTextual(mediaType)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.trim() === "" ? undefined : text;
  } catch {
    return undefined;
  }
}

function isTextual(mediaType: string): boolean {
  return mediaType.startsWith("text/") || mediaType === "application/json";
}

// Content blocks that Anthropic takes, made of what hosts of other providers keep: texts, calls, results, and
// attached images and documents. What the provider has no block for is named in a text that no person wrote.
import { cutAt } from "../../../text/cut.ts";
import type { JsonObject } from "../../json-shape.ts";
import { asText, isFilledText, isObject } from "../../json-shape.ts";
import { markHostWritten } from "../../protected.ts";

const IMAGE_TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const LONGEST_URL_SHOWN = 300;
/** More is refused. */
const LONGEST_NAME = 128;

/** Empty for an empty text, which the provider would refuse. */
export function textBlocks(text: unknown): readonly JsonObject[] {
  return asText(text).trim() === "" ? [] : [{ type: "text", text }];
}

export function hostTextBlocks(text: unknown): readonly JsonObject[] {
  return textBlocks(text).map(markHostWritten);
}

export function useBlock(id: string, name: unknown, input: unknown): JsonObject {
  return { type: "tool_use", id, name: plainToolName(name) || "unnamed", input: isObject(input) ? input : {} };
}

/** Without the characters that Anthropic refuses: other providers take dots, and some hosts write what they show. */
export function plainToolName(name: unknown): string {
  return asText(name)
    .trim()
    .slice(0, LONGEST_NAME)
    .replace(/[^\w-]/g, "_");
}

/** One text is written as such, any other list as blocks. */
export function resultBlock(callId: string, blocks: readonly JsonObject[], isError: boolean): JsonObject {
  const [first] = blocks;
  const content = blocks.length === 1 && first?.type === "text" ? first.text : blocks;
  return { type: "tool_result", tool_use_id: callId, content, ...(isError ? { is_error: true } : {}) };
}

export interface AttachedFile {
  readonly mediaType: unknown;
  readonly name?: unknown;
}

export function base64Blocks(base64: unknown, { mediaType, name }: AttachedFile): readonly JsonObject[] {
  const isKnown = isFilledText(mediaType) && (IMAGE_TYPES.has(mediaType) || mediaType === "application/pdf");
  if (!isFilledText(base64) || !isKnown) return nameBlocks({ mediaType, name });
  const source = { type: "base64", media_type: mediaType, data: base64 };
  return [{ type: mediaType === "application/pdf" ? "document" : "image", source }];
}

/** A file given by its address: `data:` ones are taken in, images on the web stay where they are. */
export function urlBlocks(url: unknown, { mediaType, name }: AttachedFile): readonly JsonObject[] {
  const address = asText(url);
  const comma = address.startsWith("data:") ? address.indexOf(",") : -1;
  if (comma > 0) {
    const head = address.slice("data:".length, Math.min(comma, LONGEST_URL_SHOWN)).split(";");
    if (!head.includes("base64")) return nameBlocks({ mediaType, name });
    return base64Blocks(address.slice(comma + 1), { mediaType: head[0] || mediaType, name });
  }
  const isPicture = IMAGE_TYPES.has(asText(mediaType)) && /^https?:\/\//.test(address);
  if (isPicture) return [{ type: "image", source: { type: "url", url: address } }];
  return nameBlocks({ mediaType, name: asText(name) || cutAt(address, LONGEST_URL_SHOWN) });
}

function nameBlocks({ mediaType, name }: AttachedFile): readonly JsonObject[] {
  const words = ["Attached file:", asText(name), isFilledText(mediaType) ? `(${mediaType})` : ""];
  return hostTextBlocks(`[${words.filter((word) => word !== "").join(" ")}]`);
}

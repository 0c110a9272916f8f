// Content blocks of LangChain's messages, of all the providers it speaks to, as parts of an OpenAI chat message. Thinking
// and calls stand in blocks there, in fields here.
import { asArray, asText, isObject, type JsonObject } from "../../formats/json-shape.ts";

const THINKING: ReadonlySet<unknown> = new Set(["thinking", "reasoning", "reasoning_content"]);
const CALLS: ReadonlySet<unknown> = new Set([
  "tool_use",
  "tool_call",
  "tool_call_chunk",
  "invalid_tool_call",
  "function_call",
  "input_json_delta",
]);

export function isThinking(block: unknown): block is JsonObject {
  return isObject(block) && THINKING.has(block.type);
}

/** A block that says what `tool_calls` of its message says. Calls that the provider runs itself are none. */
export function isCallBlock(block: unknown): block is JsonObject {
  return isObject(block) && CALLS.has(block.type);
}

export function thinkingText(block: JsonObject): string {
  const { thinking, reasoning, summary, reasoningText } = block;
  if (typeof thinking === "string") return thinking;
  if (typeof reasoning === "string") return reasoning;
  if (isObject(reasoningText)) return asText(reasoningText.text);
  return asArray(summary)
    .map((part) => (isObject(part) ? asText(part.text) : ""))
    .join("\n");
}

/** Pictures are told by their bytes, so that they count as pictures. What the format does not know is counted as it is. */
export function toPart(block: unknown): JsonObject {
  if (!isObject(block)) return { type: "text", text: asText(block) };
  const url = block.type === "image" ? pictureUrl(block) : undefined;
  return url === undefined ? block : { type: "image_url", image_url: { url } };
}

/** LangChain's own blocks, the older ones with `source_type`, and Anthropic's. */
function pictureUrl({ url, data, mimeType, mime_type: oldType, source }: JsonObject): string | undefined {
  if (typeof url === "string") return url;
  if (typeof data === "string") return `data:${asText(mimeType ?? oldType)};base64,${data}`;
  if (!isObject(source)) return undefined;
  if (typeof source.url === "string") return source.url;
  return typeof source.data === "string" ? `data:${asText(source.media_type)};base64,${source.data}` : undefined;
}

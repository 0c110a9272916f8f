// Tells the providers' message lists apart by what only one of them has. A list of plain {role, content} is
// every provider's; detect-format.ts decides that case by what stands around it.
import type { JsonObject } from "./json-shape.ts";
import { asArray, asText, isObject } from "./json-shape.ts";
import { isCallItem, isMessageItem } from "./views/openai-responses-view.ts";

const CHAT_ROLES: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant", "tool", "function"]);
const ANTHROPIC_ROLES: ReadonlySet<unknown> = new Set(["user", "assistant"]);

/** Content parts that only one provider has. "text" is common to chat and Anthropic. */
const CHAT_PARTS: ReadonlySet<unknown> = new Set(["image_url", "input_audio", "file", "refusal"]);
const RESPONSES_PARTS: ReadonlySet<unknown> = new Set([
  "input_text",
  "output_text",
  "summary_text",
  "input_image",
  "input_file",
]);
const CHAT_FIELDS = ["tool_calls", "tool_call_id", "function_call", "refusal", "reasoning_content"] as const;

const RESPONSES_TYPES: ReadonlySet<unknown> = new Set([
  "reasoning",
  "compaction",
  "item_reference",
  "mcp_list_tools",
  "mcp_approval_request",
  "mcp_approval_response",
  "mcp_call",
  "web_search_call",
  "file_search_call",
  "image_generation_call",
  "code_interpreter_call",
  "tool_search_call",
  "tool_search_output",
  "function_call",
  "function_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
]);

/** Other products hyphenate their part types or write them in camel case; no provider here does. */
const TYPE_NAME = /^[a-z0-9_]{1,64}$/;

/** True for a list that OpenAI chat could be sent, damaged or not. */
export function looksLikeChat(messages: readonly unknown[]): boolean {
  if (messages.length === 0 || !messages.every((message) => hasRole(message, CHAT_ROLES))) return false;
  const parts = messages.flatMap(partsOf);
  return parts.every((part) => isTypedPart(part) && !RESPONSES_PARTS.has(part.type) && !isAnthropicBlock(part));
}

/** True for a list that Anthropic could be sent, damaged or not. */
export function looksLikeAnthropic(messages: readonly unknown[]): boolean {
  if (messages.length === 0 || !messages.every((message) => hasRole(message, ANTHROPIC_ROLES))) return false;
  const hasChatField = messages.some(
    (message) =>
      isObject(message) && CHAT_FIELDS.some((field) => message[field] !== undefined && message[field] !== null),
  );
  if (hasChatField) return false;
  const parts = messages.flatMap(partsOf);
  return parts.every((part) => isTypedPart(part) && !RESPONSES_PARTS.has(part.type) && !CHAT_PARTS.has(part.type));
}

/** True for a list with at least one item that only Responses has, or content parts of its kinds. */
export function looksLikeResponses(items: readonly unknown[]): boolean {
  return items.every(isItemLike) && items.some((item) => isObject(item) && isResponsesItem(item));
}

/** An item of a kind nobody knows yet is one all the same; a "message" without a role is another product's entry. */
function isItemLike(item: unknown): boolean {
  if (!isObject(item)) return false;
  return isMessageItem(item) ? CHAT_ROLES.has(item.role) : asText(item.type) !== "";
}

function isResponsesItem(item: JsonObject): boolean {
  if (RESPONSES_TYPES.has(item.type) || isCallItem(item)) return true;
  if (!isMessageItem(item) || !CHAT_ROLES.has(item.role)) return false;
  return partsOf(item).some((part) => isObject(part) && RESPONSES_PARTS.has(part.type));
}

function hasRole(message: unknown, roles: ReadonlySet<unknown>): boolean {
  if (!isObject(message) || !roles.has(message.role)) return false;
  const { content } = message;
  const hasContent = content === undefined || content === null || typeof content === "string" || Array.isArray(content);
  // A list of interface messages (`parts` beside the role) belongs to a user interface, not to a provider; a message within
  // the message to a host's record.
  return hasContent && message.parts === undefined && !isObject(message.message);
}

function partsOf(message: unknown): readonly unknown[] {
  return isObject(message) ? asArray(message.content) : [];
}

function isTypedPart(part: unknown): part is JsonObject {
  return isObject(part) && TYPE_NAME.test(asText(part.type));
}

/** A block that Anthropic alone has. */
export function isAnthropicBlock(part: unknown): boolean {
  if (!isObject(part)) return false;
  if (part.type === "image" || part.type === "document") return isObject(part.source);
  if (part.type === "thinking") return typeof part.signature === "string";
  const type = asText(part.type);
  return (
    ["tool_use", "redacted_thinking", "compaction", "search_result"].includes(type) ||
    type.endsWith("_tool_use") ||
    type.endsWith("tool_result")
  );
}

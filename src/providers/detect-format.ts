// Finds the message list in a parsed JSON value and the provider it belongs to: a bare array, a request body, a
// response body. What is no provider's list can at least be named.
import { asArray, asText, isObject, type JsonObject } from "../text/json-values.ts";
import type { Format } from "./format.ts";
import { isCallItem, isMessageItem } from "./openai-responses/items.ts";

export interface DetectedInput {
  readonly format: Format;
  readonly messages: readonly unknown[];
  /** Where the list stands in the value: `[]` for a bare array; undefined when the value itself is the one message. */
  readonly path: readonly string[] | undefined;
  /** What stands beside the list as system prompt (`system`, or `instructions` in a Responses body). */
  readonly system?: unknown;
  readonly tools?: readonly unknown[];
  readonly model?: string;
}

/** The list and its format, or undefined when this is none of `formats`. Earlier formats win where several fit. */
export function detectInput(value: unknown, formats: readonly Format[]): DetectedInput | undefined {
  if (Array.isArray(value)) return detectList(value, [], {}, formats);
  if (!isObject(value) || isForeign(value)) return undefined;
  if (Array.isArray(value.messages)) {
    return detectList(value.messages, ["messages"], value, byName(formats, "openai-chat", "anthropic"));
  }
  for (const key of ["input", "output"] as const) {
    const list = value[key];
    if (Array.isArray(list)) return detectResponses(list, key, value, formats);
  }
  return detectAnswer(value, formats) ?? detectInside(value, formats);
}

/** Names under which applications keep a list, or the object that holds it. */
const PLACES = ["conversation", "history", "transcript", "chat", "thread", "body", "data"] as const;

/** One level deeper; the first place in which a list of a known format stands. */
function detectInside(value: JsonObject, formats: readonly Format[]): DetectedInput | undefined {
  for (const name of PLACES) {
    const inner = value[name];
    const isBody = isObject(inner) && !isForeign(inner) && Array.isArray(inner.messages ?? inner.input);
    const found = isBody || Array.isArray(inner) ? detectInput(inner, formats) : undefined;
    if (found?.path !== undefined) return { ...found, path: [name, ...found.path] };
  }
  return undefined;
}

function byName(formats: readonly Format[], ...names: readonly string[]): readonly Format[] {
  return formats.filter((format) => names.includes(format.name));
}

/** Session files that hold a list called `messages` or `input`, but are another product's. */
function isForeign(value: JsonObject): boolean {
  return value.trajectory !== undefined || value.traj !== undefined || value.projectHash !== undefined;
}

function detectList(
  messages: readonly unknown[],
  path: readonly string[],
  body: JsonObject,
  formats: readonly Format[],
): DetectedInput | undefined {
  const fitting = formats.filter((format) => format.matches(messages));
  if (fitting.length === 0) return detectBehindSystem(messages, path, body, formats);
  const wantsAnthropic = body.system !== undefined || hasAnthropicTools(body) || messages.some(hasAnthropicBlock);
  const anthropic = wantsAnthropic ? byName(fitting, "anthropic")[0] : preferredFor(asText(body.model), fitting);
  return detected(anthropic ?? fitting[0], messages, path, body, body.system);
}

/** Of several formats that fit, that of the model's own provider. */
export function preferredFor(model: string, fitting: readonly Format[]): Format | undefined {
  return (/\bclaude\b/i.test(model) ? byName(fitting, "anthropic")[0] : undefined) ?? fitting[0];
}

function detected(
  format: Format | undefined,
  messages: readonly unknown[],
  path: readonly string[] | undefined,
  { tools, model }: JsonObject,
  system: unknown,
): DetectedInput | undefined {
  if (format === undefined) return undefined;
  return {
    format,
    messages,
    path,
    ...(system === undefined || system === null ? {} : { system }),
    ...(Array.isArray(tools) ? { tools } : {}),
    ...(typeof model === "string" ? { model } : {}),
  };
}

/** Proxies take Anthropic's messages with the system prompt as the first of them; the provider takes it beside them. */
function detectBehindSystem(
  messages: readonly unknown[],
  path: readonly string[],
  body: JsonObject,
  formats: readonly Format[],
): DetectedInput | undefined {
  const start = messages.findIndex((message) => !isSystemMessage(message));
  const said = messages.slice(start);
  if (start < 1 || body.system !== undefined || !said.some(hasAnthropicBlock)) return undefined;
  const format = byName(formats, "anthropic").find((candidate) => candidate.matches(said));
  return detected(format, said, path, body, messages.slice(0, start).flatMap(systemBlocks));
}

function isSystemMessage(message: unknown): message is JsonObject {
  return isObject(message) && (message.role === "system" || message.role === "developer");
}

function systemBlocks(message: unknown): readonly unknown[] {
  const content = isObject(message) ? message.content : undefined;
  if (typeof content !== "string") return Array.isArray(content) ? content : [];
  return content === "" ? [] : [{ type: "text", text: content }];
}

function hasAnthropicBlock(message: unknown): boolean {
  return isObject(message) && Array.isArray(message.content) && message.content.some(isAnthropicBlock);
}

function hasAnthropicTools(body: JsonObject): boolean {
  return Array.isArray(body.tools) && body.tools.some((tool) => isObject(tool) && tool.input_schema !== undefined);
}

/** Under `input` and `output`, items may be plain {role, content} messages. */
function detectResponses(items: readonly unknown[], key: string, body: JsonObject, formats: readonly Format[]) {
  const isPlain = items.length > 0 && items.every((item) => isObject(item) && typeof item.role === "string");
  const format = byName(formats, "openai-responses").find((candidate) => isPlain || candidate.matches(items));
  return detected(format, items, [key], body, body.instructions);
}

/** A response body of Anthropic's is one message. */
function detectAnswer(value: JsonObject, formats: readonly Format[]): DetectedInput | undefined {
  if (value.type !== "message" || value.role !== "assistant" || !Array.isArray(value.content)) return undefined;
  const format = byName(formats, "anthropic").find((candidate) => candidate.matches([value]));
  return detected(format, [value], undefined, value, undefined);
}

// Tells the providers' message lists apart by what only one of them has. A list of plain {role, content} is
// every provider's: what stands around it decides that case.

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
function isAnthropicBlock(part: unknown): boolean {
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

// Names the kinds of files that people try and that no format and no reader reads yet, so that the error can say what the
// file is. Looks at the first value only, or at the first lines of a text.

/** A short name with its article ("a Gemini request") of a known kind that is not supported, or undefined. */
export function recognizeOther(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (!isObject(first)) return undefined;
  if (Array.isArray(first.contents)) return "a Gemini request";
  if (isObject(first.request) && isObject(first.response)) return "a request log";
  return Array.isArray(first.choices) ? "a chat completion response" : undefined;
}

const HEADING = /^#{1,6} \S/;
const ABOUT_TALK = /\b(?:chat|conversation|session|transcript)\b/i;
const SPEAKER = /^(?:#{1,6} |\*\*)(?:user|human|you|assistant|model|ai)\b/i;
const MOST_LINES = 200;
const LONGEST_LINE = 500;

/** The same for a text that is no JSON at all. */
export function recognizeText(text: string): string | undefined {
  const lines = text
    .slice(0, MOST_LINES * LONGEST_LINE)
    .trimStart()
    .split("\n", MOST_LINES);
  const first = (lines[0] ?? "").slice(0, LONGEST_LINE);
  if (!HEADING.test(first)) return undefined;
  return ABOUT_TALK.test(first) || lines.some((line) => SPEAKER.test(line)) ? "a Markdown chat log" : undefined;
}

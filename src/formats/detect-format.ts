// Finds the message list in a parsed JSON value and the provider it belongs to: a bare array, a request body, a
// response body. What is no provider's list is left to recognize-other.ts, which can at least name it.
import type { Format } from "./format.ts";
import type { JsonObject } from "./json-shape.ts";
import { isObject } from "./json-shape.ts";
import { isAnthropicBlock } from "./looks-like.ts";

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
    if (Array.isArray(list)) return detectResponses(list, key, value, byName(formats, "openai-responses"));
  }
  return detectSingleMessage(value, byName(formats, "anthropic")) ?? detectInside(value, formats);
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
  const anthropic = wantsAnthropic ? fitting.find((format) => format.name === "anthropic") : undefined;
  const format = anthropic ?? fitting[0];
  return format === undefined ? undefined : { format, messages, path, ...surroundings(body, body.system) };
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
  const system = messages.slice(0, start).flatMap(systemBlocks);
  return format === undefined ? undefined : { format, messages: said, path, ...surroundings(body, system) };
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
function detectResponses(
  messages: readonly unknown[],
  key: string,
  body: JsonObject,
  formats: readonly Format[],
): DetectedInput | undefined {
  const isPlain = messages.length > 0 && messages.every((item) => isObject(item) && typeof item.role === "string");
  const format = formats.find((candidate) => candidate.matches(messages) || isPlain);
  return format === undefined ? undefined : { format, messages, path: [key], ...surroundings(body, body.instructions) };
}

function detectSingleMessage(value: JsonObject, formats: readonly Format[]): DetectedInput | undefined {
  if (value.type !== "message" || value.role !== "assistant" || !Array.isArray(value.content)) return undefined;
  const format = formats.find((candidate) => candidate.matches([value]));
  return format === undefined
    ? undefined
    : { format, messages: [value], path: undefined, ...surroundings(value, undefined) };
}

function surroundings(body: JsonObject, system: unknown): Pick<DetectedInput, "system" | "tools" | "model"> {
  return {
    ...(system === undefined || system === null ? {} : { system }),
    ...(Array.isArray(body.tools) ? { tools: body.tools } : {}),
    ...(typeof body.model === "string" ? { model: body.model } : {}),
  };
}

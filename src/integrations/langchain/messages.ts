// A message of LangChain as an OpenAI chat message. A plain text is exactly `{role, content}`, so that our summary is known
// again when a checkpointer gives it back.
import type * as Messages from "@langchain/core/messages";
import type { BaseMessage } from "@langchain/core/messages";
import { asArray, asText, isFilledText, isObject, type JsonObject, toJson } from "../../text/json-values.ts";
import { parseJson } from "../../text/parse-json.ts";
import type { NativeSource } from "../adapter/translation.ts";

const ROLES: Readonly<Record<string, string>> = {
  human: "user",
  ai: "assistant",
  system: "system",
  developer: "developer",
  tool: "tool",
  function: "function",
};

/** Fields of all kinds of messages. */
type AnyMessage = BaseMessage & JsonObject;

/** Nothing for a `RemoveMessage`: it is an order to the state. */
export function toNative(host: BaseMessage): readonly JsonObject[] {
  const message = host as AnyMessage;
  if (message.type === "remove") return [];
  const extra = message.additional_kwargs ?? {};
  const role = extra.__openai_role__ === "developer" ? "developer" : (ROLES[message.type] ?? asText(message.role));
  const reasoning = role === "assistant" ? reasoningOf(message) : "";
  const calls = role === "assistant" ? callsOf(message) : [];
  return [
    {
      role,
      ...(role === "tool" ? { tool_call_id: asText(message.tool_call_id) } : {}),
      content: contentOf(message),
      ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
      ...(role === "tool" || !isFilledText(message.name) ? {} : { name: message.name }),
      ...pick(extra, ["function_call", "audio", "reasoning", "refusal", "tool_outputs"]),
    },
  ];
}

function contentOf({ content }: AnyMessage): unknown {
  return Array.isArray(content) ? partBlocks(content).map(toPart) : content;
}

/** The blocks that have a part each. */
function partBlocks(content: readonly unknown[]): readonly unknown[] {
  return content.filter((block) => !isThinking(block) && !isCallBlock(block));
}

function reasoningOf({ content, additional_kwargs: extra }: AnyMessage): string {
  const texts = asArray(content).filter(isThinking).map(thinkingText).filter(isFilledText);
  return texts.length > 0 ? texts.join("\n") : asText(extra?.reasoning_content);
}

/** What a provider is sent: the calls that could be read, or, where none could, those of the answer as it came. */
function callsOf(message: AnyMessage): readonly JsonObject[] {
  const calls = asArray(message.tool_calls).filter(isObject);
  if (calls.length === 0) return asArray(message.additional_kwargs?.tool_calls).filter(isObject);
  return calls.map(({ id, name, args }) => ({
    id: asText(id),
    type: "function",
    function: { name: asText(name), arguments: toJson(args ?? {}) },
  }));
}

function pick(fields: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])));
}

// What compaction made of a message, as one of LangChain's again: of the same class, with its id and all that no provider
// sees, or a new one for the summary and what healing put in.

/** What constructors take, and what is to stay with the message. */
const FIELDS: readonly string[] = [
  ...["id", "name", "role", "content", "additional_kwargs", "response_metadata"],
  ...["tool_calls", "invalid_tool_calls", "tool_call_chunks", "usage_metadata"],
  ...["tool_call_id", "status", "artifact", "metadata"],
];

export function toHost(
  native: JsonObject,
  { origin, toolName }: NativeSource<Messages.BaseMessage>,
  { AIMessage, HumanMessage, SystemMessage, ToolMessage }: typeof Messages,
): Messages.BaseMessage {
  if (origin !== undefined) return changed(native, origin as AnyMessage);
  const content = native.content as Messages.MessageContent;
  if (native.role === "assistant") return new AIMessage({ content });
  if (native.role === "user") return new HumanMessage({ content });
  if (native.role !== "tool") return new SystemMessage({ content });
  const callId = asText(native.tool_call_id);
  return new ToolMessage({ content, tool_call_id: callId, name: toolName(callId) ?? "" });
}

function changed(native: JsonObject, origin: AnyMessage): Messages.BaseMessage {
  const [before = {}] = toNative(origin);
  const isStripped = "reasoning_content" in before && !("reasoning_content" in native);
  const isRecalled = toJson(native.tool_calls) !== toJson(before.tool_calls);
  const fields = Object.fromEntries(FIELDS.flatMap((name) => (name in origin ? [[name, origin[name]]] : [])));
  const Kind = origin.constructor as new (fields: JsonObject) => Messages.BaseMessage;
  const content = contentAfter(native, origin.content).filter(
    (block) => !(isStripped && isThinking(block)) && !(isRecalled && isCallBlock(block)),
  );
  return new Kind({
    ...fields,
    content: typeof native.content === "string" && !Array.isArray(origin.content) ? native.content : content,
    ...(native.role === "tool" ? { tool_call_id: native.tool_call_id } : {}),
    ...(isStripped ? { additional_kwargs: without(origin.additional_kwargs, "reasoning_content") } : {}),
    ...(isRecalled ? recalled(native, origin) : {}),
  });
}

/** The host's blocks in their order, each part in the place of the block it was made from. */
function contentAfter({ content }: JsonObject, origin: unknown): readonly unknown[] {
  const blocks = asArray(origin);
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : asArray(content);
  const places = partBlocks(blocks);
  if (parts.length !== places.length) return [...blocks.filter((block) => !places.includes(block)), ...parts];
  const after = new Map(
    places.map((block, at) => [block, toJson(toPart(block)) === toJson(parts[at]) ? block : parts[at]]),
  );
  return blocks.map((block) => (after.has(block) ? after.get(block) : block));
}

/** Healing gives a call another id, or leaves it out. */
function recalled({ tool_calls: kept }: JsonObject, origin: AnyMessage): JsonObject {
  const natives = asArray(kept).filter(isObject);
  const wasRaw = asArray(origin.tool_calls).length === 0 && callsOf(origin).length > 0;
  const additional = without(origin.additional_kwargs, "tool_calls");
  if (wasRaw) return { additional_kwargs: { ...additional, tool_calls: natives } };
  const calls = natives.map(({ id, function: called }) => {
    const { name, arguments: given } = called as JsonObject;
    return { id, name, args: parseJson(asText(given)), type: "tool_call" };
  });
  return { tool_calls: calls, tool_call_chunks: undefined, additional_kwargs: additional };
}

function without(fields: JsonObject | undefined, name: string): JsonObject {
  const { [name]: _, ...rest } = fields ?? {};
  return rest;
}

// Content blocks of LangChain's messages, of all the providers it speaks to, as parts of an OpenAI chat message. Thinking
// and calls stand in blocks there, in fields here.

const THINKING: ReadonlySet<unknown> = new Set(["thinking", "reasoning", "reasoning_content"]);
const CALLS: ReadonlySet<unknown> = new Set([
  "tool_use",
  "tool_call",
  "tool_call_chunk",
  "invalid_tool_call",
  "function_call",
  "input_json_delta",
]);

function isThinking(block: unknown): block is JsonObject {
  return isObject(block) && THINKING.has(block.type);
}

/** A block that says what `tool_calls` of its message says. Calls that the provider runs itself are none. */
function isCallBlock(block: unknown): block is JsonObject {
  return isObject(block) && CALLS.has(block.type);
}

function thinkingText(block: JsonObject): string {
  const { thinking, reasoning, summary, reasoningText } = block;
  if (typeof thinking === "string") return thinking;
  if (typeof reasoning === "string") return reasoning;
  if (isObject(reasoningText)) return asText(reasoningText.text);
  return asArray(summary)
    .map((part) => (isObject(part) ? asText(part.text) : ""))
    .join("\n");
}

/** Pictures are told by their bytes, so that they count as pictures. What the format does not know is counted as it is. */
function toPart(block: unknown): JsonObject {
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

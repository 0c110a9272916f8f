// What compaction made of a message, as one of LangChain's again: of the same class, with its id and all that no provider
// sees, or a new one for the summary and what healing put in.
import type * as Messages from "@langchain/core/messages";
import { asArray, asText, isObject, type JsonObject, toJson } from "../../formats/json-shape.ts";
import type { NativeSource } from "../seam/translation.ts";
import { isCallBlock, isThinking, toPart } from "./blocks.ts";
import { type AnyMessage, callsOf, partBlocks, toNative } from "./to-native.ts";

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
    return { id, name, args: JSON.parse(asText(given)), type: "tool_call" };
  });
  return { tool_calls: calls, tool_call_chunks: undefined, additional_kwargs: additional };
}

function without(fields: JsonObject | undefined, name: string): JsonObject {
  const { [name]: _, ...rest } = fields ?? {};
  return rest;
}

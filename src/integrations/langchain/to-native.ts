// A message of LangChain as an OpenAI chat message. A plain text is exactly `{role, content}`, so that our summary is known
// again when a checkpointer gives it back.
import type { BaseMessage } from "@langchain/core/messages";
import { asArray, asText, isFilledText, isObject, type JsonObject, toJson } from "../../formats/json-shape.ts";
import { isCallBlock, isThinking, thinkingText, toPart } from "./blocks.ts";

const ROLES: Readonly<Record<string, string>> = {
  human: "user",
  ai: "assistant",
  system: "system",
  developer: "developer",
  tool: "tool",
  function: "function",
};

/** Fields of all kinds of messages. */
export type AnyMessage = BaseMessage & JsonObject;

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
      ...pick(extra, ["function_call", "audio", "reasoning"]),
    },
  ];
}

function contentOf({ content }: AnyMessage): unknown {
  return Array.isArray(content) ? partBlocks(content).map(toPart) : content;
}

/** The blocks that have a part each. */
export function partBlocks(content: readonly unknown[]): readonly unknown[] {
  return content.filter((block) => !isThinking(block) && !isCallBlock(block));
}

function reasoningOf({ content, additional_kwargs: extra }: AnyMessage): string {
  const texts = asArray(content).filter(isThinking).map(thinkingText).filter(isFilledText);
  return texts.length > 0 ? texts.join("\n") : asText(extra?.reasoning_content);
}

/** What a provider is sent: the calls that could be read, or, where none could, those of the answer as it came. */
export function callsOf(message: AnyMessage): readonly JsonObject[] {
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

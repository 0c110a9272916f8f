// Reads OpenAI chat messages into neutral ones. The oldest function calls get an id from the function's name.
import { asArray, asText, isFilledText, isObject, type JsonObject, otherFields, toJson } from "../../json-shape.ts";
import { LEGACY_ID } from "../neutral/arrange-results.ts";
import type { Losses } from "../neutral/losses.ts";
import type { CallPart, NeutralMessage, ReadFormat, RefusalPart, SaidMessage } from "../neutral/neutral.ts";
import { readContent } from "./read-content.ts";
import { readSystem, unreadable } from "./read-system.ts";
import { readTools } from "./read-tools.ts";

const ROLES: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant"]);
const REASONING_FIELDS = ["reasoning_content", "reasoning", "reasoning_details"] as const;

/** What is carried, and what says nothing outside of this provider. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  "role",
  "content",
  "name",
  "tool_calls",
  "tool_call_id",
  "function_call",
  "refusal",
  "meta",
  ...REASONING_FIELDS,
]);

export const readOpenaiChat: ReadFormat = ({ messages, system, tools }, losses) => ({
  system: readSystem(system, losses),
  messages: messages.map((message) => readMessage(message, losses)),
  tools: readTools(tools, losses),
});

function readMessage(message: unknown, losses: Losses): NeutralMessage {
  if (!isObject(message)) return unreadable(message, losses);
  if (message.role === "tool" || message.role === "function") return readResult(message, losses);
  return ROLES.has(message.role) ? readSaid(message, losses) : unreadable(message, losses);
}

function readResult(message: JsonObject, losses: Losses): NeutralMessage {
  const callId = message.role === "function" ? `${LEGACY_ID}${asText(message.name)}` : asText(message.tool_call_id);
  const content = readContent(message.content, losses);
  return { kind: "result", callId, ...content, isError: false, isCustom: false, sources: [message] };
}

function readSaid(message: JsonObject, losses: Losses): SaidMessage {
  for (const field of Object.keys(otherFields(message, KNOWN_FIELDS) ?? {})) losses.add("fields", field);
  if (REASONING_FIELDS.some((field) => !isNothing(message[field]))) losses.add("reasoning");
  const calls = message.role === "assistant" ? readCalls(message) : [];
  const said = readContent(message.content, losses);
  const isEmpty = calls.length > 0 && message.content === "";
  return {
    kind: "said",
    role: message.role as SaidMessage["role"],
    parts: [...(isEmpty ? [] : said.parts), ...readRefusal(message), ...calls],
    isPlain: said.isPlain,
    ...(isFilledText(message.name) ? { name: message.name } : {}),
    sources: [message],
  };
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

function readRefusal({ refusal }: JsonObject): readonly RefusalPart[] {
  return isFilledText(refusal) ? [{ kind: "refusal", text: refusal }] : [];
}

function readCalls(message: JsonObject): readonly CallPart[] {
  const calls = asArray(message.tool_calls).map(readCall);
  if (!isObject(message.function_call)) return calls;
  const { name, arguments: given } = message.function_call;
  const legacy = { callId: `${LEGACY_ID}${asText(name)}`, name: asText(name), input: inputText(given) };
  return [...calls, { kind: "call", ...legacy, isCustom: false }];
}

function readCall(call: unknown): CallPart {
  const { id, function: called, custom } = isObject(call) ? call : {};
  const isCustom = isObject(custom);
  const target = isObject(called) ? called : isCustom ? custom : {};
  const input = inputText(isCustom ? target.input : target.arguments);
  return { kind: "call", callId: asText(id), name: asText(target.name), input, isCustom };
}

function inputText(given: unknown): string {
  return typeof given === "string" ? given : toJson(given);
}

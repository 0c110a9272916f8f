// A message of `ai` as OpenAI chat messages: a tool message is one for each result. An approval is a call of its own, so
// that its request and its answer stay together.
import { asText, isFilledText, type JsonObject, toJson } from "../../formats/json-shape.ts";
import { markHostWritten } from "../../formats/protected.ts";
import { nativePart } from "./attachment-parts.ts";
import {
  type AiListKind,
  type AiMessage,
  isCall,
  isContent,
  PART,
  partIndexOf,
  partsOf,
  providerCalls,
} from "./message.ts";
import { nativeOptions } from "./provider-options.ts";
import { nativeFailure, nativeOutput } from "./tool-output.ts";

/** No tool can have this name. */
export const APPROVAL = "(approval)";

export function toNative(message: AiMessage, kind: AiListKind): readonly JsonObject[] {
  const { role } = message;
  const parts = partsOf(message);
  if (role !== "tool") return [role === "assistant" ? fromAssistant(message, parts) : fromSaid(message, parts)];
  const answers = parts.flatMap((part, at) => fromAnswer(part, at, kind));
  const [first, ...more] = answers;
  if (first === undefined) return [fromSaid({ ...markHostWritten(message), role: "user" }, parts)];
  const answered = new Set(answers.map(partIndexOf));
  const others = parts.filter((_, at) => !answered.has(at));
  const beside = others.length === 0 ? {} : { beside: others };
  return [{ ...first, ...beside, ...nativeOptions([message, ...parts]) }, ...more];
}

function fromSaid(message: AiMessage, parts: readonly JsonObject[]): JsonObject {
  const content = said(message.content, parts);
  return { role: message.role, content, ...nativeOptions([message, ...parts]) };
}

function fromAssistant(message: AiMessage, parts: readonly JsonObject[]): JsonObject {
  const inside = providerCalls(parts);
  const reasoning = parts.filter(({ type }) => type === "reasoning");
  const calls = parts.flatMap((part, at) => (isCall(part, inside) ? [nativeCall(part, at)] : []));
  const others = parts.filter((part) => isContent(part, inside));
  return {
    role: "assistant",
    content: others.length === 0 && calls.length > 0 ? null : said(message.content, others),
    ...(reasoning.length === 0 ? {} : { reasoning_content: reasoning.map(({ text }) => asText(text)).join("\n") }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...nativeOptions([message, ...parts]),
  };
}

function nativeCall({ type, toolCallId, toolName, input, approvalId, ...rest }: JsonObject, at: number): JsonObject {
  const isApproval = type === "tool-approval-request";
  const given = isApproval ? { toolCallId, inputSchemaInput: rest.inputSchemaInput } : (input ?? {});
  const name = isApproval ? APPROVAL : toolName;
  const called = { name, arguments: typeof given === "string" ? given : toJson(given) };
  return { id: isApproval ? approvalId : toolCallId, type: "function", function: called, [PART]: at };
}

function fromAnswer(part: JsonObject, at: number, kind: AiListKind): readonly JsonObject[] {
  const { type, toolCallId, output, approvalId, approved, reason } = part;
  if (type === "tool-result" && isFilledText(toolCallId)) {
    const content = nativeOutput(output);
    return [{ role: "tool", tool_call_id: toolCallId, content, ...nativeFailure(output), [PART]: at }];
  }
  if (type !== "tool-approval-response" || kind === "prompt" || !isFilledText(approvalId)) return [];
  return [{ role: "tool", tool_call_id: approvalId, content: toJson({ approved, reason }), [PART]: at }];
}

/** A single text is a string, as the summary is. */
function said(content: AiMessage["content"], parts: readonly JsonObject[]): string | readonly JsonObject[] {
  if (typeof content === "string") return content;
  const natives = parts.map(nativePart);
  const [first] = natives;
  if (first === undefined) return "";
  return natives.length === 1 && first.type === "text" ? asText(first.text) : natives;
}

// What compaction made of a message, as a message of `ai` again: the host's own parts where they stayed, each option for
// a provider at its place. Without an origin it is the summary, or what healing put in.
import { asArray, asText, isObject, type JsonObject } from "../../formats/json-shape.ts";
import type { NativeSource } from "../seam/translation.ts";
import { partFromNative } from "./made-parts.ts";
import { type AiListKind, type AiMessage, isCall, isContent, partIndexOf, partsOf, providerCalls } from "./message.ts";
import { withoutItemId } from "./provider-options.ts";
import { APPROVAL } from "./to-native.ts";
import { hostOutput, hostParts } from "./tool-output.ts";

export function toHost(native: JsonObject, source: NativeSource<AiMessage>, kind: AiListKind): AiMessage {
  const { origin } = source;
  if (native.role === "tool") {
    const beside = asArray(native.beside).filter(isObject);
    return { ...without(origin), role: "tool", content: [answerOf(native, source), ...beside] };
  }
  if (origin === undefined) return madeMessage(native, kind);
  // Nothing of these is ever changed.
  if (origin.role === "tool") return origin;
  if (typeof origin.content === "string") return { ...without(origin), content: asText(native.content) } as AiMessage;
  return { ...without(origin), content: partsAfter(native, origin) } as AiMessage;
}

/** `meta` is ours; content is about to be written anew. */
function without(origin: AiMessage | undefined): JsonObject {
  const { meta: _meta, content: _content, ...rest } = (origin ?? {}) as JsonObject;
  return rest;
}

function madeMessage(native: JsonObject, kind: AiListKind): AiMessage {
  const role = native.role as AiMessage["role"];
  const { content, tool_calls: calls, reasoning_content: reasoning } = native;
  const isPlain = typeof content === "string" && calls === undefined && reasoning === undefined;
  if (isPlain && (kind === "model-messages" || role === "system")) return { role, content };
  const texts = typeof content === "string" ? (content === "" ? [] : [{ type: "text", text: content }]) : content;
  const thoughts = reasoning === undefined ? [] : [{ type: "reasoning", text: reasoning }];
  return { role, content: [...thoughts, ...asArray(texts), ...asArray(calls)].filter(isObject).map(partFromNative) };
}

/** The origin's parts in their order, less what left. */
function partsAfter(native: JsonObject, origin: AiMessage): readonly JsonObject[] {
  const parts = partsOf(origin);
  const inside = providerCalls(parts);
  const calls = new Map(asArray(native.tool_calls).map((call) => [partIndexOf(call), call]));
  const contents = parts.filter((part) => isContent(part, inside));
  const natives =
    typeof native.content === "string" ? [{ type: "text", text: native.content }] : asArray(native.content);
  const said = hostParts(natives, contents).filter(isObject)[Symbol.iterator]();
  const isStripped = !("reasoning_content" in native) && parts.some(({ type }) => type === "reasoning");
  const kept = parts.flatMap((part, at): readonly JsonObject[] => {
    if (isCall(part, inside)) return hostCall(part, calls.get(at));
    if (!isContent(part, inside)) return isStripped ? [] : [part];
    const next = said.next();
    return next.done === true ? [] : [next.value];
  });
  return isStripped ? kept.map(withoutItemId) : kept;
}

/** Healing gives a call another id, or leaves it out. */
function hostCall(part: JsonObject, call: unknown): readonly JsonObject[] {
  if (!isObject(call)) return [];
  if (part.type === "tool-approval-request")
    return call.id === part.approvalId ? [part] : [{ ...part, approvalId: call.id }];
  return call.id === part.toolCallId ? [part] : [{ ...part, toolCallId: call.id }];
}

function answerOf(native: JsonObject, { origin, toolName }: NativeSource<AiMessage>): JsonObject {
  const callId = asText(native.tool_call_id);
  const at = partIndexOf(native);
  const part = origin === undefined || at === undefined ? undefined : partsOf(origin)[at];
  if (part?.type === "tool-approval-response") return { ...part, approvalId: callId };
  const name = toolName(callId) ?? "";
  if (part === undefined && name === APPROVAL)
    return { type: "tool-approval-response", approvalId: callId, approved: false, reason: asText(native.content) };
  const output = hostOutput(native.content, part?.output);
  if (part?.output === output && part.toolCallId === callId) return part;
  return { toolName: name, ...part, type: "tool-result", toolCallId: callId, output };
}

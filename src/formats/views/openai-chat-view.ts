// Reads one OpenAI chat message into a view. Fields it does not know are opaque, but counted.
import type { MessagePart, MessageRole, MessageView } from "../format.ts";
import type { JsonObject } from "../json-shape.ts";
import { asArray, asText, isFilledText, isObject, otherFields, toJson } from "../json-shape.ts";
import { isHostWritten, isProtectedMessage } from "../protected.ts";
import { imagePartFromUrl, opaquePart, readResultContent } from "./shared-parts.ts";

const ROLES: ReadonlyMap<unknown, MessageRole> = new Map<unknown, MessageRole>(
  Object.entries({
    system: "system",
    developer: "developer",
    user: "user",
    assistant: "assistant",
    tool: "tool",
    function: "tool",
  } as const),
);

/** Fields that have a part of their own, and those that are never sent (`meta`). */
const READ_FIELDS: ReadonlySet<string> = new Set([
  "role",
  "content",
  "tool_calls",
  "tool_call_id",
  "function_call",
  "reasoning_content",
  "meta",
]);

/** Reads one message; never throws. */
export function viewChatMessage(message: unknown): MessageView {
  const fields: JsonObject = isObject(message) ? message : {};
  const role = ROLES.get(fields.role) ?? "user";
  return {
    role,
    parts: isObject(message) ? readParts(fields, role) : [opaquePart("unreadable", message)],
    isProtected: isProtectedMessage(message),
    isIrreplaceable: false,
    joinsNext: false,
    ...(isHostWritten(message) ? { isHostWritten: true } : {}),
  };
}

function readParts(message: JsonObject, role: MessageRole): readonly MessagePart[] {
  const { reasoning_content: reasoning } = message;
  const others = otherFields(message, message.role === "function" ? new Set([...READ_FIELDS, "name"]) : READ_FIELDS);
  return [
    ...(isFilledText(reasoning) ? [{ kind: "thinking", text: reasoning, sealedLength: 0 } as const] : []),
    ...(role === "tool" ? [readResult(message)] : readContent(message.content)),
    ...readCalls(message),
    ...(others === undefined ? [] : [opaquePart("fields", others)]),
  ];
}

function readResult(message: JsonObject): MessagePart {
  const callId = message.role === "function" ? legacyCallId(message.name) : asText(message.tool_call_id);
  return { kind: "result", callId, isError: false, ...readResultContent(message.content) };
}

function readContent(content: unknown): readonly MessagePart[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  if (content === undefined || content === null) return [];
  if (!Array.isArray(content)) return [opaquePart("unreadable", content)];
  return content.map(readContentPart);
}

function readContentPart(part: unknown): MessagePart {
  if (!isObject(part)) return opaquePart("unreadable", part);
  if (part.type === "text" && typeof part.text === "string") return { kind: "text", text: part.text };
  if (part.type === "image_url") {
    return imagePartFromUrl(isObject(part.image_url) ? part.image_url.url : part.image_url);
  }
  return opaquePart(asText(part.type), part);
}

function readCalls(message: JsonObject): readonly MessagePart[] {
  const calls = asArray(message.tool_calls).map(readCall);
  if (isObject(message.function_call)) {
    const { name, arguments: given } = message.function_call;
    calls.push({ kind: "call", callId: legacyCallId(name), name: asText(name), arguments: asText(given) });
  }
  return calls;
}

function readCall(call: unknown): MessagePart {
  if (!isObject(call) || typeof call.id !== "string") return opaquePart("unreadable", call);
  const target = isObject(call.function) ? call.function : isObject(call.custom) ? call.custom : {};
  const given = target.arguments ?? target.input ?? "";
  return {
    kind: "call",
    callId: call.id,
    name: asText(target.name),
    arguments: typeof given === "string" ? given : toJson(given),
  };
}

/** Calls of the oldest kind have no id: the function's name pairs them with what comes back. */
function legacyCallId(name: unknown): string {
  return `function:${asText(name)}`;
}

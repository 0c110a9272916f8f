// Reads one OpenAI chat message into a view. Fields it does not know are opaque, but counted.
import {
  asArray,
  asText,
  isFilledText,
  isObject,
  type JsonObject,
  otherFields,
  toJson,
} from "../../text/json-values.ts";
import {
  citingParts,
  opaquePart,
  providerPart,
  readResultContent,
  SOURCE_FIELDS,
  viewContent,
} from "../content-parts.ts";
import type { MessagePart, MessageRole, MessageView } from "../format.ts";
import { isHostWritten, isProtectedMessage } from "../message-marks.ts";
import { isFiller } from "../place.ts";
import { NAMED_ID } from "../units.ts";

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

/** Under which servers and hosts list what the provider's own tools did. */
const STEP_FIELDS = ["executed_tools", "tool_outputs"] as const;

/** Fields that have a part of their own, and those that are never sent (`meta`). */
const READ_FIELDS: ReadonlySet<string> = new Set([
  "role",
  "content",
  "tool_calls",
  "tool_call_id",
  "function_call",
  "reasoning_content",
  "refusal",
  "audio",
  "meta",
  ...SOURCE_FIELDS,
  ...STEP_FIELDS,
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
    ...(isHostWritten(message) || isFiller(message) ? { isHostWritten: true } : {}),
  };
}

function readParts(message: JsonObject, role: MessageRole): readonly MessagePart[] {
  const { reasoning_content: reasoning } = message;
  const others = otherFields(message, message.role === "function" ? new Set([...READ_FIELDS, "name"]) : READ_FIELDS);
  return [
    ...(isFilledText(reasoning) ? [{ kind: "thinking", text: reasoning, sealedLength: 0 } as const] : []),
    ...(role === "tool" ? [readResult(message)] : viewContent(message.content, "image_url")),
    ...(isFilledText(message.refusal) ? [{ kind: "text", text: message.refusal, isRefusal: true } as const] : []),
    ...readAudio(message),
    ...STEP_FIELDS.flatMap((field) => asArray(message[field]).filter(isObject)).map((step) => providerPart(step, true)),
    ...(role === "tool" ? [] : citingParts(message)),
    ...readCalls(message),
    ...(others === undefined ? [] : [opaquePart("fields", others)]),
  ];
}

/** What a model said aloud. */
function readAudio({ audio }: JsonObject): readonly MessagePart[] {
  if (!isObject(audio)) return [];
  const { transcript, ...sound } = audio;
  const said = isFilledText(transcript) ? [{ kind: "text", text: transcript } as const] : [];
  return [...said, opaquePart("audio", sound)];
}

function readResult(message: JsonObject): MessagePart {
  return { kind: "result", callId: resultCallId(message), isError: false, ...readResultContent(message.content) };
}

function readCalls(message: JsonObject): readonly MessagePart[] {
  const calls = asArray(message.tool_calls).map(
    (call): MessagePart =>
      isObject(call) && readCall(call).callId !== "" ? readCall(call) : opaquePart("unreadable", call),
  );
  const legacy = readLegacyCall(message);
  if (legacy !== undefined) calls.push(legacy);
  return calls;
}

type Call = Extract<MessagePart, { readonly kind: "call" }>;

/** A call with JSON as arguments, or a custom one with free text; some servers give a call no id. */
export function readCall(call: JsonObject): Call {
  const target = isObject(call.function) ? call.function : isObject(call.custom) ? call.custom : {};
  return callOf(asText(call.id) || namedId(target.name), target.name, target.arguments ?? target.input ?? "");
}

/** Calls of the oldest kind have no id: the function's name pairs them with what comes back. */
export const LEGACY_ID = "function:";

export function readLegacyCall({ function_call: called }: JsonObject): Call | undefined {
  return isObject(called) ? callOf(`${LEGACY_ID}${asText(called.name)}`, called.name, called.arguments) : undefined;
}

function callOf(callId: string, name: unknown, given: unknown): Call {
  return { kind: "call", callId, name: asText(name), arguments: typeof given === "string" ? given : toJson(given) };
}

/** The call that a tool's message answers: by its id, or by the name of the tool, as some servers have it. */
export function resultCallId(message: JsonObject): string {
  if (message.role === "function") return `${LEGACY_ID}${asText(message.name)}`;
  return asText(message.tool_call_id) || namedId(message.tool_name) || namedId(message.name);
}

function namedId(name: unknown): string {
  return isFilledText(name) ? `${NAMED_ID}${name}` : "";
}

/** True when an assistant message says something by other means than its content. */
export function mayLackContent(message: JsonObject): boolean {
  if (message.role !== "assistant") return false;
  const hasCalls = asArray(message.tool_calls).length > 0 || isObject(message.function_call);
  return hasCalls || isFilledText(message.refusal) || isObject(message.audio);
}

/** True for a content part that has a type, and text where the type says so. */
export function isContentPart(part: unknown): boolean {
  if (!isObject(part) || !isFilledText(part.type)) return false;
  return part.type !== "text" || typeof part.text === "string";
}

/** True for a function or custom call with an id and a name; servers that take arguments as an object need no id. */
export function isToolCall(call: unknown): call is JsonObject {
  if (!isObject(call)) return false;
  if (call.type === "custom") return isFilledText(call.id) && isObject(call.custom) && isFilledText(call.custom.name);
  if (!isObject(call.function) || !isFilledText(call.function.name)) return false;
  return isObject(call.function.arguments) || (isFilledText(call.id) && typeof call.function.arguments === "string");
}

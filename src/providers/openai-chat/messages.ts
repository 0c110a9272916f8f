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
import type { MessagePart, MessageRole, MessageView, ValidateOptions, Violation } from "../format.ts";
import { isHostWritten, isProtectedMessage } from "../message-marks.ts";
import { isFiller } from "../place.ts";
import { checkEveryMessage, Violations } from "../repair.ts";
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

// The faults for which OpenAI's chat endpoint refuses a message list: shapes, and the rule that each call is
// answered by one tool message directly after the message that made it.

const ACCEPTED_ROLES: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant", "tool", "function"]);

/** Calls of the assistant message last seen, until a message of another role follows. */
interface OpenStep {
  readonly index: number;
  readonly calls: readonly Call[];
  readonly answered: Set<Call>;
  readonly legacyName: unknown;
  /** By id, and by the name of the tool for results that name that. */
  readonly named: ReadonlyMap<string, Waiting>;
}

interface Waiting {
  readonly calls: Call[];
  /** Those before it are answered. */
  first: number;
}

/** Every fault in the list, in no promised order. */
export function validateChat(messages: readonly unknown[], options: ValidateOptions = {}): readonly Violation[] {
  const found = new Violations();
  checkEveryMessage(messages, found);
  let step: OpenStep | undefined;
  for (const [index, message] of messages.entries()) {
    if (!isObject(message) || !ACCEPTED_ROLES.has(message.role)) {
      found.add(index, "unknown-role", "not a message with a role of this provider");
      continue;
    }
    checkContent(message, index, found);
    if (message.role === "tool") {
      checkToolMessage(message, index, step, found);
    } else if (message.role === "function") {
      if (step?.legacyName === undefined || step.legacyName !== message.name) {
        found.add(index, "orphan-result", "a function message without the call before it");
      }
    } else {
      closeStep(step, found);
      step = message.role === "assistant" ? openStep(message, index, found) : undefined;
    }
  }
  if (options.allowOpenTail !== true) closeStep(step, found);
  return found.list;
}

function checkContent(message: JsonObject, index: number, found: Violations): void {
  const { content } = message;
  if (content === undefined || content === null) {
    if (!mayLackContent(message)) found.add(index, "missing-content", "content is missing or null");
  } else if (Array.isArray(content)) {
    if (content.length === 0) found.add(index, "empty-content", "content is an empty array");
    if (!content.every(isContentPart)) found.add(index, "bad-content", "a content part has no type or no text");
  } else if (typeof content !== "string") {
    found.add(index, "bad-content", "content is neither text nor an array");
  }
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

function openStep(message: JsonObject, index: number, found: Violations): OpenStep | undefined {
  const { tool_calls: calls } = message;
  const legacyName = isObject(message.function_call) ? message.function_call.name : undefined;
  if (calls === undefined || calls === null) {
    if (legacyName === undefined) return undefined;
    return { index, calls: [], named: new Map(), answered: new Set(), legacyName };
  }
  if (!Array.isArray(calls) || calls.length === 0) {
    found.add(index, "empty-tool-calls", "tool_calls is not an array with at least one call");
    return undefined;
  }
  const ids = new Set<unknown>();
  const whole = calls.filter(isToolCall);
  if (whole.length < calls.length) found.add(index, "bad-call", "a call lacks its id, its name or its arguments");
  for (const { id } of whole) {
    if (id !== undefined && ids.has(id)) found.add(index, "duplicate-call", `two calls share the id ${id}`);
    ids.add(id);
  }
  const read = whole.map(readCall);
  return { index, calls: read, named: byNames(read), answered: new Set(), legacyName };
}

/** A step may have thousands, and each result asks for its own. */
function byNames(calls: readonly Call[]): ReadonlyMap<string, Waiting> {
  const named = new Map<string, Waiting>();
  for (const call of calls) {
    for (const name of new Set([call.callId, namedId(call.name)])) {
      const known = named.get(name);
      if (known === undefined) named.set(name, { calls: [call], first: 0 });
      else known.calls.push(call);
    }
  }
  return named;
}

function checkToolMessage(message: JsonObject, index: number, step: OpenStep | undefined, found: Violations): void {
  const callId = resultCallId(message);
  const named = step?.named.get(callId);
  while (named !== undefined && step?.answered.has(named.calls[named.first] as Call)) named.first += 1;
  const waiting = named?.calls[named.first];
  if (waiting !== undefined) step?.answered.add(waiting);
  else if (named === undefined) found.add(index, "orphan-result", "a tool message without its call directly before it");
  else found.add(index, "duplicate-result", `a second result for the call ${callId}`);
}

function closeStep(step: OpenStep | undefined, found: Violations): void {
  for (const call of step?.calls ?? []) {
    if (step?.answered.has(call) === false)
      found.add(step.index, "unanswered-call", `the call ${call.callId} has no result directly after it`);
  }
}

// One value of a Codex rollout file, reduced to what matters: an item of the model's list, the head of a session, a
// compaction, a step back. Newer files wrap each value, the first ones hold the bare items behind one bare head.
import type { JsonObject } from "../../json-shape.ts";
import { asArray, asText, isFilledText, isObject } from "../../json-shape.ts";
import type { SessionValue } from "../parts/session-values.ts";

export type CodexLine = { readonly line: number } & (
  | { readonly kind: "head"; readonly head: JsonObject }
  | { readonly kind: "item"; readonly item: JsonObject }
  /** What the host showed: as a rule an item says the same. */
  | { readonly kind: "shown"; readonly role: "user" | "assistant"; readonly text: string }
  | { readonly kind: "compacted"; readonly summary: string; readonly replacement: readonly JsonObject[] }
  | { readonly kind: "step-back"; readonly turns: number }
  | { readonly kind: "model"; readonly model: string }
);

const ITEM_TYPES: ReadonlySet<unknown> = new Set([
  "message",
  "reasoning",
  "function_call",
  "function_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
  "local_shell_call",
]);
const WRAPPER_TYPES: ReadonlySet<unknown> = new Set([
  "session_meta",
  "response_item",
  "event_msg",
  "turn_context",
  "compacted",
]);

/** True when these are the values of a rollout file, of whatever version. */
export function isCodexSession(values: readonly unknown[]): boolean {
  const [first] = values;
  const isDocument = values.length === 1 && isObject(first) && isOldDocument(first);
  return isDocument || values.some(isWrapped) || isBareSession(values);
}

export function readCodexLines(values: readonly SessionValue[]): readonly CodexLine[] {
  return values.flatMap(({ value, line }) => {
    if (!isObject(value)) return [];
    if (isOldDocument(value)) return readOldDocument(value, line);
    const read = isObject(value.payload) ? readWrapped(value.type, value.payload) : readBare(value);
    return read === undefined ? [] : [{ ...read, line }];
  });
}

type Read = CodexLine extends infer Line ? (Line extends CodexLine ? Omit<Line, "line"> : never) : never;

function isWrapped(value: unknown): boolean {
  return isObject(value) && WRAPPER_TYPES.has(value.type) && isObject(value.payload);
}

function isBareSession(values: readonly unknown[]): boolean {
  const [first, ...others] = values;
  if (!isObject(first) || !isBareHead(first)) return false;
  return (
    "instructions" in first ||
    others.some((value) => isObject(value) && (value.record_type === "state" || ITEM_TYPES.has(value.type)))
  );
}

function isBareHead({ type, role, id, timestamp }: JsonObject): boolean {
  return type === undefined && role === undefined && isFilledText(id) && isFilledText(timestamp);
}

/** The first versions wrote one document. */
function isOldDocument({ session, items }: JsonObject): boolean {
  return isObject(session) && Array.isArray(items) && isBareHead(session);
}

function readOldDocument({ session, items }: JsonObject, line: number): readonly CodexLine[] {
  const read = asArray(items).flatMap((item) => (isObject(item) ? (readBare(item) ?? []) : []));
  return [{ kind: "head", head: session as JsonObject, line }, ...read.map((found) => ({ ...found, line }))];
}

function readBare(value: JsonObject): Read | undefined {
  if (isBareHead(value)) return { kind: "head", head: value };
  const isItem = isFilledText(value.type) || (isFilledText(value.role) && value.content !== undefined);
  // A wrapper whose payload is gone says nothing.
  return isItem && !WRAPPER_TYPES.has(value.type) ? { kind: "item", item: value } : undefined;
}

function readWrapped(type: unknown, payload: JsonObject): Read | undefined {
  switch (type) {
    case "session_meta":
      return { kind: "head", head: payload };
    case "response_item":
      return { kind: "item", item: payload };
    case "turn_context":
      return isFilledText(payload.model) ? { kind: "model", model: payload.model } : undefined;
    case "compacted":
      return {
        kind: "compacted",
        summary: asText(payload.message),
        replacement: asArray(payload.replacement_history).filter(isObject),
      };
    case "event_msg":
      return readEvent(payload);
    default:
      return undefined;
  }
}

function readEvent({ type, message, num_turns: turns }: JsonObject): Read | undefined {
  if (type === "thread_rolled_back" && typeof turns === "number" && turns > 0) return { kind: "step-back", turns };
  if (type !== "user_message" && type !== "agent_message") return undefined;
  return { kind: "shown", role: type === "user_message" ? "user" : "assistant", text: asText(message) };
}

// Makes a damaged OpenAI chat list valid: each call is followed by exactly its results, in one block, and what
// has no place there becomes a note. Shapes are mended first.
import { asArray, asText, isFilledText, isObject, type JsonObject, toJson } from "../../text/json-values.ts";
import type { Healed } from "../format.ts";
import { copyWith, markHostWritten, withoutField } from "../message-marks.ts";
import { MISSING_RESULT, type PairRepair, RepairedList, type Repairs, repairList, unreadableNote } from "../repair.ts";
import { firstResults, NAMED_ID, type PairedCall } from "../units.ts";
import { isContentPart, isToolCall, LEGACY_ID, mayLackContent, resultCallId, viewChatMessage } from "./messages.ts";

/** Repairs a list; see `Format.heal`. */
export function repairChat(messages: readonly unknown[]): Healed {
  const repairs: Repairs = [];
  const steps = {
    clean: cleanChatMessage,
    view: viewChatMessage,
    clashes: (call: PairedCall, earlier: PairedCall) =>
      earlier.index === call.index && !call.callId.startsWith(NAMED_ID),
    arrange,
  };
  return repairList(messages, steps, repairs, shapeChatCalls(messages, repairs));
}

function arrange(pairs: PairRepair): readonly JsonObject[] {
  const { entries, views, pairing } = pairs;
  /** The step in flight at the end of the list, if any: its missing results may still arrive. */
  const last = views.findLastIndex((view) => view.role !== "tool");
  const out = new RepairedList<JsonObject>();
  let step = -1;
  for (const [at, { message }] of entries.entries()) {
    if (views[at]?.role !== "tool") {
      step = at;
      const isOpen = at === last && pairing.callsAt(at).length > 0;
      if (isOpen) out.beginFlight();
      const placed = [
        renameCalls(pairs, at),
        ...resultsOfStep(pairs, at),
        ...(isOpen ? [] : answerDeadCalls(pairs, at)),
      ];
      for (const item of placed) out.items.push(item);
      continue;
    }
    // The first result of a call was placed with it; what is left here is out of order, double or orphaned.
    for (const result of pairing.resultsAt(at)) {
      const content = pairs.noteFor(result, result.call?.index === step, asText(message.tool_call_id));
      if (content !== undefined) out.addNote(markHostWritten({ role: "user", content }));
    }
  }
  return out.items;
}

function renameCalls(pairs: PairRepair, at: number): JsonObject {
  const { message } = pairs.entries[at] as { readonly message: JsonObject };
  const calls = pairs.pairing.callsAt(at);
  if (!calls.some((call) => pairs.newId(call) !== undefined)) return message;
  const given = asArray(message.tool_calls).map((call, ordinal) =>
    isObject(call) ? pairs.renameCall(calls[ordinal], call, "id") : call,
  );
  return copyWith(message, { tool_calls: given });
}

function resultsOfStep(pairs: PairRepair, at: number): readonly JsonObject[] {
  return firstResults(pairs.pairing.callsAt(at)).map(({ index, call }) => {
    const message = pairs.entries[index]?.message ?? {};
    const id = pairs.newId(call);
    return id === undefined ? message : copyWith(message, { tool_call_id: id });
  });
}

/** Calls of the oldest kind may stay unanswered. */
function answerDeadCalls(pairs: PairRepair, at: number): readonly JsonObject[] {
  return pairs
    .deadCalls(at, ({ callId }) => !callId.startsWith(LEGACY_ID))
    .map((id) => ({ role: "tool", ...naming(id), content: MISSING_RESULT }));
}

function naming(callId: string): JsonObject {
  return callId.startsWith(NAMED_ID) ? { tool_name: callId.slice(NAMED_ID.length) } : { tool_call_id: callId };
}

// Mends the shape of one OpenAI chat message: roles, content and calls that the provider refuses. Knows
// nothing of pairs.

const ROLES: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant", "tool"]);

function cleanChatMessage(message: unknown, index: number, repairs: Repairs): JsonObject | undefined {
  if (!isObject(message) || !(ROLES.has(message.role) || isLegacyResult(message))) {
    repairs.push({ index, kind: "invalid_message", action: "kept as a note" });
    return markHostWritten({ role: "user", content: unreadableNote(message) });
  }
  return cleanContent(cleanCalls(message, index, repairs), index, repairs);
}

/** A message of the oldest function interface; without a name it can answer nothing. */
function isLegacyResult(message: JsonObject): boolean {
  return message.role === "function" && isFilledText(message.name);
}

function cleanCalls(message: JsonObject, index: number, repairs: Repairs): JsonObject {
  const { tool_calls: calls } = message;
  if (message.role !== "assistant" || calls === undefined || calls === null) return message;
  const whole = Array.isArray(calls) ? calls.filter(isToolCall) : [];
  if (whole.length > 0 && whole.length === (calls as unknown[]).length) return message;
  repairs.push({ index, kind: "invalid_message", action: "left out calls without an id, a name or arguments" });
  if (whole.length > 0) return copyWith(message, { tool_calls: whole });
  return withoutField(message, "tool_calls");
}

function cleanContent(message: JsonObject, index: number, repairs: Repairs): JsonObject | undefined {
  const { content } = message;
  if (typeof content === "string") return message;
  if (content === undefined || content === null)
    return mayLackContent(message) ? message : fill(message, index, repairs);
  if (!Array.isArray(content)) {
    repairs.push({ index, kind: "invalid_message", action: "wrote the content as text" });
    return copyWith(message, { content: toJson(content) });
  }
  const whole = content.filter(isContentPart);
  if (whole.length === 0) return fill(message, index, repairs);
  if (whole.length === content.length) return message;
  repairs.push({ index, kind: "invalid_message", action: "left out content parts without a type or text" });
  return copyWith(message, { content: whole });
}

/** A result must stay, for its call's sake; a step with calls too; any other empty message goes. */
function fill(message: JsonObject, index: number, repairs: Repairs): JsonObject | undefined {
  const isResult = message.role === "tool" || message.role === "function";
  if (!isResult && !mayLackContent(message)) {
    repairs.push({ index, kind: "empty_message", action: "dropped: it had no content" });
    return undefined;
  }
  repairs.push({ index, kind: "empty_message", action: "gave it an empty text" });
  return copyWith(message, { content: "" });
}

// Gives calls and results of OpenAI chat the shape that the provider takes, where a server of another make wrote them:
// arguments as objects, calls without ids or a wrapper, results that name their call elsewhere or not at all.

const SHAPED = "gave its calls the shape that the provider takes";
const NAMED = "gave it the id of the call that it answers";

interface WaitingCall {
  readonly id: string;
  readonly name: string;
}

/** The list itself where nothing is to be done. */
function shapeChatCalls(messages: readonly unknown[], repairs: Repairs): readonly unknown[] {
  if (isObjectsWay(messages)) return messages;
  const known = new Set(messages.flatMap(callsOf).map(({ id }) => asText(id)));
  let waiting: WaitingCall[] = [];
  const shaped = messages.map((message, index) => {
    if (!isObject(message)) return message;
    if (message.role === "assistant") {
      const step = shapeStep(message, index, known);
      waiting = callsOf(step).map((call) => ({ id: asText(call.id), name: nameOf(call) }));
      if (step !== message) repairs.push({ index, kind: "invalid_message", action: SHAPED });
      return step;
    }
    if (message.role !== "tool") return message;
    const call = takeCall(message, waiting);
    if (call === undefined || isFilledText(message.tool_call_id)) return message;
    repairs.push({ index, kind: "invalid_message", callId: call.id, action: NAMED });
    return copyWith(message, { tool_call_id: call.id });
  });
  return shaped.every((message, index) => message === messages[index]) ? messages : shaped;
}

/**
 * One server's own way, throughout the list: arguments are objects, ids may be missing, results go by the tool's name. It
 * would refuse what others take.
 */
function isObjectsWay(messages: readonly unknown[]): boolean {
  const calls = messages.flatMap(callsOf).map((call) => call.function);
  const takesObjects = calls.every(
    (called) => isObject(called) && isFilledText(called.name) && isObject(called.arguments),
  );
  const isNamed = (message: unknown) => !isObject(message) || message.role !== "tool" || resultCallId(message) !== "";
  return takesObjects && messages.every(isNamed);
}

function callsOf(message: unknown): readonly JsonObject[] {
  return isObject(message) && message.role === "assistant" ? asArray(message.tool_calls).filter(isObject) : [];
}

function shapeStep(message: JsonObject, index: number, known: Set<string>): JsonObject {
  const given = asArray(message.tool_calls);
  const calls = given.map((call, ordinal) => shapeCall(call, () => newId(index, ordinal, known)));
  return calls.every((call, ordinal) => call === given[ordinal]) ? message : copyWith(message, { tool_calls: calls });
}

/** What has no name stays as it is: nobody can tell what was called. */
function shapeCall(call: unknown, nextId: () => string): unknown {
  if (!isObject(call) || (call.type !== undefined && call.type !== "function")) return call;
  const called = isObject(call.function) ? call.function : call;
  if (!isFilledText(called.name)) return call;
  const isWhole = typeof called.arguments === "string" && called !== call && call.type === "function";
  if (isWhole && isFilledText(call.id)) return call;
  const id = isFilledText(call.id) ? call.id : nextId();
  if (isWhole) return { ...call, id };
  const written = typeof called.arguments === "string" ? called.arguments : toJson(called.arguments ?? {});
  return { id, type: "function", function: { name: called.name, arguments: written } };
}

function newId(index: number, ordinal: number, known: Set<string>): string {
  let id = `call_${index + 1}_${ordinal + 1}`;
  while (known.has(id)) id = `${id}_`;
  known.add(id);
  return id;
}

/** The call that a result answers is waited for no longer. */
function takeCall(message: JsonObject, waiting: WaitingCall[]): WaitingCall | undefined {
  const id = [message.tool_call_id, message.id].find(isFilledText);
  const name = [message.name, message.tool_name].find(isFilledText);
  const places = [
    waiting.findIndex((call) => call.id === id),
    ...(isFilledText(message.tool_call_id) ? [] : [waiting.findIndex((call) => call.name === name), 0]),
  ];
  const [call] = waiting.splice(places.find((place) => place >= 0) ?? waiting.length, 1);
  return call;
}

function nameOf({ function: called, custom }: JsonObject): string {
  return (
    [called, custom].map((target) => (isObject(target) ? asText(target.name) : "")).find((name) => name !== "") ?? ""
  );
}

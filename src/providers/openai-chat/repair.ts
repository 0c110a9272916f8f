// Makes a damaged OpenAI chat list valid: each call is followed by exactly its results, in one block, and what
// has no place there becomes a note. Shapes are mended first.

import { asArray, asText, isFilledText, isObject, type JsonObject, toJson } from "../../text/json-values.ts";
import { toWellFormedValue } from "../../text/well-formed.ts";
import type { Healed, MessageView } from "../format.ts";
import { carryMarks, copyWith, markHostWritten } from "../message-marks.ts";
import {
  duplicateNote,
  MISSING_RESULT,
  orphanNote,
  RENAMED,
  type Repairs,
  renameClashes,
  unreadableNote,
} from "../repair-notes.ts";
import { type PairedCall, type Pairing, pairCalls } from "../units.ts";
import { isContentPart, isToolCall, mayLackContent, viewChatMessage } from "./messages.ts";

/** Repairs a list; see `Format.heal`. */
export function repairChat(messages: readonly unknown[]): Healed {
  const repairs: Repairs = [];
  const kept = shapeChatCalls(messages, repairs).flatMap((message, index) => {
    const cleaned = cleanChatMessage(message, index, repairs);
    return cleaned === undefined ? [] : [{ index, message: cleaned }];
  });
  const views = kept.map(({ message }) => viewChatMessage(message));
  const repair = new ChatRepair(
    kept.map(({ message }) => message),
    kept.map(({ index }) => index),
    views,
    repairs,
  );
  const repaired = repair.run();
  return repairs.length === 0 ? { messages, repairs } : { messages: repaired, repairs };
}

class ChatRepair {
  readonly #messages: readonly JsonObject[];
  readonly #indices: readonly number[];
  readonly #views: readonly MessageView[];
  readonly #repairs: Repairs;
  readonly #pairing: Pairing;
  readonly #callsAt = new Map<number, PairedCall[]>();
  readonly #renamed: ReadonlyMap<PairedCall, string>;
  /** The step in flight at the end of the list, if any: its missing results may still arrive. */
  readonly #openStep: number;
  readonly #out: unknown[] = [];
  #openStepStart = -1;

  constructor(
    messages: readonly JsonObject[],
    indices: readonly number[],
    views: readonly MessageView[],
    repairs: Repairs,
  ) {
    this.#messages = messages;
    this.#indices = indices;
    this.#views = views;
    this.#repairs = repairs;
    this.#pairing = pairCalls(views);
    for (const call of this.#pairing.calls) {
      const calls = this.#callsAt.get(call.index);
      if (calls === undefined) this.#callsAt.set(call.index, [call]);
      else calls.push(call);
    }
    this.#renamed = renameClashes(this.#pairing, (call, earlier) => earlier.index === call.index);
    const last = views.findLastIndex((view) => view.role !== "tool");
    this.#openStep = this.#callsAt.has(last) ? last : -1;
  }

  run(): readonly unknown[] {
    for (const [at, message] of this.#messages.entries()) {
      if (this.#views[at]?.role === "tool") this.#placeResult(at, message);
      else this.#placeStep(at, message);
    }
    return this.#out;
  }

  #placeStep(at: number, message: JsonObject): void {
    if (at === this.#openStep) this.#openStepStart = this.#out.length;
    const calls = this.#callsAt.get(at) ?? [];
    this.#out.push(this.#withCallIds(message, calls));
    const results = calls.flatMap((call) => this.#firstResult(call));
    results.sort((left, right) => left.at - right.at);
    for (const result of results) this.#out.push(result.message);
    for (const call of calls) this.#answerDeadCall(call, at);
  }

  #firstResult(call: PairedCall): { readonly at: number; readonly message: unknown }[] {
    const first = call.results[0];
    const message = first === undefined ? undefined : this.#messages[first.index];
    if (first === undefined || message === undefined) return [];
    const id = this.#renamed.get(call);
    return [{ at: first.index, message: id === undefined ? message : copyWith(message, { tool_call_id: id }) }];
  }

  #withCallIds(message: JsonObject, calls: readonly PairedCall[]): JsonObject {
    const clashes = calls.filter((call) => this.#renamed.has(call));
    if (clashes.length === 0) return message;
    for (const call of clashes) {
      const index = this.#original(call.index);
      this.#repairs.push({ index, kind: "duplicate_call", callId: call.callId, action: RENAMED });
    }
    const given = asArray(message.tool_calls).map((call, ordinal) => {
      const paired = calls[ordinal];
      const id = paired === undefined ? undefined : this.#renamed.get(paired);
      return id === undefined || !isObject(call) ? call : { ...call, id };
    });
    return copyWith(message, { tool_calls: given });
  }

  #answerDeadCall(call: PairedCall, at: number): void {
    if (call.results.length > 0 || at === this.#openStep || call.callId.startsWith("function:")) return;
    const id = this.#renamed.get(call) ?? call.callId;
    this.#out.push({ role: "tool", tool_call_id: id, content: MISSING_RESULT });
    const action = "added a result that says that none was recorded";
    this.#repairs.push({ index: this.#original(at), kind: "dead_call", callId: call.callId, action });
  }

  /** The first result of a call was placed with the call; what is left here is out of order, double or orphaned. */
  #placeResult(at: number, message: JsonObject): void {
    const view = this.#views[at];
    const part = view?.parts.find((candidate) => candidate.kind === "result");
    const text = part?.kind === "result" ? part.text : "";
    const call = this.#pairing.callOf(at, 0);
    const index = this.#original(at);
    if (call === undefined) {
      this.#note(orphanNote(text));
      this.#repairs.push({
        index,
        kind: "orphan_result",
        callId: String(message.tool_call_id ?? ""),
        action: "kept as a note",
      });
    } else if (call.results[0]?.index !== at) {
      const isSame = call.results[0]?.text === text;
      if (!isSame) this.#note(duplicateNote(text));
      const action = isSame ? "dropped the repetition" : "kept as a note";
      this.#repairs.push({ index, kind: "duplicate_result", callId: call.callId, action });
    } else if (!this.#isDirectlyAfter(call.index, at)) {
      this.#repairs.push({ index, kind: "displaced_result", callId: call.callId, action: "moved to its call" });
    }
  }

  /** A note may not part an open step from the results still to come, so there it goes before the step. */
  #note(content: string): void {
    const note = markHostWritten({ role: "user", content });
    if (this.#openStepStart < 0) this.#out.push(note);
    else {
      this.#out.splice(this.#openStepStart, 0, note);
      this.#openStepStart += 1;
    }
  }

  #isDirectlyAfter(call: number, result: number): boolean {
    const between = this.#lastNonTool[result];
    return between === call;
  }

  /** For each index, the nearest earlier message that is not a tool's. */
  get #lastNonTool(): readonly number[] {
    this.#nonTools ??= lastBefore(this.#views);
    return this.#nonTools;
  }
  #nonTools: readonly number[] | undefined;

  #original(at: number): number {
    return this.#indices[at] ?? at;
  }
}

function lastBefore(views: readonly MessageView[]): readonly number[] {
  let last = -1;
  return views.map((view, at) => {
    const before = last;
    if (view.role !== "tool") last = at;
    return before;
  });
}

// Mends the shape of one OpenAI chat message: roles, content and calls that the provider refuses. Knows
// nothing of pairs.

const ROLES: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant", "tool"]);

/** A message of legal shape, the same object if it was one; undefined when nothing of it is worth keeping. */
function cleanChatMessage(message: unknown, index: number, repairs: Repairs): JsonObject | undefined {
  const wellFormed = toWellFormedValue(message);
  if (wellFormed !== message) {
    repairs.push({ index, kind: "invalid_text", action: "replaced half surrogate pairs by U+FFFD" });
    if (isObject(message) && isObject(wellFormed)) carryMarks(message, wellFormed);
  }
  if (!isObject(wellFormed) || !(ROLES.has(wellFormed.role) || isLegacyResult(wellFormed))) {
    repairs.push({ index, kind: "invalid_message", action: "kept as a note" });
    return markHostWritten({ role: "user", content: unreadableNote(toJson(wellFormed)) });
  }
  return cleanContent(cleanCalls(wellFormed, index, repairs), index, repairs);
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
  const { tool_calls: _, ...rest } = message;
  return carryMarks(message, rest);
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

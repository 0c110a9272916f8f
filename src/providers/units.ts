// Groups views into units, the smallest sets of messages that live or leave together: one message (with the
// reasoning items before it), or a tool pair (one assistant step with all its calls and all their results). Agents whose
// tools are words have no calls: their pair is an answer and what the host says to it in the user's place.
// Each unit knows its turn. Expects a healed list, survives any.
import type { MessagePart, MessageView } from "./format.ts";

export interface Unit {
  readonly kind: "message" | "pair";
  /** Indices of the native messages, ascending. */
  readonly messages: readonly number[];
  /** Role of the message that decides: the last one for "message", assistant for "pair". */
  readonly role: MessageView["role"];
  /** Ordinal of the turn (a user message and what follows it, up to the next); 0 is before the first user message. */
  readonly turn: number;
  /** A pair with a call that has no result yet. */
  readonly isOpen: boolean;
  /** Holds text a user wrote (a user message, or user text in the message that carries the results). */
  readonly hasUserText: boolean;
}

interface Group {
  readonly messages: number[];
  isPair: boolean;
  isOpen: boolean;
}

/**
 * The units of a list, sorted by first index; every index is in exactly one. `standsAlone` names indices that
 * never join their neighbours (a summary that stands directly before a step).
 */
export function groupUnits(
  views: readonly MessageView[],
  standsAlone: (index: number) => boolean = () => false,
): readonly Unit[] {
  const groupOf = groupSteps(views, standsAlone);
  addResults(views, groupOf);
  addObservations(views, groupOf, standsAlone);
  const turnAt = countTurns(views);
  const groups = [...new Set(groupOf)].filter((group) => group !== undefined);
  for (const group of groups) group.messages.sort((left, right) => left - right);
  groups.sort((left, right) => (left.messages[0] ?? 0) - (right.messages[0] ?? 0));
  return groups.map((group) => toUnit(group, views, turnAt));
}

/** Every message that brings no results gets a group: with its step, with the item after it, or alone. */
function groupSteps(views: readonly MessageView[], standsAlone: (index: number) => boolean): (Group | undefined)[] {
  const groupOf: (Group | undefined)[] = views.map(() => undefined);
  let index = 0;
  while (index < views.length) {
    const end = endOfStep(views, index, standsAlone);
    const step = range(index, end);
    const holds = (is: (part: MessagePart) => boolean) => step.some((at) => views[at]?.parts.some(is));
    const hasCall = holds(({ kind }) => kind === "call");
    for (const messages of hasCall || holds(isReference) ? [step] : splitByReasoning(views, step)) {
      const group: Group = { messages, isPair: hasCall, isOpen: false };
      for (const at of messages) groupOf[at] = group;
    }
    index = end;
  }
  return groupOf;
}

/** One past the last item of the step that starts at `start`; a message that is no item is a step of its own. */
function endOfStep(views: readonly MessageView[], start: number, standsAlone: (index: number) => boolean): number {
  let end = start + 1;
  const joins = (at: number) => {
    const view = views[at];
    if (view?.role !== "assistant" || standsAlone(at) || standsAlone(at - 1)) return false;
    const previous = views[at - 1];
    return previous?.joinsNext === true || (previous?.joinsStep === true && view.joinsStep === true);
  };
  while (end < views.length && joins(end)) end += 1;
  return end;
}

/** A step without calls: each item is a unit, with the reasoning items directly before it. */
function splitByReasoning(views: readonly MessageView[], step: readonly number[]): number[][] {
  const groups: number[][] = [];
  let current: number[] = [];
  for (const at of step) {
    current.push(at);
    if (views[at]?.joinsNext === true) continue;
    groups.push(current);
    current = [];
  }
  if (current.length > 0) groups.push(current);
  return groups;
}

/** Moves each message that brings results into the group of the first call it answers; those of an answer that only the server has, together. */
function addResults(views: readonly MessageView[], groupOf: (Group | undefined)[]): void {
  const pairing = pairCalls(views);
  let held: Group | undefined;
  for (const [index, view] of views.entries()) {
    const results = view.role === "assistant" ? [] : pairing.resultsAt(index).filter(({ callId }) => callId !== "");
    if (results.length === 0) continue;
    const call = results.find((result) => result.call !== undefined)?.call;
    // Only where a step is several items may a server hold one.
    if (call === undefined && view.joinsStep !== undefined) held ??= groupOf[index];
    const group = call === undefined ? held : groupOf[call.index];
    if (group === undefined) continue;
    group.isPair = true;
    if (group === groupOf[index]) continue;
    group.messages.push(index);
    groupOf[index] = group;
  }
  for (const call of pairing.calls) {
    const group = groupOf[call.index];
    if (group !== undefined && call.results.length === 0) group.isOpen = true;
  }
}

/** Without this, a run of such an agent would be one turn, however long, and nothing in it could leave. */
function addObservations(
  views: readonly MessageView[],
  groupOf: (Group | undefined)[],
  standsAlone: (index: number) => boolean,
): void {
  let answer: Group | undefined;
  for (const [index, view] of views.entries()) {
    const own = groupOf[index];
    if (own === undefined || standsAlone(index)) answer = undefined;
    else if (view.role === "assistant") answer = own.isPair ? undefined : own;
    else if (answer === undefined || !isObservation(view)) answer = undefined;
    else {
      answer.messages.push(index);
      answer.isPair = true;
      groupOf[index] = answer;
    }
  }
}

function isObservation({ role, isHostWritten, parts }: MessageView): boolean {
  return role === "user" && isHostWritten === true && parts.every((part) => part.kind !== "result");
}

/** True when a person says something in this message, be it next to tool results. */
function hasUserText(view: MessageView): boolean {
  if (view.role !== "user" || view.isHostWritten === true) return false;
  return view.parts.length === 0 || view.parts.some((part) => part.kind !== "result");
}

/** The turn at each index. User text beside results starts the next turn, for what comes after them. */
function countTurns(views: readonly MessageView[]): readonly number[] {
  let turn = 0;
  return views.map((view) => {
    if (hasUserText(view)) turn += 1;
    return turn;
  });
}

function toUnit(group: Group, views: readonly MessageView[], turnAt: readonly number[]): Unit {
  const first = group.messages[0] ?? 0;
  const last = group.messages.at(-1) ?? first;
  return {
    kind: group.isPair ? "pair" : "message",
    messages: group.messages,
    role: group.isPair ? "assistant" : (views[last]?.role ?? "user"),
    turn: turnAt[first] ?? 0,
    isOpen: group.isPair && group.isOpen,
    hasUserText: group.messages.some((index) => {
      const view = views[index];
      return view !== undefined && hasUserText(view);
    }),
  };
}

function range(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, offset) => start + offset);
}

// Decides which result answers which call, for grouping, repair and conversion alike. Ids may repeat within a
// conversation: a result belongs to the nearest earlier call of its id that is still open, else to the nearest.

/** A call and the results found for it. `ordinal` counts the calls (or results) within their message. */
export interface PairedCall {
  readonly callId: string;
  readonly index: number;
  readonly ordinal: number;
  /** In order of appearance; more than one means duplicates. */
  readonly results: readonly PairedResult[];
}

export interface PairedResult {
  readonly callId: string;
  readonly index: number;
  readonly ordinal: number;
  readonly text: string;
  /** Undefined for an orphan. */
  readonly call: PairedCall | undefined;
}

export interface Pairing {
  readonly calls: readonly PairedCall[];
  /** The calls that the message at `index` makes. */
  callsAt(index: number): readonly PairedCall[];
  /** The results that it brings. */
  resultsAt(index: number): readonly PairedResult[];
}

interface OpenCall extends PairedCall {
  readonly results: PairedResult[];
}

/** Begins the id of a call that has none, or of a result that names its tool instead: the tool's name follows. */
export const NAMED_ID = "tool:";

/** An item that stands for one that only the server has: any of them may have called. */
function isReference(part: MessagePart): boolean {
  return part.kind === "opaque" && part.type === "item_reference";
}

/** Pairs all calls and results of a list in one pass. */
export function pairCalls(views: readonly Pick<MessageView, "parts">[]): Pairing {
  const calls: OpenCall[] = [];
  const waiting = new WaitingCalls();
  const callsAt = new Map<number, OpenCall[]>();
  const resultsAt = new Map<number, PairedResult[]>();
  for (const [index, { parts }] of views.entries()) {
    for (const part of parts) {
      if (part.kind === "call") {
        const { callId } = part;
        const call: OpenCall = { callId, index, ordinal: callsAt.get(index)?.length ?? 0, results: [] };
        calls.push(call);
        waiting.add(call, part.name);
        append(callsAt, index, call);
      } else if (part.kind === "result") {
        const { callId } = part;
        const call = waiting.take(callId);
        const ordinal = resultsAt.get(index)?.length ?? 0;
        const result: PairedResult = { callId, index, ordinal, text: part.text, call };
        call?.results.push(result);
        append(resultsAt, index, result);
      } else if (isReference(part)) waiting.addReference(index);
    }
  }
  return {
    calls,
    callsAt: (index) => callsAt.get(index) ?? [],
    resultsAt: (index) => resultsAt.get(index) ?? [],
  };
}

class WaitingCalls {
  readonly #open = new Map<string, OpenCall[]>();
  readonly #nearest = new Map<string, OpenCall>();
  /** Of the last step, by the names of their tools. */
  #named = new Map<string, OpenCall[]>();
  #step = -1;
  #reference = -1;

  add(call: OpenCall, name: string): void {
    if (this.#step !== call.index) this.#named = new Map();
    this.#step = call.index;
    append(this.#named, `${NAMED_ID}${name}`, call);
    append(this.#open, call.callId, call);
    this.#nearest.set(call.callId, call);
  }

  addReference(index: number): void {
    this.#reference = index;
  }

  /** The call that a result answers; undefined for an orphan. */
  take(callId: string): OpenCall | undefined {
    const call = callId.startsWith(NAMED_ID)
      ? this.#named.get(callId)?.find(({ results }) => results.length === 0)
      : this.#open.get(callId)?.pop();
    const known = call ?? this.#nearest.get(callId);
    if (known !== undefined || this.#reference < 0 || callId === "") return known;
    const referred: OpenCall = { callId, index: this.#reference, ordinal: 0, results: [] };
    this.#nearest.set(callId, referred);
    return referred;
  }
}

function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** The first results of calls, in the order in which they came. */
export function firstResults(calls: readonly PairedCall[]): readonly PairedResult[] {
  const found = calls.flatMap(({ results }) => results[0] ?? []);
  return found.sort((left, right) => left.index - right.index || left.ordinal - right.ordinal);
}

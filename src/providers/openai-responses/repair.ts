// Makes a damaged Responses list valid: each call has one output after it, orphans become notes, reasoning
// without its item goes. Shapes are mended first.

import { asText, isFilledText, isObject, type JsonObject, toJson } from "../../text/json-values.ts";
import { toWellFormedValue } from "../../text/well-formed.ts";
import type { Healed, MessageView } from "../format.ts";
import { carryMarks, copyWith, markHostWritten } from "../message-marks.ts";
import {
  duplicateNote,
  type Kept,
  MISSING_RESULT,
  orphanNote,
  RENAMED,
  type Repairs,
  renameClashes,
  unreadableNote,
} from "../repair-notes.ts";
import { type PairedCall, type Pairing, pairCalls } from "../units.ts";
import {
  isCallItem,
  isContentPart,
  isMessageItem,
  isOutputItem,
  itemFault,
  startOfFlight,
  viewResponsesItem,
} from "./items.ts";

interface Item extends Kept {
  readonly message: JsonObject;
}

/** Repairs a list; see `Format.heal`. */
export function repairResponses(items: readonly unknown[]): Healed {
  const repairs: Repairs = [];
  const cleaned = items.flatMap((item, index): Item[] => {
    const message = cleanResponsesItem(item, index, repairs);
    return message === undefined ? [] : [{ index, message }];
  });
  const paired = repairPairs(cleaned, repairs);
  const healed = dropOrphanReasoning(paired, repairs);
  return repairs.length === 0
    ? { messages: items, repairs }
    : { messages: healed.map(({ message }) => message), repairs };
}

function note(text: string): JsonObject {
  return markHostWritten({ type: "message", role: "user", content: [{ type: "input_text", text }] });
}

/** The work on one list: what is known of its pairs, and what was put out so far. */
interface Work {
  readonly items: readonly Item[];
  readonly views: readonly MessageView[];
  readonly pairing: Pairing;
  readonly callAt: ReadonlyMap<number, PairedCall>;
  readonly renamed: ReadonlyMap<PairedCall, string>;
  /** Calls before it that have no output are dead. */
  readonly flightFrom: number;
  readonly repairs: Repairs;
  readonly out: Item[];
  /** Outputs owed to dead calls of the current step, to be put after it: an output ends a step. */
  owed: Item[];
  /** Where the first step with calls in flight starts in `out`; a note after it would make them dead. */
  flightStart: number;
}

function repairPairs(items: readonly Item[], repairs: Repairs): readonly Item[] {
  const views = items.map(({ message }) => viewResponsesItem(message));
  const pairing = pairCalls(views);
  const callAt = new Map(pairing.calls.map((call) => [call.index, call]));
  const flightFrom = startOfFlight(items.map(({ message }) => message));
  const renamed = renameClashes(pairing, (call, earlier) => isOpenAt(earlier, call.index));
  const work: Work = {
    items,
    views,
    pairing,
    callAt,
    renamed,
    flightFrom,
    repairs,
    out: [],
    owed: [],
    flightStart: -1,
  };
  let stepStart = 0;
  for (const [at, item] of items.entries()) {
    const isStepItem = views[at]?.role === "assistant";
    if (!isStepItem) payOwed(work);
    if (isStepItem && views[at - 1]?.role !== "assistant") stepStart = work.out.length;
    if (isOutputItem(item.message)) placeOutput(work, at, item);
    else placeItem(work, at, item, stepStart);
  }
  payOwed(work);
  return work.out;
}

function isOpenAt(call: PairedCall, index: number): boolean {
  const first = call.results[0];
  return first === undefined || first.index > index;
}

function payOwed(work: Work): void {
  for (const item of work.owed) work.out.push(item);
  work.owed = [];
}

function placeItem(work: Work, at: number, given: Item, stepStart: number): void {
  const call = work.callAt.get(at);
  const id = call === undefined ? undefined : work.renamed.get(call);
  const item = id === undefined ? given : { ...given, message: copyWith(given.message, { call_id: id }) };
  if (call !== undefined && id !== undefined) {
    work.repairs.push({ index: given.index, kind: "duplicate_call", callId: call.callId, action: RENAMED });
  }
  const isUnanswered = call !== undefined && call.results.length === 0 && isCallItem(item.message);
  if (!isUnanswered) {
    work.out.push(item);
  } else if (at >= work.flightFrom) {
    if (work.flightStart < 0) work.flightStart = stepStart;
    work.out.push(item);
  } else {
    answerDeadCall(work, item, id ?? call.callId);
  }
}

/** Calls of the caller's own tools get an output; no output can be made up for a call of a tool like a computer. */
function answerDeadCall(work: Work, item: Item, callId: string): void {
  const type = asText(item.message.type);
  const canAnswer = type === "function_call" || type === "custom_tool_call";
  const action = canAnswer ? "added an output that says that none was recorded" : "kept as a note";
  work.repairs.push({ index: item.index, kind: "dead_call", callId, action });
  if (!canAnswer) {
    const text = unreadableNote(toJson(item.message));
    const message = { type: "message", role: "assistant", content: [{ type: "output_text", text }] };
    work.out.push({ index: item.index, message });
    return;
  }
  work.out.push(item);
  const output = { type: `${type}_output`, call_id: callId, output: MISSING_RESULT };
  work.owed.push({ index: item.index, message: output });
}

function placeOutput(work: Work, at: number, item: Item): void {
  const call = work.pairing.callOf(at, 0);
  const part = work.views[at]?.parts.find((candidate) => candidate.kind === "result");
  const callId = part?.kind === "result" ? part.callId : "";
  const text = part?.kind === "result" ? part.text : "";
  // Outputs of server tools name no call and stand for themselves.
  if (call?.results[0]?.index === at) {
    const id = work.renamed.get(call);
    work.out.push(id === undefined ? item : { ...item, message: copyWith(item.message, { call_id: id }) });
  } else if (callId === "" && !isCallersOutput(item.message)) {
    work.out.push(item);
  } else if (call === undefined) {
    insertNote(work, item.index, orphanNote(text));
    work.repairs.push({ index: item.index, kind: "orphan_result", callId, action: "kept as a note" });
  } else {
    const isSame = call.results[0]?.text === text;
    if (!isSame) insertNote(work, item.index, duplicateNote(text));
    const action = isSame ? "dropped the repetition" : "kept as a note";
    work.repairs.push({ index: item.index, kind: "duplicate_result", callId, action });
  }
}

function isCallersOutput(item: JsonObject): boolean {
  return item.type === "function_call_output" || item.type === "custom_tool_call_output";
}

function insertNote(work: Work, index: number, text: string): void {
  const item = { index, message: note(text) };
  if (work.flightStart < 0) work.out.push(item);
  else work.out.splice(work.flightStart++, 0, item);
}

/** Reasoning is refused without the item it was made for; at the very end that item may still come. */
function dropOrphanReasoning(items: readonly Item[], repairs: Repairs): readonly Item[] {
  const kept: Item[] = [];
  let next: Item | undefined;
  for (const item of items.toReversed()) {
    const isFollowed = next === undefined || viewResponsesItem(next.message).role === "assistant";
    if (item.message.type === "reasoning" && !isFollowed) {
      const action = "dropped: the item it was made for is gone";
      repairs.push({ index: item.index, kind: "orphan_reasoning", action });
      continue;
    }
    kept.push(item);
    next = item;
  }
  return kept.reverse();
}

// Mends the shape of one Responses item: messages, calls and outputs that the provider refuses. Knows nothing
// of pairs.

/** An item of legal shape, the same object if it was one; undefined when nothing of it is worth keeping. */
function cleanResponsesItem(item: unknown, index: number, repairs: Repairs): JsonObject | undefined {
  const wellFormed = toWellFormedValue(item);
  if (wellFormed !== item) {
    repairs.push({ index, kind: "invalid_text", action: "replaced half surrogate pairs by U+FFFD" });
    if (isObject(item) && isObject(wellFormed)) carryMarks(item, wellFormed);
  }
  const fault = itemFault(wellFormed);
  if (fault === undefined && isObject(wellFormed)) return wellFormed;
  if (isObject(wellFormed) && isMessageItem(wellFormed) && fault !== "unknown-role") {
    return cleanMessage(wellFormed, index, repairs);
  }
  if (isObject(wellFormed) && isOutputItem(wellFormed)) return cleanOutput(wellFormed, index, repairs);
  if (isObject(wellFormed) && wellFormed.type === "reasoning") {
    repairs.push({ index, kind: "invalid_message", action: "gave the reasoning an empty summary" });
    return copyWith(wellFormed, { summary: [] });
  }
  repairs.push({ index, kind: "invalid_message", action: "kept as a note" });
  const content = [{ type: "input_text", text: unreadableNote(toJson(wellFormed)) }];
  return markHostWritten({ type: "message", role: "user", content });
}

function cleanMessage(item: JsonObject, index: number, repairs: Repairs): JsonObject | undefined {
  const { content } = item;
  const isNothing = content === undefined || content === null;
  const whole = Array.isArray(content) ? content.filter(isContentPart) : [];
  if (isNothing || (Array.isArray(content) && whole.length === 0)) {
    repairs.push({ index, kind: "empty_message", action: "dropped: it had no content" });
    return undefined;
  }
  repairs.push({ index, kind: "invalid_message", action: "left out what is no content part, or wrote it as text" });
  return copyWith(item, { content: whole.length > 0 ? whole : toJson(content) });
}

/** An output without a call id stays as it is: it is an orphan, and pairing makes a note of it. */
function cleanOutput(item: JsonObject, index: number, repairs: Repairs): JsonObject {
  const { output } = item;
  if (!isFilledText(item.call_id) && (typeof output === "string" || Array.isArray(output))) return item;
  const isNothing = output === undefined || output === null;
  repairs.push({
    index,
    kind: "empty_message",
    action: isNothing ? "gave it an empty text" : "wrote the output as text",
  });
  if (typeof output === "string" || Array.isArray(output)) return item;
  return copyWith(item, { output: isNothing ? "" : toJson(output) });
}

// Makes a damaged Responses list valid: each call has one output after it, orphans become notes, reasoning
// without its item goes. Shapes are mended first.
import { asText, isFilledText, isObject, type JsonObject, toJson } from "../../text/json-values.ts";
import type { Healed } from "../format.ts";
import { carryMarks, copyWith, markHostWritten } from "../message-marks.ts";
import {
  type Entry,
  MISSING_RESULT,
  type PairRepair,
  RepairedList,
  type Repairs,
  repairList,
  unreadableNote,
} from "../repair.ts";
import type { PairedCall } from "../units.ts";
import {
  goesOnFromServer,
  isCallItem,
  isContentPart,
  isMessageItem,
  isOutputItem,
  itemFault,
  startOfFlight,
  viewResponsesItem,
} from "./items.ts";

/** Repairs a list; see `Format.heal`. */
export function repairResponses(items: readonly unknown[]): Healed {
  return repairList(items, {
    clean: cleanResponsesItem,
    view: viewResponsesItem,
    clashes: (call, { results: [first] }) => first === undefined || first.index > call.index,
    arrange: (pairs) => dropOrphanReasoning(arrange(pairs), pairs.repairs).map(({ message }) => message),
  });
}

function note(text: string): JsonObject {
  return markHostWritten({ type: "message", role: "user", content: [{ type: "input_text", text }] });
}

function arrange(pairs: PairRepair): readonly Entry[] {
  const { entries, views, pairing } = pairs;
  /** Calls before it that have no output are dead. */
  const flightFrom = startOfFlight(entries.map(({ message }) => message));
  const out = new RepairedList<Entry>();
  /** Calls that only the server has, as far as their outputs were met; undefined where it has none. */
  const held = goesOnFromServer(entries.map(({ message }) => message)) ? new Set<string>() : undefined;
  /** Outputs owed to dead calls of the current step, to be put after it: an output ends a step. */
  let owed: Entry[] = [];
  let stepStart = 0;
  const payOwed = () => {
    for (const item of owed) out.items.push(item);
    owed = [];
  };
  for (const [at, entry] of entries.entries()) {
    const isStepItem = views[at]?.role === "assistant";
    if (!isStepItem) payOwed();
    if (isStepItem && views[at - 1]?.role !== "assistant") stepStart = out.items.length;
    if (isOutputItem(entry.message)) {
      placeOutput(pairs, at, held, out);
      continue;
    }
    const [call] = pairing.callsAt(at);
    const item = renamed(pairs, entry, call);
    const isUnanswered = call?.results.length === 0 && isCallItem(item.message);
    if (!isUnanswered || at >= flightFrom) {
      if (isUnanswered) out.beginFlight(stepStart);
      out.items.push(item);
    } else {
      const [kept, ...answer] = answerDeadCall(pairs, item, call);
      out.items.push(kept);
      owed.push(...answer);
    }
  }
  payOwed();
  return out.items;
}

function renamed(pairs: PairRepair, entry: Entry, call: PairedCall | undefined): Entry {
  const message = pairs.renameCall(call, entry.message, "call_id");
  return message === entry.message ? entry : { ...entry, message: carryMarks(entry.message, message) };
}

/** Calls of the caller's own tools get an output; no output can be made up for a call of a tool like a computer. */
function answerDeadCall(pairs: PairRepair, item: Entry, call: PairedCall): readonly [Entry, ...Entry[]] {
  const type = asText(item.message.type);
  const { index } = item;
  const canAnswer = type === "function_call" || type === "custom_tool_call";
  const action = canAnswer ? "added an output that says that none was recorded" : "kept as a note";
  const id = pairs.newId(call) ?? call.callId;
  pairs.report(call.index, "dead_call", action, id);
  if (canAnswer) return [item, { index, message: { type: `${type}_output`, call_id: id, output: MISSING_RESULT } }];
  const content = [{ type: "output_text", text: unreadableNote(item.message) }];
  return [{ index, message: { type: "message", role: "assistant", content } }];
}

function placeOutput(pairs: PairRepair, at: number, held: Set<string> | undefined, out: RepairedList<Entry>): void {
  const entry = pairs.entries[at] as Entry;
  const [result] = pairs.pairing.resultsAt(at);
  const id = pairs.newId(result?.call);
  const isFirst = result !== undefined && result.call?.results[0] === result;
  const isHeld = result !== undefined && result.callId !== "" && held?.has(result.callId) === false;
  if (isHeld) held?.add(result.callId);
  // Outputs of server tools stand for themselves.
  if (result === undefined || isHeld) {
    out.items.push(entry);
  } else if (isFirst) {
    out.items.push(id === undefined ? entry : { ...entry, message: copyWith(entry.message, { call_id: id }) });
  } else {
    const text = pairs.noteFor(result);
    if (text !== undefined) out.addNote({ index: entry.index, message: note(text) });
  }
}

/** Reasoning is refused without the item it was made for; at the very end that item may still come. */
function dropOrphanReasoning(items: readonly Entry[], repairs: Repairs): readonly Entry[] {
  const kept: Entry[] = [];
  let next: Entry | undefined;
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

function cleanResponsesItem(item: unknown, index: number, repairs: Repairs): JsonObject | undefined {
  const fault = itemFault(item);
  if (isObject(item)) {
    if (fault === undefined) return item;
    if (isMessageItem(item) && fault !== "unknown-role") return cleanMessage(item, index, repairs);
    if (isOutputItem(item)) return cleanOutput(item, index, repairs);
    if (item.type === "reasoning") {
      repairs.push({ index, kind: "invalid_message", action: "gave the reasoning an empty summary" });
      return copyWith(item, { summary: [] });
    }
  }
  repairs.push({ index, kind: "invalid_message", action: "kept as a note" });
  return note(unreadableNote(item));
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

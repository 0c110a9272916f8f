// What the repairs of all providers share: the frame, the pairs of calls and results, and the notes that are put in. What
// could not stay in its own shape is kept as a labelled note, so that no content is lost and nobody takes it for a
// person's words.
import { isObject, type JsonObject, toJson } from "../text/json-values.ts";
import { isWellFormedValue, toWellFormedValue } from "../text/well-formed.ts";
import type { Healed, MessageView, Repair, Violation } from "./format.ts";
import { carryMarks } from "./message-marks.ts";
import { FreeNames } from "./names.ts";
import { type PairedCall, type PairedResult, type Pairing, pairCalls } from "./units.ts";

export const MISSING_RESULT = "No result was recorded for this call.";

/** Every repair made so far, in the order they were found. */
export type Repairs = Repair[];

export function orphanNote(text: string): string {
  return `[Note: a tool result whose call is not in this conversation]\n${text}`;
}

function duplicateNote(text: string): string {
  return `[Note: another, later result of a tool call that already had one]\n${text}`;
}

export function unreadableNote(message: unknown): string {
  return `[Note: a message the provider would refuse in its own form]\n${toJson(message)}`;
}

/** A message after cleaning, with its index in the input. */
export interface Entry {
  readonly index: number;
  readonly message: JsonObject;
}

/** What a provider's repair consists of. */
interface RepairSteps {
  /** A message of legal shape, the same object if it was one; undefined when nothing of it is worth keeping. */
  clean(message: unknown, index: number, repairs: Repairs): JsonObject | undefined;
  view(message: unknown): MessageView;
  /** Whether two calls of one id clash; `earlier` is the last one before that kept the id. */
  clashes(call: PairedCall, earlier: PairedCall): boolean;
  /** Puts calls and results together. */
  arrange(pairs: PairRepair): readonly JsonObject[];
}

/** The frame of `Format.heal`. `given`: the messages as they are to be cleaned. */
export function repairList(
  messages: readonly unknown[],
  { clean, view, clashes, arrange }: RepairSteps,
  repairs: Repairs = [],
  given: readonly unknown[] = messages,
): Healed {
  const entries = given.flatMap((message, index): Entry[] => {
    const cleaned = clean(wellFormed(message, index, repairs), index, repairs);
    return cleaned === undefined ? [] : [{ index, message: cleaned }];
  });
  const views = entries.map(({ message }) => view(message));
  const repaired = arrange(new PairRepair(entries, views, repairs, clashes));
  return { messages: repairs.length === 0 ? messages : repaired, repairs };
}

function wellFormed(message: unknown, index: number, repairs: Repairs): unknown {
  const mended = toWellFormedValue(message);
  if (mended === message) return message;
  repairs.push({ index, kind: "invalid_text", action: "replaced half surrogate pairs by U+FFFD" });
  return isObject(message) && isObject(mended) ? carryMarks(message, mended) : mended;
}

/** The calls and results of a cleaned list, and what is to be done about them. `at` is a position in that list. */
export class PairRepair {
  readonly pairing: Pairing;
  readonly entries: readonly Entry[];
  readonly views: readonly MessageView[];
  readonly repairs: Repairs;
  readonly #renamed: ReadonlyMap<PairedCall, string>;

  constructor(
    entries: readonly Entry[],
    views: readonly MessageView[],
    repairs: Repairs,
    clashes: RepairSteps["clashes"],
  ) {
    this.entries = entries;
    this.views = views;
    this.repairs = repairs;
    this.pairing = pairCalls(views);
    this.#renamed = renameClashes(this.pairing, clashes);
  }

  report(at: number, kind: Repair["kind"], action: string, callId: string): void {
    this.repairs.push({ index: this.entries[at]?.index ?? at, kind, callId, action });
  }

  /** The id that a call was given because its own clashed. */
  newId(call: PairedCall | undefined): string | undefined {
    return call === undefined ? undefined : this.#renamed.get(call);
  }

  /** A call under the id that it has now. */
  renameCall(call: PairedCall | undefined, block: JsonObject, field: string): JsonObject {
    const id = this.newId(call);
    if (call === undefined || id === undefined) return block;
    this.report(call.index, "duplicate_call", "gave the second call under this id an id of its own", call.callId);
    return { ...block, [field]: id };
  }

  /** The ids of the calls of a message that have no result, to be answered by one that says so. */
  deadCalls(at: number, isDue: (call: PairedCall) => boolean = () => true): readonly string[] {
    const dead = this.pairing.callsAt(at).filter((call) => call.results.length === 0 && isDue(call));
    return dead.map((call) => {
      this.report(at, "dead_call", "added a result that says that none was recorded", call.callId);
      return this.newId(call) ?? call.callId;
    });
  }

  /** The note in the place of a result; undefined where it goes with its call, or says again what the first one said. */
  noteFor(result: PairedResult, isInPlace = true, named = result.callId): string | undefined {
    const { call, callId, text, index: at } = result;
    if (call === undefined) {
      this.report(at, "orphan_result", "kept as a note", named);
      return orphanNote(text);
    }
    const [first] = call.results;
    if (first === result) {
      if (!isInPlace) this.report(at, "displaced_result", "moved to its call", callId);
      return undefined;
    }
    const isSame = first?.text === text;
    this.report(at, "duplicate_result", isSame ? "dropped the repetition" : "kept as a note", callId);
    return isSame ? undefined : duplicateNote(text);
  }
}

/** What is put out, in order. A note may not part a step in flight from the results still to come: it goes before it. */
export class RepairedList<Item> {
  readonly items: Item[] = [];
  #flight = -1;

  /** The step in flight begins here. */
  beginFlight(at = this.items.length): void {
    if (this.#flight < 0) this.#flight = at;
  }

  addNote(note: Item): void {
    if (this.#flight < 0) this.items.push(note);
    else this.items.splice(this.#flight++, 0, note);
  }
}

// Gives a call whose id clashes with that of an earlier call an id of its own. Providers differ in when equal
// ids clash, so each healer says it.

/** The new id of each call that clashes. `clashes` is asked with the last call before it that kept the same id. */
export function renameClashes(
  pairing: Pairing,
  clashes: (call: PairedCall, earlier: PairedCall) => boolean,
): ReadonlyMap<PairedCall, string> {
  const renamed = new Map<PairedCall, string>();
  const holders = new Map<string, PairedCall>();
  const names = new FreeNames(pairing.calls.map((call) => call.callId));
  for (const call of pairing.calls) {
    const earlier = holders.get(call.callId);
    if (earlier !== undefined && clashes(call, earlier)) renamed.set(call, names.take(call.callId));
    else holders.set(call.callId, call);
  }
  return renamed;
}

// Collects violations, and holds the rules that do not depend on a provider.

/** A list of violations that is written as it is found. */
export class Violations {
  readonly list: Violation[] = [];

  add(index: number, rule: string, message: string): void {
    this.list.push({ index, rule, message });
  }
}

/** An empty list is refused everywhere, and so is text that is not well-formed. */
export function checkEveryMessage(messages: readonly unknown[], found: Violations): void {
  if (messages.length === 0) found.add(0, "empty-list", "the list holds no message");
  for (const [index, message] of messages.entries()) {
    if (!isWellFormedValue(message)) found.add(index, "invalid-text", "a string holds half a surrogate pair");
  }
}

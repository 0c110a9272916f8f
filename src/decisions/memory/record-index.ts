// What a log holds in memory: records and what cycles keep beside them.
import { CompactError } from "../../errors.ts";
import { compareTexts } from "../../text/words.ts";
import type { Level, RecordFault, StoredDecision } from "../decision.ts";
import type { CycleRun, DecisionText, Position } from "../decision-log.ts";
import type { ReadDecision } from "../read-decision.ts";

// Records as they were read, under the places they stand at: which of several with one id is served, which decision took
// whose place, and what is not served as it should be. Knows nothing of files, levels or questions.

export interface RecordIndex {
  /** With its supersession resolved across all records. */
  get(id: string): StoredDecision | undefined;
  /** Where the served record of an id stands. */
  placeOf(id: string): string | undefined;
  /** Sorted. */
  ids(): readonly string[];
  /** In the order of decision logs, resolved. */
  decisions(): readonly StoredDecision[];
  /** Sorted by id. */
  faults(): readonly RecordFault[];
  /** Undefined removes what stands there. */
  put(place: string, read: ReadDecision | undefined): void;
}

export function createRecordIndex(undoList: Pick<UndoList, "note">): RecordIndex {
  const records = new Map<string, ReadDecision>();
  const places = createPlaces();
  const claims = createClaims();
  let made: { ids?: readonly string[]; decisions?: readonly StoredDecision[]; faults?: readonly RecordFault[] } = {};

  const servedAt = (id: string) => {
    const place = places.first(id);
    return place === undefined ? undefined : records.get(place)?.decision;
  };
  const get = (id: string) => {
    const decision = servedAt(id);
    return decision === undefined ? undefined : claims.resolve(decision);
  };
  const set = (place: string, read: ReadDecision | undefined) => {
    const ids = new Set([records.get(place)?.decision?.id, read?.decision?.id].filter((id) => id !== undefined));
    for (const id of ids) claims.withdraw(servedAt(id));
    places.remove(records.get(place)?.decision?.id, place);
    if (read === undefined) records.delete(place);
    else records.set(place, read);
    places.add(read?.decision?.id, place);
    for (const id of ids) claims.make(servedAt(id));
    made = {};
  };
  const findFaults = () => {
    const all = [...records].flatMap(([place, { decision, faults }]): readonly RecordFault[] => {
      const isServed = decision === undefined || places.first(decision.id) === place;
      return isServed ? faults : [duplicate(decision.id, place)];
    });
    return all.sort((a, b) => compareTexts(a.id, b.id) || compareTexts(a.message, b.message));
  };

  return {
    get,
    placeOf: places.first,
    ids: () => (made.ids ??= places.ids().sort(compareTexts)),
    decisions: () =>
      (made.decisions ??= places
        .ids()
        .flatMap((id) => get(id) ?? [])
        .sort(comparePositions)),
    faults: () => (made.faults ??= findFaults()),
    put(place, read) {
      const before = records.get(place);
      undoList.note(() => set(place, before));
      set(place, read);
    },
  };
}

/** Which places hold an id; the one that sorts first is served. */
function createPlaces() {
  const byId = new Map<string, string[]>();
  return {
    ids: () => [...byId.keys()],
    first: (id: string) => byId.get(id)?.[0],
    add(id: string | undefined, place: string) {
      if (id === undefined) return;
      byId.set(id, [...(byId.get(id) ?? []), place].sort(compareTexts));
    },
    remove(id: string | undefined, place: string) {
      if (id === undefined) return;
      const left = byId.get(id)?.filter((other) => other !== place) ?? [];
      if (left.length === 0) byId.delete(id);
      else byId.set(id, left);
    },
  };
}

/** Who claims to have taken the place of whom, whichever of the two came first. */
function createClaims() {
  const claimants = new Map<string, Set<string>>();
  const resolved = new WeakMap<StoredDecision, StoredDecision>();
  return {
    make(decision: StoredDecision | undefined) {
      for (const id of decision?.supersedes ?? []) {
        claimants.set(id, (claimants.get(id) ?? new Set()).add(decision?.id ?? ""));
      }
    },
    withdraw(decision: StoredDecision | undefined) {
      for (const id of decision?.supersedes ?? []) {
        const known = claimants.get(id);
        known?.delete(decision?.id ?? "");
        if (known?.size === 0) claimants.delete(id);
      }
    },
    /** What the record names goes first; of several claimants the one that sorts first. */
    resolve(decision: StoredDecision): StoredDecision {
      const known = claimants.get(decision.id);
      if (known === undefined || (decision.supersededBy ?? "") !== "") return decision;
      const supersededBy = [...known].sort(compareTexts)[0] ?? "";
      const before = resolved.get(decision);
      if (before?.supersededBy === supersededBy) return before;
      const now = { ...decision, supersededBy };
      resolved.set(decision, now);
      return now;
    },
  };
}

function duplicate(id: string, place: string): RecordFault {
  return { id, code: "DUPLICATE_ID", message: `${place} has the id of a record that comes before it.` };
}

// What a log keeps beside its records: levels of the last cycle, texts, runs and small values. None of it is a record, and
// all of it can be made again.

export interface CycleContent {
  readonly levels?: ReadonlyMap<string, Level>;
  /** By the id of their decision. */
  readonly texts?: ReadonlyMap<string, readonly DecisionText[]>;
  /** As they were added. */
  readonly runs?: readonly CycleRun[];
  readonly state?: ReadonlyMap<string, unknown>;
}

export type CycleSection = keyof CycleContent;

export interface CycleData extends Required<CycleContent> {
  setLevel(id: string, level: Level): void;
  setTexts(id: string, texts: readonly DecisionText[]): void;
  addRun(run: CycleRun): void;
  /** Undefined removes it. */
  setState(key: string, value: unknown): void;
  /** Puts other content in the place of all there is of these parts; not undone. */
  load(content: CycleContent): void;
}

/** `changed` is told of each part that is set, not of what is loaded. */
export function createCycleData(
  { note }: Pick<UndoList, "note">,
  changed: (part: CycleSection) => void = () => {},
): CycleData {
  const levels = new Map<string, Level>();
  const texts = new Map<string, readonly DecisionText[]>();
  const state = new Map<string, unknown>();
  const runs: CycleRun[] = [];
  const put = <Value>(part: CycleSection, map: Map<string, Value>, key: string, value: Value | undefined) => {
    const before = map.get(key);
    note(() => set(map, key, before));
    set(map, key, value);
    changed(part);
  };
  return {
    levels,
    texts,
    runs,
    state,
    setLevel: (id, level) => put("levels", levels, id, level),
    setTexts: (id, written) => put("texts", texts, id, written.length === 0 ? undefined : written),
    setState: (key, value) => put("state", state, key, value),
    addRun(run) {
      note(() => runs.pop());
      runs.push(run);
      changed("runs");
    },
    load(content) {
      refill(levels, content.levels);
      refill(texts, content.texts);
      refill(state, content.state);
      if (content.runs !== undefined) runs.splice(0, runs.length, ...content.runs);
    },
  };
}

function set<Value>(map: Map<string, Value>, key: string, value: Value | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

function refill<Value>(map: Map<string, Value>, content: ReadonlyMap<string, Value> | undefined): void {
  if (content === undefined) return;
  map.clear();
  for (const [key, value] of content) map.set(key, value);
}

// The one order of decisions: latest decided first, those without a readable date last, equals by ascending id.

/** Below zero where `first` comes first. */
export function comparePositions(first: Position, second: Position): number {
  const [one, other] = [first.decidedAt ?? Number.NEGATIVE_INFINITY, second.decidedAt ?? Number.NEGATIVE_INFINITY];
  if (one !== other) return one > other ? -1 : 1;
  return compareTexts(first.id, second.id);
}

// Undoing a transaction: every change notes how it is taken back, so that one that fails leaves nothing.

export interface UndoList {
  /** Ignored outside a transaction, where a change is final at once. */
  note(undo: () => void): void;
  /** Undoes what `work` noted where it rejects. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** @throws StoreFailed (`TRANSACTION_OVER`) outside a transaction. */
  check(): void;
}

export function createUndoList(): UndoList {
  let steps: (() => void)[] | undefined;
  return {
    note: (undo) => steps?.push(undo),
    async run(work) {
      const noted: (() => void)[] = [];
      steps = noted;
      try {
        return await work();
      } catch (error) {
        steps = undefined;
        for (const undo of noted.reverse()) undo();
        throw error;
      } finally {
        steps = undefined;
      }
    },
    check() {
      if (steps !== undefined) return;
      throw new CompactError("StoreFailed", "the transaction of this writer is over", {
        code: "TRANSACTION_OVER",
        hint: "Await every call inside the function that write() runs.",
      });
    },
  };
}

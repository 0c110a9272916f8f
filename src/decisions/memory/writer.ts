// Writes to an index of records and what is kept beside it. Where records stand and how they are stored is given: a folder
// stages files with it.
import { CompactError } from "../../errors.ts";
import type { RawDecision, StoredDecision } from "../decision.ts";
import type { DecisionReader, DecisionText, DecisionWriter } from "../decision-log.ts";
import { type ReadDecision, type RecordPlace, readDecision } from "../read-decision.ts";
import type { CycleData, RecordIndex } from "./record-index.ts";
import type { Journal } from "./transactions.ts";

/**
 * Where a log puts its records. Each returns the record as it will be read back, or throws. At once: between looking and
 * putting no other call of the same transaction may come.
 */
export interface RecordStore {
  add(raw: RawDecision, id: string): StoredRecord;
  change(place: string, changes: RawDecision): StoredRecord;
  replace(place: string, raw: RawDecision): StoredRecord;
}

export interface StoredRecord {
  readonly place: string;
  /** Where it stood before, if elsewhere. */
  readonly left?: string;
  readonly read: ReadDecision;
}

export function createIndexWriter(
  reader: DecisionReader,
  index: RecordIndex,
  kept: CycleData,
  journal: Journal,
  store: RecordStore,
): DecisionWriter {
  const put = ({ place, left, read }: StoredRecord, id: string): StoredDecision => {
    const { decision } = read;
    if (decision === undefined || decision.id !== id) throw unreadable(read);
    if (left !== undefined) index.put(left, undefined);
    index.put(place, read);
    return index.get(id) ?? decision;
  };
  const placeOf = (id: string) => {
    const place = index.placeOf(id);
    if (place === undefined) throw unknown(id);
    return place;
  };
  return {
    ...reader,
    async add(raw) {
      journal.check();
      const { id } = checkRecord(raw);
      if (index.get(id) !== undefined) throw exists(id);
      return put(store.add(raw, id), id);
    },
    async change(id, changes) {
      journal.check();
      return put(store.change(placeOf(id), changes), id);
    },
    async replace(raw) {
      journal.check();
      const { id } = checkRecord(raw);
      return put(store.replace(placeOf(id), raw), id);
    },
    async setLevels(levels) {
      journal.check();
      for (const { id, level } of levels) kept.setLevel(id, level);
    },
    async putTexts(texts) {
      journal.check();
      for (const text of texts) putText(index, kept, text);
    },
    async addRun(run) {
      journal.check();
      kept.addRun(structuredClone(run));
    },
    async setState(key, value) {
      journal.check();
      kept.setState(key, structuredClone(value));
    },
  };
}

/** @throws InvalidInput for a record that could not be read back. */
export function checkRecord(raw: unknown, place: RecordPlace = { name: "the record" }): StoredDecision {
  const read = readDecision(raw, place);
  if (read.decision === undefined) throw unreadable(read);
  return read.decision;
}

function putText(index: RecordIndex, kept: CycleData, text: DecisionText): void {
  const hash = index.get(text.id)?.hash;
  const others = kept.texts.get(text.id) ?? [];
  const left = others.filter((other) => other.hash === hash && !(text.hash === hash && isOfSameKind(other, text)));
  kept.setTexts(text.id, text.hash === hash ? [...left, { ...text }] : left);
}

function isOfSameKind(one: DecisionText, other: DecisionText): boolean {
  return one.level === other.level && one.strategy === other.strategy && one.model === other.model;
}

function unreadable({ decision, faults }: ReadDecision): CompactError {
  const why = decision === undefined ? (faults[0]?.message ?? "") : "A change may not give a record another id.";
  return new CompactError("InvalidInput", `Nothing was changed: the record could not be read back. ${why}`.trim(), {
    code: "UNREADABLE_RECORD",
    hint: "A record is a map with an id and a text, under decision or summary.",
  });
}

function exists(id: string): CompactError {
  return new CompactError("Conflict", `Nothing was changed: decision ${id.slice(0, 200)} exists already.`, {
    code: "DECISION_EXISTS",
    hint: "Take another id, or review the decision that has it.",
    data: { id },
  });
}

function unknown(id: string): CompactError {
  return new CompactError("NotFound", `Nothing was changed: decision ${id.slice(0, 200)} is not in the log.`, {
    code: "UNKNOWN_DECISION",
    hint: "List the decisions and take an id from there.",
    data: { id },
  });
}

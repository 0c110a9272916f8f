// Writes to an index of records and what is kept beside it. Where records stand and how they are stored is given: a folder
// stages files with it.
import type { RawDecision, StoredDecision } from "../decision.ts";
import type { DecisionReader, DecisionText, DecisionWriter } from "../decision-log.ts";
import { type ReadDecision, readDecision } from "../read-decision.ts";
import { decisionExists, OTHER_ID, unknownDecision, unreadableRecord } from "../record-values.ts";
import type { CycleData, RecordIndex, UndoList } from "./record-index.ts";

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
  undoList: UndoList,
  store: RecordStore,
): DecisionWriter {
  const put = ({ place, left, read }: StoredRecord, id: string): StoredDecision => {
    const { decision, faults } = read;
    if (decision === undefined) throw unreadableRecord(faults[0]?.message);
    if (decision.id !== id) throw unreadableRecord(OTHER_ID);
    if (left !== undefined) index.put(left, undefined);
    index.put(place, read);
    return index.get(id) ?? decision;
  };
  const placeOf = (id: string) => {
    const place = index.placeOf(id);
    if (place === undefined) throw unknownDecision(id);
    return place;
  };
  return {
    ...reader,
    async add(raw) {
      undoList.check();
      const { id } = checkRecord(raw);
      if (index.get(id) !== undefined) throw decisionExists(id);
      return put(store.add(raw, id), id);
    },
    async change(id, changes) {
      undoList.check();
      return put(store.change(placeOf(id), changes), id);
    },
    async replace(raw) {
      undoList.check();
      const { id } = checkRecord(raw);
      return put(store.replace(placeOf(id), raw), id);
    },
    async setLevels(levels) {
      undoList.check();
      for (const { id, level } of levels) kept.setLevel(id, level);
    },
    async putTexts(texts) {
      undoList.check();
      for (const text of texts) putText(index, kept, text);
    },
    async addRun(run) {
      undoList.check();
      kept.addRun(structuredClone(run));
    },
    async setState(key, value) {
      undoList.check();
      kept.setState(key, structuredClone(value));
    },
  };
}

/** @throws InvalidInput for a record that could not be read back. */
export function checkRecord(raw: unknown): StoredDecision {
  const { decision, faults } = readDecision(raw, { name: "the record" });
  if (decision === undefined) throw unreadableRecord(faults[0]?.message);
  return decision;
}

function putText(index: RecordIndex, kept: CycleData, text: DecisionText): void {
  const hash = index.get(text.id)?.hash;
  const others = kept.texts.get(text.id) ?? [];
  const isNew = ({ level, strategy, model }: DecisionText) =>
    text.hash === hash && text.level === level && text.strategy === strategy && text.model === model;
  const left = others.filter((other) => other.hash === hash && !isNew(other));
  kept.setTexts(text.id, text.hash === hash ? [...left, { ...text }] : left);
}

// The records of a decision log in memory, with their transactions: what memory-decision-log.ts takes its turns on.
import type { RawDecision } from "../decision.ts";
import type { DecisionLog } from "../decision-log.ts";
import { readDecision } from "../read-decision.ts";
import { checkChangedSize, checkSize, copiedRecord } from "../record-values.ts";
import { createIndexReader } from "./reader.ts";
import { createCycleData, createRecordIndex, type RecordIndex } from "./record-index.ts";
import { createJournal } from "./transactions.ts";
import { createIndexWriter, type RecordStore } from "./writer.ts";

export type Records = Pick<DecisionLog, "read" | "write">;

export function openRecords(): Records {
  const journal = createJournal();
  const index = createRecordIndex(journal);
  const kept = createCycleData(journal);
  const reader = createIndexReader(index, kept);
  const writer = createIndexWriter(reader, index, kept, journal, recordStore(index));
  return {
    read: (work) => work(reader),
    async write(work) {
      journal.begin();
      try {
        const result = await work(writer);
        journal.commit();
        return result;
      } catch (error) {
        journal.rollback();
        throw error;
      }
    },
  };
}

/** A record stands under its own id. */
function recordStore(index: RecordIndex): RecordStore {
  const stored = (place: string, raw: RawDecision) => ({
    place,
    read: readDecision(copiedRecord(raw), { name: place }),
  });
  return {
    add(raw, id) {
      checkSize(raw);
      return stored(id, raw);
    },
    change(place, changes) {
      const before = index.get(place)?.raw ?? {};
      const after = { ...before, ...changes };
      checkChangedSize(before, changes, after);
      return stored(place, after);
    },
    replace(place, raw) {
      checkSize(raw);
      return stored(place, raw);
    },
  };
}

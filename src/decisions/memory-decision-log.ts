// A decision log in memory, for browsers, workers and tests: the same contract as a database, gone with the process.
// Transactions run one after another, so each sees one state and none sees another's unfinished work.
import type { RawDecision } from "./decision.ts";
import type { DecisionLog } from "./decision-log.ts";
import { copiedRecord } from "./memory/copied-record.ts";
import { createJournal } from "./memory/journal.ts";
import { createKept } from "./memory/kept.ts";
import { createIndexReader } from "./memory/reader.ts";
import { createRecordIndex, type RecordIndex } from "./memory/record-index.ts";
import { createTurns } from "./memory/turns.ts";
import { createIndexWriter, type RecordStore } from "./memory/writer.ts";
import { readDecision } from "./reading/read-decision.ts";
import { checkChangedSize, checkSize } from "./reading/record-size.ts";

export function createMemoryDecisionLog(): DecisionLog {
  const journal = createJournal();
  const index = createRecordIndex(journal);
  const kept = createKept(journal);
  const reader = createIndexReader(index, kept);
  const writer = createIndexWriter(reader, index, kept, journal, recordStore(index));
  const turns = createTurns();
  return {
    adapter: "memory",
    location: "memory",
    read: (work) => turns.take(() => work(reader)),
    write: (work) =>
      turns.take(async () => {
        journal.begin();
        try {
          const result = await work(writer);
          journal.commit();
          return result;
        } catch (error) {
          journal.rollback();
          throw error;
        }
      }),
    close: turns.close,
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

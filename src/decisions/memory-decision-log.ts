// A decision log in memory, for browsers, workers and tests: the same contract as a database, gone with the process.
// Transactions run one after another, so each sees one state and none sees another's unfinished work.
import type { RawDecision } from "./decision.ts";
import type { DecisionLog } from "./decision-log.ts";
import { createIndexReader } from "./memory/reader.ts";
import { createCycleData, createRecordIndex } from "./memory/record-index.ts";
import { createJournal, createTransactionQueue } from "./memory/transactions.ts";
import { createIndexWriter } from "./memory/writer.ts";
import { readDecision } from "./read-decision.ts";
import { changedRecordJson, recordJson } from "./record-values.ts";

export function createMemoryDecisionLog(): DecisionLog {
  const journal = createJournal();
  const index = createRecordIndex(journal);
  const kept = createCycleData(journal);
  const reader = createIndexReader(index, kept);
  /** A record stands under its own id. */
  const stored = (place: string, json: string) => ({ place, read: readDecision(JSON.parse(json), { name: place }) });
  const writer = createIndexWriter(reader, index, kept, journal, {
    add: (raw: RawDecision, id) => stored(id, recordJson(raw)),
    change: (place, changes) => stored(place, changedRecordJson(index.get(place)?.raw ?? {}, changes)),
    replace: (place, raw) => stored(place, recordJson(raw)),
  });
  const turns = createTransactionQueue();
  return {
    adapter: "memory",
    location: "memory",
    read: (work) => turns.take(() => work(reader)),
    write: (work) => turns.take(() => journal.run(() => work(writer))),
    close: turns.close,
  };
}

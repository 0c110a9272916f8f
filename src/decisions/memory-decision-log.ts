// A decision log in memory, for browsers, workers and tests: the same contract as a database, gone with the process.
// Transactions run one after another, so each sees one state and none sees another's unfinished work.
import { createTransactionQueue } from "../engine/serial-queue.ts";
import type { RawDecision } from "./decision.ts";
import { type DecisionLog, logClosed } from "./decision-log.ts";
import { createIndexReader } from "./memory/reader.ts";
import { createCycleData, createRecordIndex, createUndoList } from "./memory/record-index.ts";
import { createIndexWriter } from "./memory/writer.ts";
import { readDecision } from "./read-decision.ts";
import { changedRecordJson, recordJson } from "./record-values.ts";

export function createMemoryDecisionLog(): DecisionLog {
  const undoList = createUndoList();
  const index = createRecordIndex(undoList);
  const kept = createCycleData(undoList);
  const reader = createIndexReader(index, kept);
  /** A record stands under its own id. */
  const stored = (place: string, json: string) => ({ place, read: readDecision(JSON.parse(json), { name: place }) });
  const writer = createIndexWriter(reader, index, kept, undoList, {
    add: (raw: RawDecision, id) => stored(id, recordJson(raw)),
    change: (place, changes) => stored(place, changedRecordJson(index.get(place)?.raw ?? {}, changes)),
    replace: (place, raw) => stored(place, recordJson(raw)),
  });
  const transactions = createTransactionQueue(logClosed);
  return {
    adapter: "memory",
    location: "memory",
    read: (work) => transactions.take(() => work(reader)),
    write: (work) => transactions.take(() => undoList.run(() => work(writer))),
    close: transactions.close,
  };
}

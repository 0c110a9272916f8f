// A decision log in memory, for browsers, workers and tests: the same contract as a database, gone with the process.
// Transactions run one after another, so each sees one state and none sees another's unfinished work.
import { lazy } from "../lazy.ts";
import type { DecisionLog } from "./decision-log.ts";
import { createTransactionQueue } from "./memory/transactions.ts";

export function createMemoryDecisionLog(): DecisionLog {
  const open = lazy(async () => (await import("./memory/open-records.ts")).openRecords());
  const turns = createTransactionQueue();
  return {
    adapter: "memory",
    location: "memory",
    read: (work) => turns.take(async () => (await open()).read(work)),
    write: (work) => turns.take(async () => (await open()).write(work)),
    close: turns.close,
  };
}

// The memory store in memory, for browsers, workers and tests: the same contract as a database, gone with the process.
// Transactions run one after another, so each sees one state and none sees another's unfinished work.
import { createTransactionQueue } from "../engine/serial-queue.ts";
import { CompactError } from "../errors.ts";
import { lazy } from "../lazy.ts";
import type { ObservationStore } from "./observation-store.ts";

export function createMemoryObservationStore(): ObservationStore {
  const open = lazy(async () => (await import("./memory/rows.ts")).openRows());
  const transactions = createTransactionQueue(closed);
  return {
    adapter: "memory",
    location: "memory",
    read: (work) => transactions.take(async () => (await open()).read(work)),
    write: (work) => transactions.take(async () => (await open()).write(work)),
    close: transactions.close,
  };
}

function closed(): CompactError {
  return new CompactError("StoreFailed", "the memory store is closed", {
    code: "STORE_CLOSED",
    hint: "Open a store again before reading or writing.",
  });
}

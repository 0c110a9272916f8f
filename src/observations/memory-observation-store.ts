// The memory store in memory, for browsers, workers and tests: the same contract as a database, gone with the process.
// Transactions run one after another, so each sees one state and none sees another's unfinished work.
import { CompactError } from "../errors.ts";
import { lazy } from "../lazy.ts";
import type { ObservationStore } from "./observation-store.ts";

export function createMemoryObservationStore(): ObservationStore {
  const open = lazy(async () => (await import("./memory/rows.ts")).openRows());
  let last: Promise<unknown> = Promise.resolve();
  let isOpen = true;

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(() => {
      if (!isOpen) throw closed();
      return work();
    });
    // A failed transaction is its caller's; the next one runs all the same.
    last = turn.catch(() => undefined);
    return turn;
  };

  return {
    adapter: "memory",
    location: "memory",
    read: (work) => inTurn(async () => (await open()).read(work)),
    write: (work) => inTurn(async () => (await open()).write(work)),
    async close() {
      await last;
      isOpen = false;
    },
  };
}

function closed(): CompactError {
  return new CompactError("StoreFailed", "the memory store is closed", {
    code: "STORE_CLOSED",
    hint: "Open a store again before reading or writing.",
  });
}

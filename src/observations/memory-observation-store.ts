// The memory store in memory, for browsers, workers and tests: the same contract as a database, gone with the process.
// Transactions run one after another, so each sees one state and none sees another's unfinished work.
import { CompactError } from "../errors.ts";
import { createReader } from "./memory/reader.ts";
import { createTables } from "./memory/tables.ts";
import { createWriter } from "./memory/writer.ts";
import type { ObservationStore } from "./observation-store.ts";

export function createMemoryObservationStore(): ObservationStore {
  const tables = createTables();
  const reader = createReader(tables);
  const writer = createWriter(tables, reader);
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
    read: (work) => inTurn(() => work(reader)),
    write: (work) =>
      inTurn(async () => {
        tables.begin();
        try {
          const result = await work(writer);
          tables.commit();
          return result;
        } catch (error) {
          tables.rollback();
          throw error;
        }
      }),
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

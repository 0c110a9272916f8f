// One transaction after another, in the order in which they were asked for, until the log is closed.
import { CompactError } from "../../errors.ts";

export interface Turns {
  /** @throws StoreFailed (`STORE_CLOSED`) once closed. */
  take<T>(work: () => Promise<T>): Promise<T>;
  /** After the last one that was asked for before. */
  close(): Promise<void>;
}

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  let isOpen = true;
  return {
    take<T>(work: () => Promise<T>): Promise<T> {
      const turn = last.then(() => {
        if (!isOpen) throw closed();
        return work();
      });
      // A failed transaction is its caller's; the next one runs all the same.
      last = turn.catch(() => undefined);
      return turn;
    },
    async close() {
      await last;
      isOpen = false;
    },
  };
}

function closed(): CompactError {
  return new CompactError("StoreFailed", "the decision log is closed", {
    code: "STORE_CLOSED",
    hint: "Open the log again before reading or writing.",
  });
}

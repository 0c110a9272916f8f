// Transactions in memory: one after another, in the order in which they were asked for, until the log is closed; and how one
// that fails is undone.
import { CompactError } from "../../errors.ts";

interface TransactionQueue {
  /** @throws StoreFailed (`STORE_CLOSED`) once closed. */
  take<T>(work: () => Promise<T>): Promise<T>;
  /** After the last one that was asked for before. */
  close(): Promise<void>;
}

export function createTransactionQueue(): TransactionQueue {
  let last: Promise<unknown> = Promise.resolve();
  let isOpen = true;
  return {
    take<T>(work: () => Promise<T>): Promise<T> {
      const turn = last.then(() => {
        if (isOpen) return work();
        throw new CompactError("StoreFailed", "the decision log is closed", {
          code: "STORE_CLOSED",
          hint: "Open the log again before reading or writing.",
        });
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

/** Every change of a transaction notes how it is undone, so that one that fails leaves nothing. */
export interface Journal {
  /** Forgotten outside a transaction: then a change stands at once. */
  note(undo: () => void): void;
  /** Undoes what `work` noted where it rejects. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** @throws StoreFailed (`TRANSACTION_OVER`) outside a transaction. */
  check(): void;
}

export function createJournal(): Journal {
  let steps: (() => void)[] | undefined;
  return {
    note: (undo) => steps?.push(undo),
    async run(work) {
      const noted: (() => void)[] = [];
      steps = noted;
      try {
        return await work();
      } catch (error) {
        steps = undefined;
        for (const undo of noted.reverse()) undo();
        throw error;
      } finally {
        steps = undefined;
      }
    },
    check() {
      if (steps !== undefined) return;
      throw new CompactError("StoreFailed", "the transaction of this writer is over", {
        code: "TRANSACTION_OVER",
        hint: "Await every call inside the function that write() runs.",
      });
    },
  };
}

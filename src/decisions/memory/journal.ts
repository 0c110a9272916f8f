// The way back of a transaction in memory: every change notes how it is undone, so that one that fails leaves nothing.
import { CompactError } from "../../errors.ts";

export interface Journal {
  /** Forgotten outside a transaction: then a change stands at once. */
  note(undo: () => void): void;
  begin(): void;
  commit(): void;
  rollback(): void;
  /** @throws StoreFailed (`TRANSACTION_OVER`) outside a transaction. */
  check(): void;
}

export function createJournal(): Journal {
  let steps: (() => void)[] | undefined;
  return {
    note: (undo) => steps?.push(undo),
    begin() {
      steps = [];
    },
    commit() {
      steps = undefined;
    },
    rollback() {
      const undone = steps ?? [];
      steps = undefined;
      for (const undo of undone.reverse()) undo();
    },
    check() {
      if (steps === undefined) throw transactionOver();
    },
  };
}

function transactionOver(): CompactError {
  return new CompactError("StoreFailed", "the transaction of this writer is over", {
    code: "TRANSACTION_OVER",
    hint: "Await every call inside the function that write() runs.",
  });
}

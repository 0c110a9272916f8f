// Undoing a transaction in memory: every change notes how it is taken back, so that one that fails leaves nothing.
import { CompactError } from "../../errors.ts";

export interface UndoList {
  /** Ignored outside a transaction, where a change is final at once. */
  note(undo: () => void): void;
  /** Undoes what `work` noted where it rejects. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** @throws StoreFailed (`TRANSACTION_OVER`) outside a transaction. */
  check(): void;
}

export function createUndoList(): UndoList {
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

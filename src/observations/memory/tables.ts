// The rows of the memory store and the way back: every change notes how it is undone, so that a failed transaction leaves
// nothing. What a row must be is writer.ts.
import { CompactError } from "../../errors.ts";
import type { Observation, Prompt, Relation, Session } from "../observation.ts";

export interface Table<Key, Row> {
  readonly size: number;
  get(key: Key): Row | undefined;
  values(): Iterable<Row>;
  put(key: Key, row: Row): void;
  /** False where there was none. */
  remove(key: Key): boolean;
}

export interface Tables {
  readonly sessions: Table<string, Session>;
  readonly observations: Table<number, Observation>;
  readonly prompts: Table<number, Prompt>;
  readonly relations: Table<number, Relation>;
  /** Ids of relations by what must be unique of them. */
  readonly relationIds: Table<string, number>;
  begin(): void;
  commit(): void;
  rollback(): void;
  /** An id that was never given before, or `wanted`; ids of transactions that failed are not given again. */
  takeId(table: "observations" | "prompts" | "relations", wanted?: number): number;
}

export function createTables(): Tables {
  let undo: (() => void)[] | undefined;
  const note = (step: () => void) => {
    if (undo === undefined) throw transactionOver();
    undo.push(step);
  };
  const lastIds = { observations: 0, prompts: 0, relations: 0 };
  return {
    sessions: createTable(note),
    observations: createTable(note),
    prompts: createTable(note),
    relations: createTable(note),
    relationIds: createTable(note),
    begin() {
      undo = [];
    },
    commit() {
      undo = undefined;
    },
    rollback() {
      for (const step of undo?.reverse() ?? []) step();
      undo = undefined;
    },
    takeId(table, wanted) {
      const id = wanted ?? lastIds[table] + 1;
      lastIds[table] = Math.max(lastIds[table], id);
      return id;
    },
  };
}

function createTable<Key, Row>(note: (step: () => void) => void): Table<Key, Row> {
  const rows = new Map<Key, Row>();
  const noteBefore = (key: Key) => {
    const before = rows.get(key);
    note(before === undefined ? () => rows.delete(key) : () => rows.set(key, before));
  };
  return {
    get size() {
      return rows.size;
    },
    get: (key) => rows.get(key),
    values: () => rows.values(),
    put(key, row) {
      noteBefore(key);
      rows.set(key, row);
    },
    remove(key) {
      if (rows.has(key)) noteBefore(key);
      return rows.delete(key);
    },
  };
}

function transactionOver(): CompactError {
  return new CompactError("StoreFailed", "nothing was written: the transaction is over", {
    code: "TRANSACTION_OVER",
    hint: "Wait for every write inside the function given to write().",
  });
}

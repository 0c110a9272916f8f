// The rows of the memory store and the way back: every change notes how it is undone, so that a failed transaction leaves
// nothing. What a row must be is checked by the writer below.
import { CompactError } from "../../errors.ts";
import { COLUMNS, type Observation, type Prompt, type Relation, type Rows, type Session } from "../observation.ts";
import type { ObservationReader, ObservationWriter } from "../observation-store.ts";

interface Table<Key, Row> {
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

// Changes rows under the rules that a database would enforce: sessions and both ends of a relation must exist, ids and
// relations are unique, removing a row removes its relations. Rows are frozen copies, so callers never share one.

export function createWriter(tables: Tables, reader: ObservationReader): ObservationWriter {
  const { observations, prompts, relations, relationIds, sessions } = tables;
  const needSession = (id: string, what: string) => {
    if (sessions.get(id) === undefined) throw missing(`${what} was not written: session "${id}" does not exist`);
  };
  const removeRelation = (id: number): boolean => {
    const relation = relations.get(id);
    if (relation !== undefined) relationIds.remove(relationKey(relation));
    return relations.remove(id);
  };
  return {
    ...reader,
    async addSession(session) {
      if (sessions.get(session.id) !== undefined) return false;
      sessions.put(session.id, frozenRow("sessions", session));
      return true;
    },
    async endSession(id, endedAt, summary) {
      const session = sessions.get(id);
      if (session !== undefined) sessions.put(id, frozenRow("sessions", { ...session, ended_at: endedAt, summary }));
      return session !== undefined;
    },
    async addObservation(row) {
      needSession(row.session_id, "the observation");
      if (row.id !== undefined && observations.get(row.id) !== undefined) throw taken(`observation ${row.id}`);
      const id = tables.takeId("observations", row.id);
      observations.put(id, frozenRow("observations", { ...row, id }));
      return id;
    },
    async changeObservations(ids, changes) {
      if (changes.session_id !== undefined) needSession(changes.session_id, "the change");
      const rows = [...new Set(ids)].flatMap((id) => observations.get(id) ?? []);
      for (const row of rows) observations.put(row.id, frozenRow("observations", { ...row, ...changes, id: row.id }));
      return rows.length;
    },
    async removeObservation(id) {
      for (const relation of await reader.relations([id])) removeRelation(relation.id);
      return observations.remove(id);
    },
    async addPrompt(prompt) {
      needSession(prompt.session_id, "the prompt");
      if (prompt.id !== undefined && prompts.get(prompt.id) !== undefined) throw taken(`prompt ${prompt.id}`);
      const id = tables.takeId("prompts", prompt.id);
      prompts.put(id, frozenRow("prompts", { ...prompt, id }));
      return id;
    },
    async addRelation(relation) {
      for (const end of [relation.from_id, relation.to_id])
        if (observations.get(end) === undefined)
          throw missing(`the relation was not written: observation ${end} does not exist`);
      if (relationIds.get(relationKey(relation)) !== undefined) return undefined;
      const id = tables.takeId("relations");
      relations.put(id, frozenRow("relations", { ...relation, id }));
      relationIds.put(relationKey(relation), id);
      return id;
    },
    removeRelation: async (id) => removeRelation(id),
  };
}

function relationKey({ from_id, to_id, type }: Omit<Relation, "id">): string {
  return `${from_id} ${to_id} ${type}`;
}

function missing(message: string): CompactError {
  return new CompactError("StoreFailed", message, { code: "MISSING_REFERENCE", hint: "Write that row first." });
}

function taken(what: string): CompactError {
  return new CompactError("StoreFailed", `${what} was not written: its id is taken`, {
    code: "ID_TAKEN",
    hint: "Leave the id out to get a new one.",
  });
}

function frozenRow<Table extends keyof Rows>(table: Table, row: Rows[Table]): Rows[Table] {
  const values: Record<string, unknown> = {};
  for (const column of Object.keys(COLUMNS[table])) values[column] = row[column as keyof Rows[Table]];
  Object.freeze(values);
  return values as unknown as Rows[Table];
}

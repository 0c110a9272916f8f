// Changes rows inside one transaction. What the database's rules would refuse is asked before, so that the error can
// name the row; the rest of its rules, triggers of other programs included, it enforces itself.
import { CompactError } from "../../errors.ts";
import type { SqlValue } from "../../storage/sqlite/driver.ts";
import type { Sql } from "../../storage/sqlite/transactions.ts";
import { COLUMNS, type Rows } from "../observation.ts";
import type { ObservationReader, ObservationWriter } from "../observation-store.ts";
import { idList, LISTED, TABLES } from "./rows.ts";
import type { StoreShape } from "./schema.ts";

type Values = Readonly<Record<string, SqlValue>>;

export function createWriter(sql: Sql, shape: StoreShape, reader: ObservationReader): ObservationWriter {
  const exists = (table: string, id: string | number) =>
    sql.get(`SELECT 1 FROM ${table} WHERE id = ?`, id) !== undefined;
  const needSession = (id: string, what: string) => {
    if (!exists("sessions", id)) throw missing(`${what} was not written: session "${id}" does not exist`);
  };
  const needFreeId = (table: string, what: string, id: number | undefined) => {
    if (id !== undefined && exists(table, id)) throw taken(`${what} ${id}`);
  };
  return {
    ...reader,
    async addSession(session) {
      if (exists("sessions", session.id)) return false;
      insert(sql, shape, "sessions", session);
      return true;
    },
    endSession: async (id, endedAt, summary) =>
      sql.run("UPDATE sessions SET ended_at = ?, summary = ? WHERE id = ?", endedAt, summary, id).changes > 0,
    async addObservation(row) {
      needSession(row.session_id, "the observation");
      needFreeId("observations", "observation", row.id);
      return insert(sql, shape, "observations", row);
    },
    async changeObservations(ids, changes) {
      if (changes.session_id !== undefined) needSession(changes.session_id, "the change");
      const { id: _, ...values } = valuesOf(shape, "observations", changes);
      // Without changes the rows are only counted.
      const set =
        Object.keys(values)
          .map((column) => `${column} = ?`)
          .join(", ") || "id = id";
      const update = `UPDATE observations SET ${set} WHERE id IN ${LISTED}`;
      return sql.run(update, ...Object.values(values), idList(ids)).changes;
    },
    async removeObservation(id) {
      sql.run("DELETE FROM relations WHERE from_id = ? OR to_id = ?", id, id);
      return sql.run("DELETE FROM observations WHERE id = ?", id).changes > 0;
    },
    async addPrompt(prompt) {
      needSession(prompt.session_id, "the prompt");
      needFreeId("user_prompts", "prompt", prompt.id);
      return insert(sql, shape, "prompts", prompt);
    },
    async addRelation(relation) {
      const { from_id, to_id, type } = relation;
      for (const end of [from_id, to_id]) {
        if (!exists("observations", end)) {
          throw missing(`the relation was not written: observation ${end} does not exist`);
        }
      }
      const known = "SELECT 1 FROM relations WHERE from_id = ? AND to_id = ? AND type = ?";
      if (sql.get(known, from_id, to_id, type) !== undefined) return undefined;
      return insert(sql, shape, "relations", relation);
    },
    removeRelation: async (id) => sql.run("DELETE FROM relations WHERE id = ?", id).changes > 0,
  };
}

/** Gives the id of the new row. */
function insert<Table extends keyof Rows>(
  sql: Sql,
  shape: StoreShape,
  table: Table,
  row: Partial<Rows[Table]>,
): number {
  const values = valuesOf(shape, table, row);
  const columns = Object.keys(values).join(", ");
  const places = Object.keys(values).fill("?").join(", ");
  return sql.run(`INSERT INTO ${TABLES[table]} (${columns}) VALUES (${places})`, ...Object.values(values))
    .lastInsertRowid;
}

/** The columns that are given, in one order, so that equal changes are one prepared statement. */
function valuesOf<Table extends keyof Rows>(shape: StoreShape, table: Table, row: Partial<Rows[Table]>): Values {
  const values: Record<string, SqlValue> = {};
  for (const column of Object.keys(COLUMNS[table])) {
    const value = (row as Partial<Values>)[column];
    if (value === undefined) continue;
    if (column !== "namespace" || shape.namespaces.has(table)) values[column] = value;
    else if (value !== null) throw noNamespaces();
  }
  return values;
}

function noNamespaces(): CompactError {
  return new CompactError("StoreFailed", "the row was not written: this memory store has no namespaces", {
    code: "NO_NAMESPACES",
    hint: "Leave the namespace out, or export the rows and import them into a new store.",
  });
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

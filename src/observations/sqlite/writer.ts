// Changes rows inside one transaction. What the database's rules would refuse is asked before, so that the error can
// name the row; the rest of its rules, triggers of other programs included, it enforces itself.
import { CompactError } from "../../errors.ts";
import type { SqlValue } from "../../storage/sqlite/driver.ts";
import type { Sql } from "../../storage/sqlite/transactions.ts";
import type { NewObservation, Observation, Prompt } from "../observation.ts";
import type { ObservationReader, ObservationWriter } from "../observation-store.ts";
import { idList } from "./rows.ts";
import type { StoreShape } from "./schema.ts";

const COLUMNS = [
  "session_id",
  "type",
  "title",
  "content",
  "tool_name",
  "project",
  "scope",
  "topic_key",
  "namespace",
  "normalized_hash",
  "revision_count",
  "duplicate_count",
  "last_seen_at",
  "created_at",
  "updated_at",
  "deleted_at",
] as const satisfies readonly (keyof NewObservation)[];

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
    async addSession({ id, project, directory, started_at, ended_at, summary }) {
      if (exists("sessions", id)) return false;
      insert(sql, "sessions", { id, project, directory, started_at, ended_at, summary });
      return true;
    },
    endSession: async (id, endedAt, summary) =>
      sql.run("UPDATE sessions SET ended_at = ?, summary = ? WHERE id = ?", endedAt, summary, id).changes > 0,
    async addObservation(row) {
      needSession(row.session_id, "the observation");
      needFreeId("observations", "observation", row.id);
      return insert(sql, "observations", { ...idOf(row), ...columnsOf(row, shape) });
    },
    async changeObservations(ids, changes) {
      if (changes.session_id !== undefined) needSession(changes.session_id, "the change");
      const values = columnsOf(changes, shape);
      // Without changes the rows are only counted.
      const set =
        Object.keys(values)
          .map((column) => `${column} = ?`)
          .join(", ") || "id = id";
      const among = "id IN (SELECT value FROM json_each(?))";
      return sql.run(`UPDATE observations SET ${set} WHERE ${among}`, ...Object.values(values), idList(ids)).changes;
    },
    async removeObservation(id) {
      sql.run("DELETE FROM relations WHERE from_id = ? OR to_id = ?", id, id);
      return sql.run("DELETE FROM observations WHERE id = ?", id).changes > 0;
    },
    async addPrompt(prompt) {
      needSession(prompt.session_id, "the prompt");
      needFreeId("user_prompts", "prompt", prompt.id);
      const { session_id, content, project, created_at } = prompt;
      const values = { ...idOf(prompt), session_id, content, project, created_at };
      const namespace = namespaceOf(prompt, shape.hasPromptNamespaces);
      return insert(sql, "user_prompts", { ...values, ...namespace });
    },
    async addRelation({ from_id, to_id, type, note, created_at }) {
      for (const end of [from_id, to_id]) {
        if (!exists("observations", end)) {
          throw missing(`the relation was not written: observation ${end} does not exist`);
        }
      }
      const known = "SELECT 1 FROM relations WHERE from_id = ? AND to_id = ? AND type = ?";
      if (sql.get(known, from_id, to_id, type) !== undefined) return undefined;
      return insert(sql, "relations", { from_id, to_id, type, note, created_at });
    },
    removeRelation: async (id) => sql.run("DELETE FROM relations WHERE id = ?", id).changes > 0,
  };
}

/** Gives the id of the new row. */
function insert(sql: Sql, table: string, values: Values): number {
  const columns = Object.keys(values);
  const places = columns.map(() => "?").join(", ");
  return sql.run(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places})`, ...Object.values(values))
    .lastInsertRowid;
}

/** The columns that are given, in one order, so that equal changes are one prepared statement. */
function columnsOf(row: Partial<NewObservation>, shape: StoreShape): Values {
  const values: Record<string, SqlValue> = {};
  for (const column of COLUMNS) {
    const value = row[column];
    if (value !== undefined && column !== "namespace") values[column] = value;
  }
  return { ...values, ...namespaceOf(row, shape.hasNamespaces) };
}

function namespaceOf({ namespace }: Partial<Observation> | Partial<Prompt>, hasNamespaces: boolean): Values {
  if (namespace === undefined) return {};
  if (hasNamespaces) return { namespace };
  if (namespace === null) return {};
  throw new CompactError("StoreFailed", "the row was not written: this memory store has no namespaces", {
    code: "NO_NAMESPACES",
    hint: "Leave the namespace out, or export the rows and import them into a new store.",
  });
}

function idOf({ id }: { readonly id?: number | undefined }): Values {
  return id === undefined ? {} : { id };
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

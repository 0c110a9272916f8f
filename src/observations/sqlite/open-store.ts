// Opens the file of a memory store: a connection, the check of its tables, and what must be made before it serves.

import { CompactError } from "../../errors.ts";
import type { SqlRow, SqlValue } from "../../storage/sqlite/driver.ts";
import { openTables } from "../../storage/sqlite/open-database.ts";
import type { OpenedStore, SqliteStoreOptions } from "../../storage/sqlite/sqlite-store.ts";
import type { Sql, Transactions } from "../../storage/sqlite/transactions.ts";
import { COLUMNS, type Observation, type Rows } from "../observation.ts";
import type { ObservationReader, ObservationWriter, Totals } from "../observation-store.ts";
import { latestFirst } from "../row-filter.ts";
import { createWriter, type RowTables } from "../row-writer.ts";
import { conditionsOf, countRows, idList, LISTED, rowsOf, select, TABLES, whereOf } from "./rows.ts";
import { inspectSchema, type StoreShape } from "./schema.ts";
import { findRows, idsWithAnyWord, indexedWords } from "./search.ts";
import { idsByTime, idsNewestFirst, idsOtherwise, type Otherwise, surveyStale } from "./times.ts";

/** Throws as `openTables`, and InvalidInput for a database that is no memory store. */
export function openStore(options: SqliteStoreOptions): Promise<OpenedStore<ObservationReader, ObservationWriter>> {
  return openTables(options, async (transactions, { path, mayCreate }) => {
    const shape = await prepareTables(transactions, path, mayCreate);
    return {
      reader(sql) {
        // Nothing changes inside of a transaction that only reads.
        let known: readonly number[] | undefined;
        return createReader(sql, shape, () => (known ??= idsOtherwise(sql)));
      },
      writer: (sql) =>
        createWriter(
          createReader(sql, shape, () => idsOtherwise(sql)),
          tablesIn(sql, shape),
        ),
    };
  });
}

async function prepareTables(transactions: Transactions, path: string, mayCreate: boolean): Promise<StoreShape> {
  const found = await transactions.read(async (sql) => inspectSchema(sql, path, mayCreate));
  if (found.state === "complete") return found.shape;
  return transactions.write(async (sql) => {
    // Another process may have been faster.
    const now = inspectSchema(sql, path, mayCreate);
    if (now.state === "complete") return now.shape;
    for (const table of now.create) sql.script(table.sql);
    const made = inspectSchema(sql, path, mayCreate);
    if (made.state === "complete") return made.shape;
    throw new Error("the tables just made are not there");
  });
}

// Answers the questions of the store contract inside one transaction. How the costly ones are answered is in the files
// beside this one.

function createReader(sql: Sql, shape: StoreShape, otherwise: Otherwise): ObservationReader {
  const byId = ({ id }: Observation) => id;
  const ofNamespace = shape.namespaces.has("observations") ? "+namespace IS ?" : "+? IS NULL";
  const ofSession = "WHERE session_id = ? AND +deleted_at IS NULL";
  const rowAt = <Table extends keyof Rows>(table: Table, id: string | number) =>
    select(sql, shape, table, "WHERE id = ?", id)[0];
  const pageAfter = <Table extends keyof Rows>(table: Table, id: string | number, limit: number) =>
    select(sql, shape, table, "WHERE id > ? ORDER BY id LIMIT ?", id, limit);
  return {
    hasNamespaces: shape.namespaces.has("observations"),
    observations: async (ids) => rowsOf(sql, shape, ids),
    async list({ filter, standing, limit, offset }) {
      const ids = idsNewestFirst(sql, shape, otherwise, conditionsOf(filter, standing), offset + limit);
      return rowsOf(sql, shape, ids.slice(offset));
    },
    count: async (filter, standing) => countRows(sql, shape, filter, standing),
    async stale({ filter, ...query }) {
      const conditions = conditionsOf(filter, "live");
      return rowsOf(sql, shape, idsByTime(sql, shape, otherwise, { ...query, conditions, direction: "oldest" }));
    },
    surveyStale: async (filter, bounds) => surveyStale(sql, shape, filter, bounds),
    search: async (query) => findRows(sql, shape, query),
    withAnyWord: async (query) => idsWithAnyWord(sql, shape, query),
    wordsFrom: async (start, limit) => indexedWords(sql, start, limit),
    async ofTopic(...topic) {
      const where = `WHERE topic_key = ? AND project IS ? AND scope = ? AND ${ofNamespace} AND +deleted_at IS NULL`;
      const rows = select(sql, shape, "observations", where, ...topic);
      return latestFirst(rows, ({ updated_at }) => updated_at, byId)[0];
    },
    async equals({ normalized_hash, project, scope, type, title, namespace }, standing) {
      const where = `WHERE normalized_hash = ? AND project IS ? AND scope = ? AND type = ? AND title = ?
        AND ${ofNamespace} AND ${whereOf(shape, conditionsOf({}, standing)).sql}`;
      const values = [normalized_hash, project, scope, type, title, namespace];
      const rows = select(sql, shape, "observations", where, ...values);
      return latestFirst(rows, ({ created_at }) => created_at, byId);
    },
    async around(id, sessionId, before, after) {
      const near = (rest: string, limit: number) =>
        select(sql, shape, "observations", `${ofSession} AND id ${rest} LIMIT ?`, sessionId, id, limit);
      return {
        before: near("< ? ORDER BY id DESC", before).toReversed(),
        after: near("> ? ORDER BY id", after),
        total: Number(sql.get(`SELECT count(*) AS number FROM observations ${ofSession}`, sessionId)?.number),
      };
    },
    async relations(ids) {
      const touching = (end: string) => `SELECT id FROM relations WHERE ${end} IN ${LISTED}`;
      const where = `WHERE id IN (${touching("from_id")} UNION ${touching("to_id")}) ORDER BY id`;
      return select(sql, shape, "relations", where, idList(ids), idList(ids));
    },
    relation: async (id) => rowAt("relations", id),
    session: async (id) => rowAt("sessions", id),
    sessions: async (query) => latestRows(sql, shape, "sessions", query),
    prompts: async (query) =>
      query.namespace !== undefined && !shape.namespaces.has("prompts") ? [] : latestRows(sql, shape, "prompts", query),
    totals: async () => readTotals(sql, shape),
    sessionsAfter: async (id, limit) => pageAfter("sessions", id, limit),
    observationsAfter: async (id, limit) => pageAfter("observations", id, limit),
    promptsAfter: async (id, limit) => pageAfter("prompts", id, limit),
    relationsAfter: async (id, limit) => pageAfter("relations", id, limit),
  };
}

function readTotals(sql: Sql, shape: StoreShape): Totals {
  const count = (table: string) => Number(sql.get(`SELECT count(*) AS number FROM ${table}`)?.number);
  return {
    sessions: count("sessions"),
    observations: countRows(sql, shape, {}, "live"),
    prompts: count("user_prompts"),
    deleted: countRows(sql, shape, {}, "deleted"),
    relations: count("relations"),
    projects: sql.all(LIVE_PROJECTS).map(({ name }) => String(name)),
  };
}

/** From one project to the next by the index; a row of each is looked for, not all. */
const LIVE_PROJECTS = `
WITH RECURSIVE project_names(name) AS (
  SELECT min(project) FROM observations
  UNION ALL
  SELECT (SELECT min(project) FROM observations WHERE project > name) FROM project_names WHERE name IS NOT NULL
)
SELECT name FROM project_names
WHERE name IS NOT NULL AND EXISTS (SELECT 1 FROM observations WHERE project = name AND +deleted_at IS NULL)
ORDER BY name`;

/** The latest rows by real time, equals the later written first: these tables are small beside the observations. */
function latestRows<Table extends "sessions" | "prompts">(
  sql: Sql,
  shape: StoreShape,
  table: Table,
  { limit, ...filter }: { readonly project?: string; readonly namespace?: string; readonly limit: number },
): readonly Rows[Table][] {
  const wanted = Object.entries(filter);
  const where = ["1", ...wanted.map(([column]) => `${column} = ?`)].join(" AND ");
  const time = table === "sessions" ? "started_at" : "created_at";
  const written = `SELECT rowid AS number, ${time} AS time FROM ${TABLES[table]} WHERE ${where}`;
  const rows = sql.all(written, ...wanted.map(([, value]) => value));
  const numberOf = (row: SqlRow) => Number(row.number);
  const latest = latestFirst(rows, (row) => row.time, numberOf).slice(0, limit);
  return latest.flatMap((row) => select(sql, shape, table, "WHERE rowid = ?", numberOf(row)));
}

// Changes rows inside one transaction; rules of the database's own, triggers of other programs included, it enforces itself.

function tablesIn(sql: Sql, shape: StoreShape): RowTables {
  return {
    exists: (table, id) => sql.get(`SELECT 1 FROM ${TABLES[table]} WHERE id = ?`, id) !== undefined,
    hasRelation({ from_id, to_id, type }) {
      const known = "SELECT 1 FROM relations WHERE from_id = ? AND to_id = ? AND type = ?";
      return sql.get(known, from_id, to_id, type) !== undefined;
    },
    insert(table, row) {
      const values = valuesOf(shape, table, row);
      const columns = Object.keys(values).join(", ");
      const places = Object.keys(values).fill("?").join(", ");
      return sql.run(`INSERT INTO ${TABLES[table]} (${columns}) VALUES (${places})`, ...Object.values(values))
        .lastInsertRowid;
    },
    update(table, ids, changes) {
      const { id: _, ...values } = valuesOf(shape, table, changes);
      const set = Object.keys(values).map((column) => `${column} = ?`);
      // Without changes the rows are only counted.
      const update = `UPDATE ${TABLES[table]} SET ${set.join(", ") || "id = id"} WHERE id IN ${LISTED}`;
      return sql.run(update, ...Object.values(values), JSON.stringify(ids)).changes;
    },
    remove: (table, id) => sql.run(`DELETE FROM ${TABLES[table]} WHERE id = ?`, id).changes > 0,
  };
}

/** The columns that are given, in one order, so that equal changes are one prepared statement. */
function valuesOf(shape: StoreShape, table: keyof Rows, row: object): Readonly<Record<string, SqlValue>> {
  const values: Record<string, SqlValue> = {};
  for (const column of Object.keys(COLUMNS[table])) {
    const value = (row as Partial<Record<string, SqlValue>>)[column];
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

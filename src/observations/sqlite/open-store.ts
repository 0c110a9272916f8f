// Opens the file of a memory store: a connection, the check of its tables, and what must be made before it serves.
import type { Driver, SqlRow, SqlValue } from "../../storage/sqlite/driver.ts";
import { findDriver, openDatabase } from "../../storage/sqlite/open-database.ts";
import { createTransactions, type Sql, type Transactions } from "../../storage/sqlite/transactions.ts";
import { readTime } from "../../time.ts";
import type { Observation } from "../observation.ts";
import type { ObservationReader, ObservationStore, Totals } from "../observation-store.ts";
import {
  conditionsOf,
  countRows,
  idList,
  observation,
  observationColumns,
  prompt,
  promptColumns,
  RELATION_COLUMNS,
  relation,
  rowsOf,
  SESSION_COLUMNS,
  session,
  whereOf,
} from "./rows.ts";
import { inspectSchema, type StoreShape } from "./schema.ts";
import { findRows } from "./search.ts";
import { idsByTime, idsNewestFirst } from "./time-order.ts";
import { createWriter } from "./writer.ts";
import { surveyStale } from "./written-times.ts";

/** Always new. */
const MEMORY = ":memory:";

export interface OpenStoreOptions {
  readonly path: string;
  readonly create: boolean;
  readonly driver?: Driver;
}

export type OpenStore = Pick<ObservationStore, "read" | "write" | "close">;

/** Throws as `openDatabase`, and InvalidInput for a database that is no memory store. */
export async function openStore({ path: given, create, driver }: OpenStoreOptions): Promise<OpenStore> {
  const opened = await openDatabase({ path: given, create, driver: driver ?? (await findDriver()) });
  const { database, path, isReadOnly } = opened;
  const transactions = createTransactions({ database, path, isReadOnly });
  try {
    const shape = await prepareTables(transactions, path, (create || path === MEMORY) && !isReadOnly);
    return {
      read: (work) => transactions.read((sql) => work(createReader(sql, shape))),
      write: (work) => transactions.write((sql) => work(createWriter(sql, shape, createReader(sql, shape)))),
      close: () => transactions.close(),
    };
  } catch (error) {
    await transactions.close();
    throw error;
  }
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

export function createReader(sql: Sql, shape: StoreShape): ObservationReader {
  return {
    hasNamespaces: shape.hasNamespaces,
    observations: async (ids) => rowsOf(sql, shape, ids),
    async list({ filter, standing, limit, offset }) {
      const ids = idsNewestFirst(sql, shape, conditionsOf(filter, standing), offset + limit);
      return rowsOf(sql, shape, ids.slice(offset));
    },
    count: async (filter, standing) => countRows(sql, shape, filter, standing),
    async stale({ filter, before, limit, after }) {
      const conditions = conditionsOf(filter, "live");
      const page = after === undefined ? {} : { after };
      return rowsOf(sql, shape, idsByTime(sql, shape, { conditions, direction: "oldest", before, limit, ...page }));
    },
    surveyStale: async (filter, bounds) => surveyStale(sql, shape, filter, bounds),
    search: async (query) => findRows(sql, shape, query),
    ...createTopicReader(sql, shape),
    ...createNeighbourReader(sql, shape),
    totals: async () => readTotals(sql, shape),
    ...createPageReader(sql, shape),
  };
}

function createTopicReader(sql: Sql, shape: StoreShape): Pick<ObservationReader, "ofTopic" | "equals"> {
  const columns = observationColumns(shape);
  const ofNamespace = shape.hasNamespaces ? "namespace IS ?" : "? IS NULL";
  return {
    async ofTopic(topicKey, project, scope, namespace) {
      const rows = sql.all(
        `SELECT ${columns} FROM observations
         WHERE topic_key = ? AND project IS ? AND scope = ? AND ${plain(ofNamespace)} AND +deleted_at IS NULL`,
        topicKey,
        project,
        scope,
        namespace,
      );
      return latestFirst(rows.map(observation), ({ updated_at }) => updated_at)[0];
    },
    async equals({ normalized_hash, project, scope, type, title, namespace }, standing) {
      const standingWhere = whereOf(shape, conditionsOf({}, standing)).sql;
      const rows = sql.all(
        `SELECT ${columns} FROM observations
         WHERE normalized_hash = ? AND project IS ? AND scope = ? AND type = ? AND title = ?
           AND ${plain(ofNamespace)} AND ${standingWhere}`,
        normalized_hash,
        project,
        scope,
        type,
        title,
        namespace,
      );
      return latestFirst(rows.map(observation), ({ created_at }) => created_at);
    },
  };
}

/** Hidden from the choice of an index, which a condition that most rows meet would mislead. */
function plain(condition: string): string {
  return `+${condition}`;
}

function createNeighbourReader(
  sql: Sql,
  shape: StoreShape,
): Pick<ObservationReader, "around" | "relations" | "relation"> {
  const ofSession = "FROM observations WHERE session_id = ? AND +deleted_at IS NULL";
  const columns = observationColumns(shape);
  return {
    async around(id, sessionId, before, after) {
      const near = (comparison: string, limit: number) =>
        sql.all(`SELECT ${columns} ${ofSession} AND id ${comparison} LIMIT ?`, sessionId, id, limit).map(observation);
      return {
        before: near("< ? ORDER BY id DESC", before).reverse(),
        after: near("> ? ORDER BY id", after),
        total: Number(sql.get(`SELECT count(*) AS number ${ofSession}`, sessionId)?.number),
      };
    },
    async relations(ids) {
      const wanted = "(SELECT value FROM json_each(?))";
      const select = `SELECT ${RELATION_COLUMNS} FROM relations WHERE`;
      const list = idList(ids);
      return sql
        .all(`${select} from_id IN ${wanted} UNION ${select} to_id IN ${wanted} ORDER BY id`, list, list)
        .map(relation);
    },
    async relation(id) {
      const row = sql.get(`SELECT ${RELATION_COLUMNS} FROM relations WHERE id = ?`, id);
      return row && relation(row);
    },
  };
}

function createPageReader(
  sql: Sql,
  shape: StoreShape,
): Pick<
  ObservationReader,
  "session" | "sessions" | "prompts" | "sessionsAfter" | "observationsAfter" | "promptsAfter" | "relationsAfter"
> {
  const promptsColumns = promptColumns(shape);
  const page = (columns: string, table: string, key: string | number, limit: number) =>
    sql.all(`SELECT ${columns} FROM ${table} WHERE id > ? ORDER BY id LIMIT ?`, key, limit);
  return {
    async session(id) {
      const row = sql.get(`SELECT ${SESSION_COLUMNS} FROM sessions WHERE id = ?`, id);
      return row && session(row);
    },
    sessions: async ({ project, limit }) =>
      latestRows(sql, {
        table: "sessions",
        columns: SESSION_COLUMNS,
        timeColumn: "started_at",
        filter: { project },
        limit,
      }).map(session),
    async prompts({ project, namespace, limit }) {
      if (namespace !== undefined && !shape.hasPromptNamespaces) return [];
      const query = {
        columns: promptsColumns,
        timeColumn: "created_at",
        filter: { project, namespace },
        limit,
      } as const;
      return latestRows(sql, { table: "user_prompts", ...query }).map(prompt);
    },
    sessionsAfter: async (id, limit) => page(SESSION_COLUMNS, "sessions", id, limit).map(session),
    observationsAfter: async (id, limit) => page(observationColumns(shape), "observations", id, limit).map(observation),
    promptsAfter: async (id, limit) => page(promptsColumns, "user_prompts", id, limit).map(prompt),
    relationsAfter: async (id, limit) => page(RELATION_COLUMNS, "relations", id, limit).map(relation),
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

function latestFirst(rows: readonly Observation[], written: (row: Observation) => string): readonly Observation[] {
  const at = (row: Observation) => readTime(written(row)) ?? -1;
  return rows
    .map((row) => ({ row, at: at(row) }))
    .sort((first, second) => second.at - first.at || second.row.id - first.row.id)
    .map(({ row }) => row);
}

// The latest sessions and prompts by real time. Those tables are small beside the observations: what is written in the
// reference's shape is sorted by the database, all of the rest here.

export interface LatestQuery {
  readonly table: "sessions" | "user_prompts";
  readonly columns: string;
  readonly timeColumn: "started_at" | "created_at";
  /** `column = ?`, with the values that are given. */
  readonly filter: Readonly<Record<string, SqlValue | undefined>>;
  readonly limit: number;
}

/** Unreadable times come last, equals the later written first. */
export function latestRows(sql: Sql, { table, columns, timeColumn, filter, limit }: LatestQuery): readonly SqlRow[] {
  const wanted = Object.entries(filter).filter(([, value]) => value !== undefined);
  const where = ["1", ...wanted.map(([column]) => `${column} = ?`)].join(" AND ");
  const values = wanted.map(([, value]) => value ?? null);
  const select = `SELECT rowid AS row_number, ${columns} FROM ${table} WHERE ${where}`;
  const usualTime = `datetime(${timeColumn}, '+0 days')`;
  const usual = sql.all(
    `${select} AND ${usualTime} = ${timeColumn} ORDER BY ${timeColumn} DESC, rowid DESC LIMIT ?`,
    ...values,
    limit,
  );
  const unusual = sql.all(`${select} AND ${usualTime} IS NOT ${timeColumn}`, ...values);
  return [...usual, ...unusual]
    .map((row) => ({ row, at: readTime(row[timeColumn]) ?? Number.NEGATIVE_INFINITY, number: Number(row.row_number) }))
    .sort((first, second) => (first.at === second.at ? second.number - first.number : second.at > first.at ? 1 : -1))
    .slice(0, limit)
    .map(({ row }) => row);
}

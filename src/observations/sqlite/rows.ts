// Rows as the database gives them and as the store's callers get them: the columns that are read, and their values in
// the types of the records, whatever other writers have put there.
import type { SqlRow, SqlValue } from "../../storage/sqlite/driver.ts";
import type { Sql } from "../../storage/sqlite/transactions.ts";
import { COLUMNS, type Observation, type Rows } from "../observation.ts";
import type { ObservationFilter, RowStatus } from "../observation-store.ts";
import type { StoreShape } from "./schema.ts";

/** What the tables are called in the database. */
export const TABLES = {
  sessions: "sessions",
  observations: "observations",
  prompts: "user_prompts",
  relations: "relations",
} as const;

/** The rows of a `SELECT` from one table; `rest` is what comes after the table's name. */
export function select<Table extends keyof Rows>(
  sql: Sql,
  shape: StoreShape,
  table: Table,
  rest: string,
  ...values: readonly SqlValue[]
): readonly Rows[Table][] {
  const rows = sql.all(`SELECT ${columnsOf(shape, table)} FROM ${TABLES[table]} ${rest}`, ...values);
  return rows.map((row) => readRow(table, row));
}

export function columnsOf(shape: StoreShape, table: keyof Rows): string {
  const columns = Object.keys(COLUMNS[table]).map((column) => {
    if (column === "namespace") return shape.namespaces.has(table) ? column : "NULL AS namespace";
    if (column !== "title" && column !== "content") return column;
    // Node 22 cuts a text at a NUL when it reads it; bytes it leaves alone.
    return `CASE instr(${column}, char(0)) WHEN 0 THEN ${column} ELSE CAST(${column} AS BLOB) END AS ${column}`;
  });
  return columns.join(", ");
}

export function readRow<Table extends keyof Rows>(table: Table, row: SqlRow): Rows[Table] {
  const values: Record<string, string | number | null> = {};
  for (const [column, kind] of Object.entries(COLUMNS[table])) {
    const value = row[column] ?? null;
    if (kind === "number") values[column] = Number(value);
    else if (value === null) values[column] = kind === "text" ? "" : null;
    else values[column] = value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value);
  }
  return values as unknown as Rows[Table];
}

/** In the order of `ids`, unknown ones left out. */
export function rowsOf(sql: Sql, shape: StoreShape, ids: readonly number[]): readonly Observation[] {
  if (ids.length === 0) return [];
  const rows = select(sql, shape, "observations", `WHERE id IN ${LISTED}`, idList(ids));
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** The ids of an `idList`. */
export const LISTED = "(SELECT value FROM json_each(?))";

/** Ids as one value, so that any number of them fits a statement. What is no whole number is no id. */
export function idList(ids: readonly number[]): string {
  return JSON.stringify(ids.filter(Number.isSafeInteger));
}

// What rows must be, as SQL, and by which index they are best found. The database would choose by rules of thumb: it
// knows no figures of the tables unless somebody ran ANALYZE, so every condition but the chosen one is kept from it.

export interface Condition {
  /** `deleted_at` for the standing. */
  readonly column: "project" | "scope" | "namespace" | "type" | "session_id" | "topic_key" | "deleted_at";
  /** After the column: `= ?`. */
  readonly test: string;
  readonly values: readonly SqlValue[];
}

export interface Where {
  /** Without the word; `1` where everything is wanted. */
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Behind the name of the column. */
const OF_TOPIC = "IS NOT NULL AND substr(topic_key || '/', 1, length(?)) = ?";

export function conditionsOf(filter: ObservationFilter, standing: RowStatus): readonly Condition[] {
  const conditions: Condition[] = [];
  if (filter.topic !== undefined) {
    const start = `${filter.topic}/`;
    conditions.push({ column: "topic_key", test: OF_TOPIC, values: [start, start] });
  }
  for (const column of ["project", "namespace", "type", "session_id", "scope"] as const) {
    const value = filter[column];
    if (value !== undefined) conditions.push({ column, test: "= ?", values: [value] });
  }
  if (standing === "live") conditions.push({ column: "deleted_at", test: "IS NULL", values: [] });
  // Every text comes after the empty one, and a range is what an index is used for.
  if (standing === "deleted") conditions.push({ column: "deleted_at", test: ">= ''", values: [] });
  return conditions;
}

/** All of the conditions; `by` is the one whose index serves, if any. */
export function whereOf(shape: StoreShape, conditions: readonly Condition[], by?: Condition): Where {
  const parts = conditions.map((condition) => {
    if (condition.column === "namespace" && !shape.namespaces.has("observations")) return { sql: "0", values: [] };
    // A unary plus changes no value and hides the column from the choice of an index.
    return { sql: `${condition === by ? "" : "+"}${condition.column} ${condition.test}`, values: condition.values };
  });
  return {
    sql: parts.map(({ sql }) => sql).join(" AND ") || "1",
    values: parts.flatMap(({ values }) => values),
  };
}

/** The condition that fewest rows meet, where these are at most `most`. */
export function rarest(
  sql: Sql,
  shape: StoreShape,
  conditions: readonly Condition[],
  most: number,
): Condition | undefined {
  let best: { readonly condition: Condition; readonly count: number } | undefined;
  for (const condition of conditions) {
    // A scope has two values, and without a column of namespaces every row has the same: neither is rare.
    if (condition.column === "scope" || (condition.column === "namespace" && !shape.namespaces.has("observations")))
      continue;
    const count = countUpTo(sql, condition, best?.count ?? most + 1);
    if (count <= most && (best === undefined || count < best.count)) best = { condition, count };
  }
  return best?.condition;
}

/** How many entries of its index meet a condition, counted up to a bound. */
function countUpTo(sql: Sql, { column, test, values }: Condition, bound: number): number {
  const counted = `SELECT count(*) AS number FROM (SELECT 1 FROM observations WHERE ${column} ${test} LIMIT ?)`;
  return Number(sql.get(counted, ...values, bound)?.number);
}

// Counts by indexes alone, so that they cost no look at a table of a million rows.

export function countRows(sql: Sql, shape: StoreShape, filter: ObservationFilter, standing: RowStatus): number {
  const count = ({ sql: where, values }: Where) =>
    Number(sql.get(`SELECT count(*) AS number FROM observations WHERE ${where}`, ...values)?.number);
  const wanted = conditionsOf(filter, "any");
  const deleted = conditionsOf({}, "deleted");
  // Fewer rows are deleted than live in most stores.
  const gone = standing === "any" ? 0 : count(whereOf(shape, [...deleted, ...wanted], deleted[0]));
  return standing === "deleted" ? gone : count(byIndexes(shape, wanted)) - gone;
}

function byIndexes(shape: StoreShape, conditions: readonly Condition[]): Where {
  const parts = conditions.map((condition, at) => {
    const { sql, values } = whereOf(shape, [condition], condition);
    if (at === 0) return { sql, values };
    // Nearly every row is of the usual scope: the few that are not are found sooner.
    if (condition.column === "scope")
      return { sql: "id NOT IN (SELECT id FROM observations WHERE scope <> ?)", values };
    return { sql: `id IN (SELECT id FROM observations WHERE ${sql})`, values };
  });
  return {
    sql: parts.map(({ sql }) => sql).join(" AND ") || "1",
    values: parts.flatMap(({ values }) => values),
  };
}

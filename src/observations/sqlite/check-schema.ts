// Whether a database holds a memory store, and of which age. Tables that are missing beside `observations` are made, as
// the reference does at its start; a table that is there is never changed.
import { CompactError } from "../../errors.ts";
import type { Sql } from "../../storage/sqlite/transactions.ts";
import { FULL_TEXT, FULL_TEXT_COLUMNS, type TableSchema, tables } from "./schema.ts";

/** What differs between the stores that are accepted. */
export interface StoreShape {
  readonly hasNamespaces: boolean;
  readonly hasPromptNamespaces: boolean;
  /** The full-text table has more columns than are searched. */
  readonly hasMoreText: boolean;
}

export type Found =
  | { readonly state: "complete"; readonly shape: StoreShape }
  /** `create`: in this order. */
  | { readonly state: "lacking"; readonly create: readonly TableSchema[] };

interface Column {
  readonly name: string;
  readonly type: string;
}

/** @throws InvalidInput for a database that holds something else, naming what is wrong. */
export function inspectSchema(sql: Sql, path: string, mayCreate: boolean): Found {
  const names = sql
    .all("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
    .map(({ name }) => String(name));
  if (!names.includes("observations")) {
    const others = names.filter((name) => !name.startsWith("sqlite_") && !isOfDecisionLog(name, names));
    if (others.length > 0 || !mayCreate) throw noStore(path, others);
    return { state: "lacking", create: tables };
  }
  const columns = new Map(tables.map(({ name }) => [name, columnsOf(sql, name)]));
  for (const table of tables) if (names.includes(table.name)) checkColumns(path, table, columns.get(table.name) ?? []);
  const text = checkFullText(sql, path, names);
  const create = tables.filter(({ name }) => !names.includes(name));
  if (create.length > 0) return { state: "lacking", create };
  const hasNamespace = (table: string) => (columns.get(table) ?? []).some(({ name }) => name === "namespace");
  return {
    state: "complete",
    shape: {
      hasNamespaces: hasNamespace("observations"),
      hasPromptNamespaces: hasNamespace("user_prompts"),
      hasMoreText: text.some((name) => !FULL_TEXT_COLUMNS.includes(name)),
    },
  };
}

/** A decision log may stand in the same file, and may have been there first. */
function isOfDecisionLog(name: string, names: readonly string[]): boolean {
  return names.includes("decision_meta") && /^decision(s$|_)/.test(name);
}

function columnsOf(sql: Sql, table: string): readonly Column[] {
  return sql
    .all("SELECT name, type FROM pragma_table_info(?)", table)
    .map(({ name, type }) => ({ name: String(name), type: String(type) }));
}

function checkColumns(path: string, table: TableSchema, found: readonly Column[]): void {
  const missing = table.columns.filter((column) => !found.some(({ name }) => name === column));
  if (missing.length > 0) {
    throw otherShape(path, `its table ${table.name} has no ${missing.join(", ")}`, { table: table.name, missing });
  }
  // Times are found by the order of their texts; a column of another kind orders digits as numbers.
  const created = found.find(({ name }) => name === "created_at");
  if (created !== undefined && !/CHAR|CLOB|TEXT/i.test(created.type)) {
    throw otherShape(path, `${table.name}.created_at is not TEXT`, { table: table.name });
  }
}

/** Gives the columns of the full-text table. Without its triggers a search would miss what is written from now on. */
function checkFullText(sql: Sql, path: string, names: readonly string[]): readonly string[] {
  if (!names.includes(FULL_TEXT)) throw otherShape(path, `its full-text table ${FULL_TEXT} is missing`);
  const { sql: made } = sql.get("SELECT sql FROM sqlite_schema WHERE name = ?", FULL_TEXT) ?? {};
  if (!/\busing\s+fts5\b/i.test(String(made))) throw otherShape(path, `${FULL_TEXT} is not an FTS5 table`);
  const columns = columnsOf(sql, FULL_TEXT).map(({ name }) => name);
  const missing = FULL_TEXT_COLUMNS.filter((name) => !columns.includes(name));
  if (missing.length > 0) throw otherShape(path, `${FULL_TEXT} has no ${missing.join(", ")}`, { missing });
  const steps = sql
    .all("SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'observations'")
    .map(({ sql: step }) => String(step))
    .filter((step) => step.includes(FULL_TEXT));
  for (const event of ["INSERT", "UPDATE", "DELETE"]) {
    if (!steps.some((step) => new RegExp(`\\b${event}\\b[^;]{0,200}\\bON\\b`, "i").test(step.slice(0, 500)))) {
      throw otherShape(path, `no trigger keeps ${FULL_TEXT} in step after ${event}`);
    }
  }
  return columns;
}

function noStore(path: string, others: readonly string[]): CompactError {
  const holds = others.length === 0 ? "is empty" : `holds other tables (${others.slice(0, 5).join(", ")})`;
  return new CompactError("InvalidInput", `${path} is not a memory store: it has no table observations and ${holds}`, {
    code: "NOT_A_STORE",
    hint: "Give the path of a memory store, or of a file yet to be made.",
    data: { path },
  });
}

function otherShape(path: string, what: string, more: Readonly<Record<string, unknown>> = {}): CompactError {
  return new CompactError("InvalidInput", `${path} is a memory store of another shape: ${what}`, {
    code: "STORE_SHAPE",
    hint: "Let the program that made it bring it up to date, or export its rows and import them into a new store.",
    data: { path, ...more },
  });
}

// The reference's schema, word for word in what it makes: tables, indexes, full-text tables and the triggers that keep
// them in step. Statements of a table can run again where it is there already.
import { CompactError } from "../../errors.ts";
import type { Sql } from "../../storage/sqlite/transactions.ts";
import { COLUMNS, type Rows } from "../observation.ts";

interface TableSchema {
  readonly name: string;
  readonly rows: keyof Rows;
  readonly sql: string;
}

const sessions: TableSchema = {
  name: "sessions",
  rows: "sessions",
  sql: `
CREATE TABLE IF NOT EXISTS sessions (
  id TEXT PRIMARY KEY,
  project TEXT NOT NULL,
  directory TEXT NOT NULL,
  started_at TEXT NOT NULL DEFAULT (datetime('now')),
  ended_at TEXT,
  summary TEXT
);`,
};

const observations: TableSchema = {
  name: "observations",
  rows: "observations",
  sql: `
CREATE TABLE IF NOT EXISTS observations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT NOT NULL,
  type TEXT NOT NULL,
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  tool_name TEXT,
  project TEXT,
  scope TEXT NOT NULL DEFAULT 'project',
  topic_key TEXT,
  namespace TEXT,
  normalized_hash TEXT,
  revision_count INTEGER NOT NULL DEFAULT 1,
  duplicate_count INTEGER NOT NULL DEFAULT 1,
  last_seen_at TEXT,
  created_at TEXT NOT NULL DEFAULT (datetime('now')),
  updated_at TEXT NOT NULL DEFAULT (datetime('now')),
  deleted_at TEXT,
  FOREIGN KEY (session_id) REFERENCES sessions(id)
);
CREATE INDEX IF NOT EXISTS idx_obs_session ON observations(session_id);
CREATE INDEX IF NOT EXISTS idx_obs_type ON observations(type);
CREATE INDEX IF NOT EXISTS idx_obs_project ON observations(project);
CREATE INDEX IF NOT EXISTS idx_obs_created ON observations(created_at DESC);
CREATE INDEX IF NOT EXISTS idx_obs_scope ON observations(scope);
CREATE INDEX IF NOT EXISTS idx_obs_topic ON observations(topic_key, project, scope, updated_at DESC);
CREATE INDEX IF NOT EXISTS idx_obs_deleted ON observations(deleted_at);
CREATE INDEX IF NOT EXISTS idx_obs_dedupe ON observations(normalized_hash, project, scope, type, title, created_at DESC);
CREATE INDEX IF NOT EXISTS idx_obs_namespace ON observations(namespace);
CREATE VIRTUAL TABLE IF NOT EXISTS observations_fts USING fts5(
  title, content, tool_name, type, project, content='observations', content_rowid='id'
);
${triggers("obs_fts", "observations", "observations_fts", ["title", "content", "tool_name", "type", "project"])}`,
};

const prompts: TableSchema = {
  name: "user_prompts",
  rows: "prompts",
  sql: `
CREATE TABLE IF NOT EXISTS user_prompts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT NOT NULL,
  content TEXT NOT NULL,
  project TEXT,
  namespace TEXT,
  created_at TEXT NOT NULL DEFAULT (datetime('now')),
  FOREIGN KEY (session_id) REFERENCES sessions(id)
);
CREATE INDEX IF NOT EXISTS idx_prompts_session ON user_prompts(session_id);
CREATE INDEX IF NOT EXISTS idx_prompts_project ON user_prompts(project);
CREATE INDEX IF NOT EXISTS idx_prompts_created ON user_prompts(created_at DESC);
CREATE VIRTUAL TABLE IF NOT EXISTS prompts_fts USING fts5(
  content, project, content='user_prompts', content_rowid='id'
);
${triggers("prompt_fts", "user_prompts", "prompts_fts", ["content", "project"])}`,
};

const relations: TableSchema = {
  name: "relations",
  rows: "relations",
  sql: `
CREATE TABLE IF NOT EXISTS relations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  from_id INTEGER NOT NULL,
  to_id INTEGER NOT NULL,
  type TEXT NOT NULL DEFAULT 'relates_to',
  note TEXT,
  created_at TEXT NOT NULL DEFAULT (datetime('now')),
  FOREIGN KEY (from_id) REFERENCES observations(id) ON DELETE CASCADE,
  FOREIGN KEY (to_id) REFERENCES observations(id) ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS idx_relations_from ON relations(from_id);
CREATE INDEX IF NOT EXISTS idx_relations_to ON relations(to_id);
CREATE INDEX IF NOT EXISTS idx_relations_type ON relations(type);
CREATE UNIQUE INDEX IF NOT EXISTS idx_relations_unique ON relations(from_id, to_id, type);`,
};

/** In the order in which they can be made. */
export const tables: readonly TableSchema[] = [sessions, observations, prompts, relations];

export const FULL_TEXT = "observations_fts";
export const FULL_TEXT_COLUMNS: readonly string[] = ["title", "content", "tool_name", "type", "project"];

/** An index over another table's text is told what goes and what comes. */
function triggers(name: string, table: string, index: string, columns: readonly string[]): string {
  const of = (row: string) => ["id", ...columns].map((column) => `${row}.${column}`).join(", ");
  const add = `INSERT INTO ${index}(rowid, ${columns.join(", ")}) VALUES (${of("new")});`;
  const remove = `INSERT INTO ${index}(${index}, rowid, ${columns.join(", ")}) VALUES ('delete', ${of("old")});`;
  return `
CREATE TRIGGER IF NOT EXISTS ${name}_insert AFTER INSERT ON ${table} BEGIN ${add} END;
CREATE TRIGGER IF NOT EXISTS ${name}_delete AFTER DELETE ON ${table} BEGIN ${remove} END;
CREATE TRIGGER IF NOT EXISTS ${name}_update AFTER UPDATE ON ${table} BEGIN ${remove} ${add} END;`;
}

// Whether a database holds a memory store, and of which age. Tables that are missing beside `observations` are made, as
// the reference does at its start; a table that is there is never changed.

/** What differs between the stores that are accepted. */
export interface StoreShape {
  /** The tables that have a namespace. */
  readonly namespaces: ReadonlySet<keyof Rows>;
  /** The full-text table has more columns than are searched. */
  readonly hasMoreText: boolean;
}

type Found =
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
  const namespaced = tables.filter((table) => columns.get(table.name)?.some(({ name }) => name === "namespace"));
  return {
    state: "complete",
    shape: {
      namespaces: new Set(namespaced.map(({ rows }) => rows)),
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
  // `namespace` came later.
  const missing = Object.keys(COLUMNS[table.rows]).filter(
    (column) => column !== "namespace" && !found.some(({ name }) => name === column),
  );
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

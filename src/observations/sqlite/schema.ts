// The reference's schema, word for word in what it makes: tables, indexes, full-text tables and the triggers that keep
// them in step. Statements of a table can run again where it is there already.

export interface TableSchema {
  readonly name: string;
  /** Without these it is another table. `namespace` came later and may be missing. */
  readonly columns: readonly string[];
  readonly sql: string;
}

const sessions: TableSchema = {
  name: "sessions",
  columns: ["id", "project", "directory", "started_at", "ended_at", "summary"],
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
  columns: [
    "id",
    "session_id",
    "type",
    "title",
    "content",
    "tool_name",
    "project",
    "scope",
    "topic_key",
    "normalized_hash",
    "revision_count",
    "duplicate_count",
    "last_seen_at",
    "created_at",
    "updated_at",
    "deleted_at",
  ],
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
  columns: ["id", "session_id", "content", "project", "created_at"],
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
  columns: ["id", "from_id", "to_id", "type", "note", "created_at"],
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

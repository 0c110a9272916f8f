// The tables of a decision log. `raw` of `decisions` is the record and the truth; every other column of it, and the tables
// up to decision_evidence, are made from records and can be made anew. What follows them is kept beside the records.
import { CompactError } from "../../errors.ts";
import type { Sql } from "../../storage/sqlite/transactions.ts";
import type { RecordFault } from "../decision.ts";
import { EVIDENCE_VERSION } from "../evidence.ts";

/** Raise it when tables change. */
export const FORMAT = 1;
/** Raise it when columns are read from records in another way; then they are made anew, as evidence of another version is. */
const COLUMNS_VERSION = 4;

/** What of a log is made from its records, and by which rules. */
export const MADE: Readonly<Record<string, number>> = {
  columns_version: COLUMNS_VERSION,
  evidence_version: EVIDENCE_VERSION,
};

const RECORDS = "decisions";
export const META = "decision_meta";

/** In an index every page and every count of levels is answered from without looking at a row. */
const STANDING = "is_reviewed, preserve, reviewed_at, agent, stakes, status";

/** `decided_at` of evidence whose decision has no readable date: a key may not be null. */
export const UNDATED = -9e15;

/** Made from records, rows and all. */
export const MADE_FROM_RECORDS = [
  "decision_tags",
  "decision_claims",
  "decision_faults",
  "decision_words",
  "decision_evidence",
] as const;

/** The fault of a row whose record can no longer be read. */
export const UNREADABLE: RecordFault["code"] = "UNREADABLE_RECORD";

/** Statements that list the record with this id as a fault and take it out of all counts of reviewed decisions. */
export function puttingAside(id: string): readonly string[] {
  return [
    `INSERT OR REPLACE INTO decision_faults(id, code, message)
       VALUES (${id}, '${UNREADABLE}', 'The record in the log is no JSON, or no decision any more.')`,
    `UPDATE ${RECORDS} SET is_reviewed = 0 WHERE id = ${id}`,
    `DELETE FROM decision_evidence WHERE id = ${id}`,
  ];
}

/** Texts are in the form of `storedText`, but for `raw` and other JSON. Times are milliseconds since the epoch. */
export const TABLES: Readonly<Record<string, string>> = {
  [META]: `
CREATE TABLE ${META} (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;`,
  [RECORDS]: `
CREATE TABLE ${RECORDS} (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  decided_at REAL,
  reviewed_at REAL,
  category TEXT NOT NULL,
  agent TEXT NOT NULL,
  status TEXT NOT NULL,
  is_reviewed INTEGER NOT NULL,
  preserve INTEGER NOT NULL,
  stakes TEXT,
  outcome TEXT,
  confidence REAL,
  least_confidence REAL,
  confidence_spread REAL,
  named_successor TEXT,
  superseded_by TEXT,
  hash TEXT NOT NULL,
  raw TEXT NOT NULL
);
CREATE INDEX decisions_in_order ON ${RECORDS}(decided_at DESC, id, category, ${STANDING});
CREATE INDEX decisions_of_category ON ${RECORDS}(category, decided_at DESC, id, ${STANDING});
CREATE INDEX decisions_reviewed ON ${RECORDS}(category, outcome, confidence, decided_at, reviewed_at, agent, id)
  WHERE is_reviewed = 1;
-- Another program may write what is no JSON, and nobody would see it before all records are read.
CREATE TRIGGER decisions_unreadable AFTER UPDATE OF raw ON ${RECORDS} WHEN NOT json_valid(new.raw) BEGIN
  ${puttingAside("new.id").join(";\n  ")};
END;`,
  decision_tags: `
CREATE TABLE decision_tags (id TEXT NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (id, tag)) WITHOUT ROWID;
CREATE INDEX decision_tags_of_tag ON decision_tags(tag, id);`,
  decision_claims: `
CREATE TABLE decision_claims (
  superseded TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (superseded, id)
) WITHOUT ROWID;`,
  decision_faults: `
CREATE TABLE decision_faults (
  id TEXT NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL, PRIMARY KEY (id, message)
) WITHOUT ROWID;`,
  decision_words: `
CREATE TABLE decision_words (n INTEGER PRIMARY KEY, words TEXT NOT NULL);`,
  decision_evidence: `
CREATE TABLE decision_evidence (
  category TEXT NOT NULL,
  key TEXT NOT NULL,
  decided_at REAL NOT NULL,
  id TEXT NOT NULL,
  reviewed_at REAL,
  agent TEXT NOT NULL,
  confirms INTEGER NOT NULL,
  contradicts INTEGER NOT NULL,
  fails INTEGER NOT NULL,
  rank INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (category, key, decided_at DESC, id)
) WITHOUT ROWID;
CREATE INDEX decision_evidence_counts ON decision_evidence(
  category, key, decided_at DESC, id, confirms, contradicts, fails, rank, agent, reviewed_at
);`,
  decision_levels: `
CREATE TABLE decision_levels (id TEXT PRIMARY KEY, level INTEGER NOT NULL) WITHOUT ROWID;`,
  decision_texts: `
CREATE TABLE decision_texts (
  id TEXT NOT NULL,
  level TEXT NOT NULL,
  strategy TEXT NOT NULL,
  model TEXT NOT NULL,
  hash TEXT NOT NULL,
  text TEXT NOT NULL,
  source TEXT NOT NULL,
  PRIMARY KEY (id, level, strategy, model)
) WITHOUT ROWID;`,
  decision_runs: `
CREATE TABLE decision_runs (n INTEGER PRIMARY KEY, started_at TEXT NOT NULL, run TEXT NOT NULL);
CREATE INDEX decision_runs_latest ON decision_runs(started_at DESC, n DESC);`,
  decision_state: `
CREATE TABLE decision_state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;`,
};

// Whether a database holds a decision log, may be given one, or is another program's. A log may stand beside a memory store
// in one file; a table that is there is never changed.

/** The table by which a memory store is known. */
const MEMORY_STORE = "observations";

/** True where the log is there, false where its tables may be made. @throws InvalidInput, NotFound */
export function inspectSchema(sql: Sql, path: string, mayCreate: boolean): boolean {
  const names = sql
    .all("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
    .map(({ name }) => String(name))
    .filter((name) => !name.startsWith("sqlite_"));
  if (names.includes(META)) {
    checkTables(sql, path, names);
    return true;
  }
  const taken = Object.keys(TABLES).find((name) => names.includes(name));
  if (taken !== undefined) {
    const message = `${path} is no decision log: its table ${taken} is another program's`;
    const hint = "Give the path of another file, and bring those decisions over with `decisions import`.";
    throw new CompactError("InvalidInput", message, { code: "NOT_A_DECISION_LOG", hint, data: { path, table: taken } });
  }
  if (names.length > 0 && !names.includes(MEMORY_STORE)) {
    const message = `${path} is no decision log: it holds other tables (${names.slice(0, 5).join(", ")})`;
    const hint = "Give the path of a decision log, of a memory store, or of a file yet to be made.";
    throw new CompactError("InvalidInput", message, { code: "NOT_A_DECISION_LOG", hint, data: { path } });
  }
  if (mayCreate) return false;
  throw new CompactError("NotFound", `no decision log in ${path}`, {
    code: "NO_DECISION_LOG",
    hint: "Check the path; a new log is made by recording a decision or importing into it.",
    data: { path },
  });
}

function checkTables(sql: Sql, path: string, names: readonly string[]): void {
  const missing = Object.keys(TABLES).filter((name) => !names.includes(name));
  if (missing.length > 0) throw otherShape(path, `it has no table ${missing.join(", ")}`);
  const { value } = sql.get(`SELECT value FROM ${META} WHERE key = 'format'`) ?? {};
  if (value !== String(FORMAT)) throw otherShape(path, `its tables are of format ${String(value)}, not ${FORMAT}`);
}

function otherShape(path: string, what: string): CompactError {
  return new CompactError("InvalidInput", `${path} is a decision log of another shape: ${what}`, {
    code: "DECISION_LOG_SHAPE",
    hint: "Use the version of agent-compact that made it, or bring its decisions into a new log.",
    data: { path },
  });
}

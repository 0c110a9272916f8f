// Whether a database holds a decision log, may be given one, or is another program's. A log may stand beside a memory store
// in one file; a table that is there is never changed.
import { CompactError } from "../../errors.ts";
import type { Sql } from "../../storage/sqlite/transactions.ts";
import { FORMAT, META, RECORDS, TABLES } from "./schema.ts";

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
  const taken = Object.keys(TABLES).filter((name) => names.includes(name));
  if (taken.length > 0) throw otherTable(path, taken[0] ?? RECORDS);
  if (names.length > 0 && !names.includes(MEMORY_STORE)) throw otherProgram(path, names);
  if (!mayCreate) throw noLog(path);
  return false;
}

function checkTables(sql: Sql, path: string, names: readonly string[]): void {
  const missing = Object.keys(TABLES).filter((name) => !names.includes(name));
  if (missing.length > 0) throw otherShape(path, `it has no table ${missing.join(", ")}`);
  const { value } = sql.get(`SELECT value FROM ${META} WHERE key = 'format'`) ?? {};
  if (value !== String(FORMAT)) throw otherShape(path, `its tables are of format ${String(value)}, not ${FORMAT}`);
}

function otherTable(path: string, table: string): CompactError {
  return new CompactError("InvalidInput", `${path} is no decision log: its table ${table} is another program's`, {
    code: "NOT_A_DECISION_LOG",
    hint: "Give the path of another file, and bring those decisions over with `decisions import`.",
    data: { path, table },
  });
}

function otherProgram(path: string, names: readonly string[]): CompactError {
  const some = names.slice(0, 5).join(", ");
  return new CompactError("InvalidInput", `${path} is no decision log: it holds other tables (${some})`, {
    code: "NOT_A_DECISION_LOG",
    hint: "Give the path of a decision log, of a memory store, or of a file yet to be made.",
    data: { path },
  });
}

function otherShape(path: string, what: string): CompactError {
  return new CompactError("InvalidInput", `${path} is a decision log of another shape: ${what}`, {
    code: "DECISION_LOG_SHAPE",
    hint: "Use the version of agent-compact that made it, or bring its decisions into a new log.",
    data: { path },
  });
}

function noLog(path: string): CompactError {
  return new CompactError("NotFound", `no decision log in ${path}`, {
    code: "NO_DECISION_LOG",
    hint: "Check the path; a new log is made by recording a decision or importing into it.",
    data: { path },
  });
}

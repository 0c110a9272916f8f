// Says in words what SQLite refused, whichever library brought its error. Messages of SQLite are passed on where they
// can only name tables, columns and constraints; those about a statement's text are not.
import { CompactError, type CompactErrorKind } from "../../errors.ts";

const PRIMARY: Readonly<Record<number, string>> = {
  3: "PERM",
  5: "BUSY",
  6: "LOCKED",
  7: "NOMEM",
  8: "READONLY",
  10: "IOERR",
  11: "CORRUPT",
  13: "FULL",
  14: "CANTOPEN",
  18: "TOOBIG",
  19: "CONSTRAINT",
  20: "MISMATCH",
  23: "AUTH",
  26: "NOTADB",
};

interface Meaning {
  readonly kind?: CompactErrorKind;
  readonly code: string;
  readonly hint: string;
}

const MEANINGS: Readonly<Record<string, Meaning>> = {
  BUSY: { code: "STORE_BUSY", hint: "Another process is writing for long: try again, or end that process." },
  LOCKED: { code: "STORE_BUSY", hint: "Another process is writing for long: try again, or end that process." },
  READONLY: { code: "STORE_READ_ONLY", hint: "Give this user write permission on the file and its folder." },
  PERM: { code: "STORE_READ_ONLY", hint: "Give this user write permission on the file and its folder." },
  FULL: { code: "STORE_FULL", hint: "The disk is full: free some space and try again." },
  IOERR: { code: "STORE_IO", hint: "The disk or its file system failed: check its space and state." },
  CORRUPT: {
    code: "STORE_CORRUPT",
    hint: "The file is damaged: bring back a copy, or rescue it with `sqlite3 FILE .recover`.",
  },
  CANTOPEN: { code: "STORE_CANNOT_OPEN", hint: "Check that the file and its folder can be read and written." },
  NOTADB: {
    kind: "InvalidInput",
    code: "NOT_A_DATABASE",
    hint: "Give the path of an SQLite database, or of a file yet to be made.",
  },
  CONSTRAINT: { code: "STORE_CONSTRAINT", hint: "The database's own rules refuse this row." },
};

/** `BUSY`, `CONSTRAINT`, ... of an error that SQLite gave, `ERROR` for one without a name of its own. */
export function sqliteReason(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof errcode === "number") return PRIMARY[errcode & 0xff] ?? "ERROR";
  return typeof code === "string" ? /^SQLITE_([A-Z]+)/.exec(code)?.[1] : undefined;
}

export function isBusy(error: unknown): boolean {
  const reason = sqliteReason(error);
  return reason === "BUSY" || reason === "LOCKED";
}

/** `what` reads after "could not": "write to the database". An error of ours passes through unchanged. */
export function sqliteFailure(what: string, path: string, cause: unknown): CompactError {
  if (CompactError.isInstance(cause)) return cause;
  const reason = sqliteReason(cause);
  const {
    kind = "StoreFailed",
    code,
    hint,
  } = MEANINGS[reason ?? ""] ?? {
    code: "STORE_FAILED",
    hint: "Check that the file is a healthy SQLite database.",
  };
  const said = reason === undefined ? undefined : harmlessMessage(reason, cause);
  return new CompactError(kind, `could not ${what}: ${path}${said === undefined ? "" : ` (${said})`}`, {
    code,
    hint,
    data: reason === undefined ? { path } : { path, reason: `SQLITE_${reason}` },
    cause,
  });
}

/** An error without a name of its own may quote the statement, and a search's words with it. */
function harmlessMessage(reason: string, cause: unknown): string {
  const message = (cause as { message?: unknown }).message;
  const isHarmless = reason !== "ERROR" || /^no such (table|column|index|module): \w+/.test(String(message));
  return isHarmless && typeof message === "string" ? message.slice(0, 300) : `SQLITE_${reason}`;
}

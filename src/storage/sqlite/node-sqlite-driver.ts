// SQLite as Node brings it (22.13 and later, 22.5 behind a flag), or the same interface from a package for Nodes that bring
// none. Decides nothing: it only fits the library to the port.
import { type Driver, type LibraryDatabase, type SqlDatabase, wrapDatabase } from "./driver.ts";

/** What is used of `node:sqlite`, which older type packages do not know. */
interface NodeSqlite {
  readonly DatabaseSync: new (path: string, options: { readonly readOnly: boolean }) => LibraryDatabase;
}

/** Undefined where this Node has no SQLite, or one without FTS5. */
export async function loadNodeSqliteDriver(): Promise<Driver | undefined> {
  const sqlite = await loadQuietly();
  return sqlite !== undefined && hasFullText(sqlite) ? driverOf("node:sqlite", sqlite) : undefined;
}

/** Throws what loading throws: the package is not installed, or has no binary for this machine. */
export async function loadPackagedSqliteDriver(): Promise<Driver> {
  const driver = await driverOf("@photostructure/sqlite", await import("@photostructure/sqlite"));
  return { ...driver, open: (path, options) => freedAtClose(driver.open(path, options)) };
}

/**
 * The package frees statements when they are collected, not when their database is closed, and SQLite removes the
 * write-ahead log after the last one: so they are collected then. What is not closed is freed as the process ends.
 */
function freedAtClose(database: SqlDatabase): SqlDatabase {
  return {
    ...database,
    async close() {
      database.close();
      const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([import("node:v8"), import("node:vm")]);
      setFlagsFromString("--expose-gc");
      runInNewContext("gc")();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

async function driverOf(name: Driver["name"], { DatabaseSync }: NodeSqlite): Promise<Driver> {
  const { pathToFileURL } = await import("node:url");
  return {
    name,
    open(path, { readOnly = false, isImmutable = false } = {}) {
      const location = isImmutable ? `${pathToFileURL(path).href}?immutable=1` : path;
      return wrapDatabase(new DatabaseSync(location, { readOnly: readOnly || isImmutable }));
    },
  };
}

/** Without the warning that SQLite is experimental. Loading is synchronous, so no other warning is held back. */
async function loadQuietly(): Promise<NodeSqlite | undefined> {
  const { default: process } = await import("node:process");
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (rest[0] === "ExperimentalWarning" && String(warning).includes("SQLite")) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    return process.getBuiltinModule("node:sqlite") as NodeSqlite | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Some distributions build Node against a SQLite of their own. */
function hasFullText(sqlite: NodeSqlite): boolean {
  const database = new sqlite.DatabaseSync(":memory:", { readOnly: false });
  try {
    database.exec("CREATE VIRTUAL TABLE probe USING fts5(text)");
    return true;
  } catch {
    return false;
  } finally {
    database.close();
  }
}

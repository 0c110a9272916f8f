// SQLite through better-sqlite3, for Node versions that bring none. Decides nothing: it only fits the library to the port.
import { type Driver, type LibraryDatabase, wrapDatabase } from "./driver.ts";

/** Throws what loading throws: the package is not installed, or its native part was built for another Node. */
export async function loadBetterSqlite3Driver(): Promise<Driver> {
  const { default: Database } = await import("better-sqlite3");
  const { readFileSync } = await import("node:fs");
  // The native part is loaded by the first database, not by the import.
  new Database(":memory:").close();
  return {
    name: "better-sqlite3",
    open(path, { readOnly = false, isImmutable = false } = {}) {
      const file = isImmutable ? withoutLog(readFileSync(path)) : path;
      return wrapDatabase(new Database(file, { readonly: readOnly || isImmutable }) as unknown as LibraryDatabase);
    },
  };
}

/**
 * This library takes no address that says "immutable": the file is read as a whole, and its mark that changes may stand
 * in a log beside it is taken off, which a database in memory cannot have.
 */
function withoutLog(file: Buffer): Buffer {
  return file.fill(1, 18, 20);
}

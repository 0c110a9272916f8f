// SQLite through better-sqlite3, for Node versions that bring none. Decides nothing: it only fits the library to the port.
import type { Driver, SqlDatabase, SqlRow, SqlStatement, SqlValue } from "./driver.ts";

interface NativeDatabase {
  prepare(sql: string): {
    all(...values: readonly SqlValue[]): unknown[];
    get(...values: readonly SqlValue[]): unknown;
    run(...values: readonly SqlValue[]): { readonly changes: number; readonly lastInsertRowid: number | bigint };
  };
  exec(sql: string): unknown;
  close(): unknown;
}

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
      return wrap(new Database(file, { readonly: readOnly || isImmutable }) as unknown as NativeDatabase);
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

function wrap(database: NativeDatabase): SqlDatabase {
  const prepared = new Map<string, SqlStatement>();
  return {
    prepare(sql) {
      const known = prepared.get(sql);
      if (known !== undefined) return known;
      const statement = database.prepare(sql);
      const made: SqlStatement = {
        all: (...values) => statement.all(...values) as SqlRow[],
        get: (...values) => statement.get(...values) as SqlRow | undefined,
        run(...values) {
          const { changes, lastInsertRowid } = statement.run(...values);
          return { changes, lastInsertRowid: Number(lastInsertRowid) };
        },
      };
      prepared.set(sql, made);
      return made;
    },
    exec(sql) {
      database.exec(sql);
    },
    close() {
      prepared.clear();
      database.close();
    },
  };
}

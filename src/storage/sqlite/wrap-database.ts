// What both SQLite libraries have in common, fitted to the port: statements prepared once a text, figures as numbers.
import type { SqlDatabase, SqlRow, SqlStatement, SqlValue } from "../driver.ts";

/** The part of a library's database that is used. */
export interface LibraryDatabase {
  prepare(sql: string): {
    all(...values: readonly SqlValue[]): unknown[];
    get(...values: readonly SqlValue[]): unknown;
    run(...values: readonly SqlValue[]): {
      readonly changes: number | bigint;
      readonly lastInsertRowid: number | bigint;
    };
  };
  exec(sql: string): unknown;
  close(): unknown;
}

export function wrapDatabase(database: LibraryDatabase): SqlDatabase {
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
          return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) };
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

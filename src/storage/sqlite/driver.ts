// The contract of an embedded SQL database: what the stores need of SQLite, whichever library brings it. Synchronous,
// as both libraries are; waiting for other processes is sqlite/transactions.ts.

export type SqlValue = string | number | bigint | null | Uint8Array;
export type SqlRow = Readonly<Record<string, SqlValue>>;

interface SqlStatement {
  all(...values: readonly SqlValue[]): readonly SqlRow[];
  get(...values: readonly SqlValue[]): SqlRow | undefined;
  run(...values: readonly SqlValue[]): { readonly changes: number; readonly lastInsertRowid: number };
}

export interface SqlDatabase {
  /** Prepared once a text; values are bound by position to `?`. */
  prepare(sql: string): SqlStatement;
  /** Runs statements without values or results. */
  exec(sql: string): void;
  close(): void | Promise<void>;
}

interface OpenDatabaseOptions {
  readonly readOnly?: boolean;
  /** Nobody changes the file: no lock, no file beside it. Implies `readOnly`. For write-ahead files in read-only folders. */
  readonly isImmutable?: boolean;
}

export interface Driver {
  readonly name: "node:sqlite" | "@photostructure/sqlite";
  /** Opens or creates the file; `:memory:` is a database of its own. Throws what the library throws. */
  open(path: string, options?: OpenDatabaseOptions): SqlDatabase;
}

// What both SQLite libraries have in common, fitted to the port: statements prepared once a text, figures as numbers.

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

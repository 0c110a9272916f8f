// The contract of an embedded SQL database: what the stores need of SQLite, whichever library brings it. Synchronous,
// as both libraries are; waiting for other processes is sqlite/transactions.ts.

export type SqlValue = string | number | bigint | null | Uint8Array;
export type SqlRow = Readonly<Record<string, SqlValue>>;

export interface SqlStatement {
  all(...values: readonly SqlValue[]): readonly SqlRow[];
  get(...values: readonly SqlValue[]): SqlRow | undefined;
  run(...values: readonly SqlValue[]): { readonly changes: number; readonly lastInsertRowid: number };
}

export interface SqlDatabase {
  /** Prepared once a text; values are bound by position to `?`. */
  prepare(sql: string): SqlStatement;
  /** Runs statements without values or results. */
  exec(sql: string): void;
  close(): void;
}

export interface OpenDatabaseOptions {
  readonly readOnly?: boolean;
  /** Nobody changes the file: no lock, no file beside it. Implies `readOnly`. For write-ahead files in read-only folders. */
  readonly isImmutable?: boolean;
}

export interface Driver {
  readonly name: "node:sqlite" | "better-sqlite3";
  /** Opens or creates the file; `:memory:` is a database of its own. Throws what the library throws. */
  open(path: string, options?: OpenDatabaseOptions): SqlDatabase;
}

// Transactions on one connection: reads see one state, writes are all or nothing. Another process's lock is waited for
// without holding up the event loop, up to a bound. What the statements say is the store's.
import { CompactError } from "../../errors.ts";
import type { SqlDatabase, SqlRow, SqlValue } from "./driver.ts";
import { isBusy, sqliteFailure, sqliteReason } from "./sqlite-failure.ts";

/** The statements of one transaction; refuses every call once that is over. */
export interface Sql {
  all(sql: string, ...values: readonly SqlValue[]): readonly SqlRow[];
  get(sql: string, ...values: readonly SqlValue[]): SqlRow | undefined;
  run(sql: string, ...values: readonly SqlValue[]): { readonly changes: number; readonly lastInsertRowid: number };
  /** Several statements without values or results. */
  script(sql: string): void;
}

export interface Transactions {
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** @throws StoreFailed with code `STORE_READ_ONLY` or `STORE_BUSY` before `work` is called. */
  write<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** After what was asked for before. */
  close(): Promise<void>;
}

interface TransactionsOptions {
  readonly database: SqlDatabase;
  /** For messages. */
  readonly path: string;
  readonly isReadOnly: boolean;
  /** How long another process's lock is waited for, in milliseconds. Default 20,000. */
  readonly patience?: number;
}

const WHAT = { read: "read the database", write: "write to the database" } as const;
const PATIENCE = 20_000;
/** How long SQLite itself may wait in one call, which nothing else can run in: a few frames where we can come again. */
const SHORT_WAIT = "PRAGMA busy_timeout=25";
const LONG_WAIT = "PRAGMA busy_timeout=5000";
/** Takes the read lock, and with it the state that is read. */
const LOOK = "SELECT 1 FROM sqlite_schema LIMIT 1";

interface Scope {
  readonly sql: Sql;
  /** Throws what took the transaction away meanwhile, as a full disk does. */
  check(): void;
  end(): void;
}

export function createTransactions(options: TransactionsOptions): Transactions {
  const { database, path, isReadOnly, patience = PATIENCE } = options;
  const turns = createTurns();
  let isOpen = true;

  /** False when another process is in the way. */
  const begin = (statement: string, look: boolean): boolean => {
    database.exec(SHORT_WAIT);
    try {
      database.exec(statement);
      if (look) database.prepare(LOOK).get();
      return true;
    } catch (error) {
      rollBack(database);
      if (isBusy(error)) return false;
      throw error;
    } finally {
      database.exec(LONG_WAIT);
    }
  };

  const run = async <T>(kind: TurnKind, scope: Scope, isLate: () => boolean, work: (sql: Sql) => Promise<T>) => {
    const hasBegun = kind === "write" ? begin("BEGIN IMMEDIATE", false) : begin("BEGIN", true);
    if (!hasBegun && isLate()) throw busy(WHAT[kind], path, patience);
    if (!hasBegun) return { after: pause() };
    const result = await work(scope.sql);
    scope.check();
    await commit(database, isLate);
    return { result };
  };

  const inTurn = <T>(kind: TurnKind, work: (sql: Sql) => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const isLate = () => performance.now() - startedAt > patience;
    return turns.take(kind, async () => {
      if (!isOpen) throw closed(path);
      const scope = createScope(database, path, WHAT[kind]);
      try {
        return await run(kind, scope, isLate, work);
      } catch (error) {
        rollBack(database);
        throw sqliteReason(error) === undefined ? error : sqliteFailure(WHAT[kind], path, error);
      } finally {
        scope.end();
      }
    });
  };

  return {
    read: (work) => inTurn("read", work),
    async write(work) {
      if (isReadOnly) throw readOnly(path);
      return inTurn("write", work);
    },
    close: () =>
      // As a write: it comes after every write that waits.
      turns.take("write", async () => {
        const wasOpen = isOpen;
        isOpen = false;
        if (wasOpen) await closeDatabase(database, isReadOnly);
        return { result: undefined };
      }),
  };
}

function createScope(database: SqlDatabase, path: string, what: string): Scope {
  let isOver = false;
  let loss: CompactError | undefined;
  const guarded = <T>(call: () => T): T => {
    if (isOver) throw transactionOver();
    if (loss !== undefined) throw loss;
    try {
      return call();
    } catch (error) {
      const failure = sqliteFailure(what, path, error);
      if (!isInTransaction(database)) loss = failure;
      throw failure;
    }
  };
  return {
    sql: {
      all: (sql, ...values) => guarded(() => database.prepare(sql).all(...values)),
      get: (sql, ...values) => guarded(() => database.prepare(sql).get(...values)),
      run: (sql, ...values) => guarded(() => database.prepare(sql).run(...values)),
      script: (sql) => guarded(() => database.exec(sql)),
    },
    check() {
      if (loss !== undefined) throw loss;
    },
    end() {
      isOver = true;
    },
  };
}

/** Readers of a file without write-ahead log hold up a commit, which can be repeated. */
async function commit(database: SqlDatabase, isLate: () => boolean): Promise<void> {
  database.exec(SHORT_WAIT);
  try {
    for (;;) {
      try {
        database.exec("COMMIT");
        return;
      } catch (error) {
        if (!isBusy(error) || isLate()) throw error;
        await new Promise((resolve) => setTimeout(resolve, pause()));
      }
    }
  } finally {
    database.exec(LONG_WAIT);
  }
}

/** A second BEGIN is refused inside a transaction: the only way to ask that both libraries have. */
function isInTransaction(database: SqlDatabase): boolean {
  try {
    database.exec("BEGIN");
  } catch {
    return true;
  }
  rollBack(database);
  return false;
}

function rollBack(database: SqlDatabase): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // SQLite has rolled back by itself, or nothing had begun.
  }
}

async function closeDatabase(database: SqlDatabase, isReadOnly: boolean): Promise<void> {
  try {
    if (!isReadOnly) database.exec("PRAGMA wal_checkpoint(PASSIVE)");
  } catch {
    // Another process is at work; the next one to close does it.
  }
  await database.close();
}

/** Of random length, so that processes that wait do not come back all at once. */
function pause(): number {
  return 5 + Math.random() * 30;
}

// Who may use the one connection now: one after another, in the order of asking. A writer that waits for another process
// gives its turn away for that time, to reads alone, and keeps its place before all other writers.

type TurnKind = "read" | "write";

/** Ends a turn unfinished: it comes again after the pause, in milliseconds. */
interface ComeAgain {
  readonly after: number;
}

interface Turns {
  /** Rejects with what `turn` throws. */
  take<T>(kind: TurnKind, turn: () => Promise<{ readonly result: T } | ComeAgain>): Promise<T>;
}

interface Waiting {
  readonly kind: TurnKind;
  /** Gives the pause where it must come again. */
  readonly run: () => Promise<number | undefined>;
}

function createTurns(): Turns {
  const waiting: Waiting[] = [];
  let isTaken = false;
  let isWriterHeldUp = false;

  const next = (): void => {
    if (isTaken) return;
    const index = isWriterHeldUp ? waiting.findIndex(({ kind }) => kind === "read") : 0;
    const [turn] = index < 0 ? [] : waiting.splice(index, 1);
    if (turn === undefined) return;
    isTaken = true;
    void turn.run().then((pause) => {
      isTaken = false;
      if (pause !== undefined) holdUp(turn, pause);
      next();
    });
  };

  const holdUp = (turn: Waiting, pause: number): void => {
    const isWriter = turn.kind === "write";
    if (isWriter) isWriterHeldUp = true;
    setTimeout(() => {
      if (isWriter) isWriterHeldUp = false;
      waiting.unshift(turn);
      next();
    }, pause);
  };

  return {
    take: (kind, turn) =>
      new Promise((resolve, reject) => {
        const run = async () => {
          try {
            const outcome = await turn();
            if ("after" in outcome) return outcome.after;
            resolve(outcome.result);
          } catch (error) {
            reject(error);
          }
          return undefined;
        };
        waiting.push({ kind, run });
        next();
      }),
  };
}

// Why a transaction could not be, in words: another process's lock, a file that is read-only, a call that comes too late.

function busy(what: string, path: string, patience: number): CompactError {
  const seconds = Math.round(patience / 1000);
  return new CompactError("StoreFailed", `could not ${what}: ${path} is locked by another process for ${seconds} s`, {
    code: "STORE_BUSY",
    hint: "Another process is writing for long: try again, or end that process.",
    data: { path },
  });
}

function readOnly(path: string): CompactError {
  return new CompactError("StoreFailed", `could not write to the database: ${path} is read-only`, {
    code: "STORE_READ_ONLY",
    hint: "Give this user write permission on the file and its folder, or copy the file elsewhere.",
    data: { path },
  });
}

function closed(path: string): CompactError {
  return new CompactError("StoreFailed", `the database is closed: ${path}`, {
    code: "STORE_CLOSED",
    hint: "Open a store again before reading or writing.",
    data: { path },
  });
}

function transactionOver(): CompactError {
  return new CompactError("StoreFailed", "nothing was read or written: the transaction is over", {
    code: "TRANSACTION_OVER",
    hint: "Wait for every call inside the export function given to read() or write().",
  });
}

// Opens a database file: which files are taken, what is made, the settings of the connection, and how a file that
// cannot be written is still read. What tables it must hold is the store's to say.
import { CompactError } from "../../errors.ts";
import { errorCode, fileFailure } from "../files.ts";
import type { Driver, SqlDatabase } from "./driver.ts";
import { loadNodeSqliteDriver, loadPackagedSqliteDriver } from "./node-sqlite-driver.ts";
import { isBusy, sqliteFailure, sqliteReason } from "./sqlite-failure.ts";
import type { OpenedStore, SqliteStoreOptions } from "./sqlite-store.ts";
import { createTransactions, type Sql, type Transactions } from "./transactions.ts";

interface OpenFileOptions {
  /** `:memory:` is a database of its own. */
  readonly path: string;
  readonly driver: Driver;
  /** Make the file, and the folders to it, where there is none. Only the owner can read what is made. */
  readonly create: boolean;
}

interface OpenedDatabase {
  readonly database: SqlDatabase;
  /** Absolute. */
  readonly path: string;
  readonly isReadOnly: boolean;
}

const MEMORY = ":memory:";
const PATIENCE = 20_000;
/** How long the switch to a write-ahead log is tried while others use the file. */
const LOG_PATIENCE = 2_000;
/** Node's SQLite keeps 2 MB of pages by default, too few for an index over a million rows. */
const CACHE = "PRAGMA cache_size=-32000";

interface Preparation<Reader, Writer> {
  /** What one transaction reads and writes with. */
  readonly reader: (sql: Sql) => Reader;
  readonly writer: (sql: Sql) => Writer;
}

interface OpenedFile {
  /** Absolute. */
  readonly path: string;
  readonly mayCreate: boolean;
  readonly isReadOnly: boolean;
}

/**
 * Opens the file of a store. `prepare` checks its tables and makes those that are missing. Throws as `openDatabase`,
 * `findDriver` and `prepare` do, with the file closed again.
 */
export async function openTables<Reader, Writer>(
  { path: given, create = false, driver }: SqliteStoreOptions,
  prepare: (transactions: Transactions, file: OpenedFile) => Promise<Preparation<Reader, Writer>>,
): Promise<OpenedStore<Reader, Writer>> {
  const opened = await openDatabase({ path: given, create, driver: driver ?? (await findDriver()) });
  const { path, isReadOnly } = opened;
  const transactions = createTransactions(opened);
  try {
    const mayCreate = (create || path === MEMORY) && !isReadOnly;
    const { reader, writer } = await prepare(transactions, { path, mayCreate, isReadOnly });
    return {
      read: (work) => transactions.read((sql) => work(reader(sql))),
      write: (work) => transactions.write((sql) => work(writer(sql))),
      close: () => transactions.close(),
    };
  } catch (error) {
    await transactions.close();
    throw error;
  }
}

/**
 * @throws NotFound for a missing file that is not to be made, InvalidInput for a folder or a file that is no database,
 * StoreFailed for what cannot be read or stays locked.
 */
export async function openDatabase({ path: given, driver, create }: OpenFileOptions): Promise<OpenedDatabase> {
  if (given === MEMORY) return { database: configured(driver.open(MEMORY)), path: MEMORY, isReadOnly: false };
  const { resolve } = await import("node:path");
  const path = resolve(given);
  const mayWrite = await lookAt(path, create);
  const opened = await untilFree(path, () => openAsMayBe(driver, path, mayWrite));
  if (!opened.isReadOnly) await useWriteAheadLog(opened.database);
  configured(opened.database);
  return { ...opened, path };
}

/** Gives whether the file can be written, as far as its permissions tell. */
async function lookAt(path: string, create: boolean): Promise<boolean> {
  const { access, constants, stat } = await import("node:fs/promises");
  const { dirname } = await import("node:path");
  try {
    const found = await stat(path).catch((error) => {
      if (errorCode(error) === "ENOENT") return undefined;
      throw error;
    });
    if (found === undefined) {
      if (!create) throw notFound(path);
      await makeFile(path);
      return true;
    }
    if (!found.isFile()) throw notAFile(path, found.isDirectory() ? "a folder" : "not a file");
    await access(path, constants.R_OK);
  } catch (error) {
    throw fileFailure("StoreFailed", "open the database", path, error);
  }
  const mayWrite = (what: string) =>
    access(what, constants.W_OK).then(
      () => true,
      () => false,
    );
  return (await mayWrite(path)) && (await mayWrite(dirname(path)));
}

/** An empty file is an empty database. Files that SQLite puts beside it take over its mode. */
async function makeFile(path: string): Promise<void> {
  const { mkdir, open } = await import("node:fs/promises");
  const { dirname } = await import("node:path");
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await (await open(path, "wx", 0o600)).close();
  } catch (error) {
    // Another process has made it meanwhile: then both use it. To open it here as well would, at closing, end the locks
    // that this process holds on it.
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

function openChecked(
  driver: Driver,
  path: string,
  options: { isImmutable?: boolean; readOnly?: boolean },
): SqlDatabase {
  const database = driver.open(path, options);
  try {
    database.exec("PRAGMA busy_timeout=25");
    // The file is not looked at before the first statement.
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

type Opened = Pick<OpenedDatabase, "database" | "isReadOnly">;

async function openAsMayBe(driver: Driver, path: string, mayWrite: boolean): Promise<Opened> {
  if (!mayWrite) return { database: await openToRead(driver, path), isReadOnly: true };
  try {
    return { database: openChecked(driver, path, {}), isReadOnly: false };
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    return { database: await openToRead(driver, path), isReadOnly: true };
  }
}

/**
 * A file with a write-ahead log needs a second file beside it even to be read. Where that cannot be made, and no log is
 * left, the file says everything.
 */
async function openToRead(driver: Driver, path: string): Promise<SqlDatabase> {
  try {
    return openChecked(driver, path, { readOnly: true });
  } catch (error) {
    if (!isUnwritable(error) || (await hasLog(path))) throw error;
    return openChecked(driver, path, { isImmutable: true });
  }
}

function isUnwritable(error: unknown): boolean {
  const reason = sqliteReason(error);
  return reason === "CANTOPEN" || reason === "READONLY";
}

async function hasLog(path: string): Promise<boolean> {
  const { stat } = await import("node:fs/promises");
  return stat(`${path}-wal`).then(
    ({ size }) => size > 0,
    (error) => errorCode(error) !== "ENOENT",
  );
}

async function untilFree(path: string, open: () => Promise<Opened>): Promise<Opened> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!isBusy(error) || performance.now() - startedAt > PATIENCE) {
        throw sqliteFailure("open the database", path, error);
      }
      await pause();
    }
  }
}

/** Where that cannot be, as on some network folders, the mode that the file has serves too. */
async function useWriteAheadLog(database: SqlDatabase): Promise<void> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < LOG_PATIENCE) {
    try {
      if (database.prepare("PRAGMA journal_mode").get()?.journal_mode === "wal") return;
      database.prepare("PRAGMA journal_mode=WAL").get();
      return;
    } catch (error) {
      if (!isBusy(error)) return;
      await pause();
    }
  }
}

function configured(database: SqlDatabase): SqlDatabase {
  for (const setting of [CACHE, "PRAGMA synchronous=NORMAL", "PRAGMA foreign_keys=ON", "PRAGMA busy_timeout=5000"]) {
    database.exec(setting);
  }
  return database;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 30));
}

function notFound(path: string): CompactError {
  return new CompactError("NotFound", `no database at ${path}`, {
    code: "NO_DATABASE",
    hint: "Check the path; a new store is made by saving or importing into it.",
    data: { path },
  });
}

function notAFile(path: string, what: string): CompactError {
  return new CompactError("InvalidInput", `${path} is ${what}, no database`, {
    code: "NOT_A_DATABASE",
    hint: "Give the path of a database file, such as memory.db in it.",
    data: { path },
  });
}

// The one place that chooses how SQLite is reached: Node's own where it is good enough, else the optional package.

/** @throws MissingDependency where neither can be loaded: says what to install or which Node to use. */
export async function findDriver(): Promise<Driver> {
  const own = await loadNodeSqliteDriver();
  if (own !== undefined) return own;
  try {
    return await loadPackagedSqliteDriver();
  } catch (cause) {
    throw missingDriver(cause);
  }
}

function missingDriver(cause: unknown): CompactError {
  const isAbsent = (cause as { code?: unknown } | null)?.code === "ERR_MODULE_NOT_FOUND";
  const why = isAbsent ? "@photostructure/sqlite is not installed" : "@photostructure/sqlite does not load here";
  return new CompactError("MissingDependency", `no SQLite: this Node brings none, and ${why}`, {
    code: "NO_SQLITE",
    hint: isAbsent
      ? "Use Node 22.13 or later, or run `npm install @photostructure/sqlite`."
      : "Use Node 22.13 or later, or run `npm rebuild @photostructure/sqlite`.",
    data: { package: "@photostructure/sqlite" },
    cause,
  });
}

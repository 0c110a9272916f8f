// The memory store in an SQLite file, the reference's schema as it is: another program's memory.db opens unchanged, and
// several processes may share it. Decides when the file is opened and who closes it.
import { CompactError } from "../errors.ts";
import type { Driver } from "../storage/driver.ts";
import type { ObservationStore } from "./observation-store.ts";
import { type OpenStore, openStore } from "./sqlite/open-store.ts";
import { createReader } from "./sqlite/reader.ts";
import { createWriter } from "./sqlite/writer.ts";

export interface SqliteObservationStoreOptions {
  /** The database file; `:memory:` is one of its own. */
  readonly path: string;
  /** Make the file, and its folder, where there is none. Default false: a missing file is an error. */
  readonly create?: boolean;
  /** How SQLite is reached. Default: `node:sqlite` where this Node brings it, else the package `better-sqlite3`. */
  readonly driver?: Driver;
}

export interface SqliteObservationStore extends ObservationStore {
  /**
   * Opens the file now rather than at the first use, to fail early. A failure is not remembered: the next use tries again.
   * @throws MissingDependency without SQLite, NotFound for a missing file, InvalidInput for a file that is no memory
   * store, StoreFailed for one that cannot be read.
   */
  open(): Promise<void>;
}

/** Opened at the first use. Throws as its `open`, besides what the contract says. */
export function createSqliteObservationStore(options: SqliteObservationStoreOptions): SqliteObservationStore {
  const { path, create = false, driver } = options;
  let opening: Promise<OpenStore> | undefined;
  let isClosed = false;

  const opened = (): Promise<OpenStore> => {
    if (isClosed) return Promise.reject(closed(path));
    if (opening === undefined) {
      const started = openStore({ path, create, ...(driver === undefined ? {} : { driver }) });
      opening = started;
      started.catch(() => {
        opening = undefined;
      });
    }
    return opening;
  };

  return {
    adapter: "sqlite",
    location: path,
    async open() {
      await opened();
    },
    async read(work) {
      const { transactions, shape } = await opened();
      return transactions.read((sql) => work(createReader(sql, shape)));
    },
    async write(work) {
      const { transactions, shape } = await opened();
      return transactions.write((sql) => work(createWriter(sql, shape, createReader(sql, shape))));
    },
    async close() {
      isClosed = true;
      // A file that could not be opened needs no closing.
      await opening?.then(
        ({ transactions }) => transactions.close(),
        () => undefined,
      );
    },
  };
}

function closed(path: string): CompactError {
  return new CompactError("StoreFailed", `the memory store is closed: ${path}`, {
    code: "STORE_CLOSED",
    hint: "Open a store again before reading or writing.",
    data: { path },
  });
}

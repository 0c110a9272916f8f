// The memory store in an SQLite file, the reference's schema as it is: another program's memory.db opens unchanged, and
// several processes may share it. Decides when the file is opened and who closes it.
import { CompactError } from "../errors.ts";
import type { Driver } from "../storage/sqlite/driver.ts";
import type { ObservationStore } from "./observation-store.ts";
import type { OpenStore, OpenStoreOptions } from "./sqlite/open-store.ts";

export interface SqliteObservationStoreOptions {
  /** The database file; `:memory:` is one of its own. */
  readonly path: string;
  /** Make the file, and its folder, where there is none. Default false: a missing file is an error. */
  readonly create?: boolean;
  /** How SQLite is reached. Default: `node:sqlite` where this Node brings it, else the package `@photostructure/sqlite`. */
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

  // Not async: what was asked before `close` must be there before it.
  const opened = (): Promise<OpenStore> => {
    if (isClosed) return Promise.reject(closed(path));
    opening ??= openFile({ path, create, ...(driver === undefined ? {} : { driver }) }).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };

  return {
    adapter: "sqlite",
    location: path,
    async open() {
      await opened();
    },
    read: async (work) => (await opened()).read(work),
    write: async (work) => (await opened()).write(work),
    async close() {
      isClosed = true;
      // A file that could not be opened needs no closing.
      await opening?.then(
        (file) => file.close(),
        () => undefined,
      );
    },
  };
}

/** SQLite's part is loaded with the first file. */
async function openFile(options: OpenStoreOptions): Promise<OpenStore> {
  const { openStore } = await import("./sqlite/open-store.ts");
  return openStore(options);
}

function closed(path: string): CompactError {
  return new CompactError("StoreFailed", `the memory store is closed: ${path}`, {
    code: "STORE_CLOSED",
    hint: "Open a store again before reading or writing.",
    data: { path },
  });
}

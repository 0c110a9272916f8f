// A store in an SQLite file, alone or beside others; several processes may share it. Decides when the file is opened and
// who closes it; SQLite itself is loaded with the first file.
import { CompactError } from "../../errors.ts";
import type { Driver } from "./driver.ts";

export interface SqliteStoreOptions {
  /** The database file; `:memory:` is one of its own. */
  readonly path: string;
  /** Make the file, its folder and its tables where there are none. Default false: a file without a store is an error. */
  readonly create?: boolean;
  /** How SQLite is reached. Default: `node:sqlite` where this Node brings it, else the package `@photostructure/sqlite`. */
  readonly driver?: Driver;
}

export interface OpenedStore<Reader, Writer> {
  read<T>(work: (rows: Reader) => Promise<T>): Promise<T>;
  write<T>(work: (rows: Writer) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface SqliteStore<Reader, Writer> extends OpenedStore<Reader, Writer> {
  readonly adapter: "sqlite";
  readonly location: string;
  /** Opens the file now rather than at the first use. A failure is not remembered: the next use tries again. */
  open(): Promise<void>;
}

/** `closed`: what the error of a call after `close` says. */
export function createSqliteStore<Reader, Writer>(
  options: SqliteStoreOptions,
  closed: { readonly what: string; readonly hint: string },
  open: (options: SqliteStoreOptions) => Promise<OpenedStore<Reader, Writer>>,
): SqliteStore<Reader, Writer> {
  const { path } = options;
  let opening: Promise<OpenedStore<Reader, Writer>> | undefined;
  let isClosed = false;

  // Not async: what was asked before `close` must be there before it.
  const opened = (): Promise<OpenedStore<Reader, Writer>> => {
    if (isClosed) return Promise.reject(closedError());
    opening ??= open(options).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const closedError = () =>
    new CompactError("StoreFailed", `the ${closed.what} is closed: ${path}`, {
      code: "STORE_CLOSED",
      hint: closed.hint,
      data: { path },
    });

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

// A decision log in an SQLite file, alone or beside a memory store; several processes may share it. Decides when the file
// is opened and who closes it.
import { CompactError } from "../errors.ts";
import type { Driver } from "../storage/sqlite/driver.ts";
import type { DecisionLog } from "./decision-log.ts";
import type { OpenLog, OpenLogOptions } from "./sqlite/open-log.ts";

export interface SqliteDecisionLogOptions {
  /** The database file; `:memory:` is one of its own. */
  readonly path: string;
  /** Make the file and its tables where there are none. Default false: a file without a log is an error. */
  readonly create?: boolean;
  /** How SQLite is reached. Default: `node:sqlite` where this Node brings it, else the package `@photostructure/sqlite`. */
  readonly driver?: Driver;
}

export interface SqliteDecisionLog extends DecisionLog {
  /**
   * Opens the file now rather than at the first use, to fail early. A failure is not remembered: the next use tries again.
   * @throws MissingDependency without SQLite, NotFound for a missing file or one without a log, InvalidInput for another
   * program's file, StoreFailed for one that cannot be read.
   */
  open(): Promise<void>;
}

/** Opened at the first use. Throws as its `open`, besides what the contract says. */
export function createSqliteDecisionLog(options: SqliteDecisionLogOptions): SqliteDecisionLog {
  const { path, create = false, driver } = options;
  let opening: Promise<OpenLog> | undefined;
  let isClosed = false;

  // Not async: what was asked before `close` must be there before it.
  const opened = (): Promise<OpenLog> => {
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
async function openFile(options: OpenLogOptions): Promise<OpenLog> {
  const { openLog } = await import("./sqlite/open-log.ts");
  return openLog(options);
}

function closed(path: string): CompactError {
  return new CompactError("StoreFailed", `the decision log is closed: ${path}`, {
    code: "STORE_CLOSED",
    hint: "Open the log again before reading or writing.",
    data: { path },
  });
}

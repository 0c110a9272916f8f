// A decision log in an SQLite file, alone or beside a memory store.
import { createSqliteStore, type SqliteStoreOptions } from "../storage/sqlite/sqlite-store.ts";
import type { DecisionLog, DecisionReader, DecisionWriter } from "./decision-log.ts";

export type SqliteDecisionLogOptions = SqliteStoreOptions;

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
  const closed = { what: "decision log", hint: "Open the log again before reading or writing." };
  return createSqliteStore<DecisionReader, DecisionWriter>(options, closed, async (file) => {
    const { openLog } = await import("./sqlite/open-log.ts");
    return openLog(file);
  });
}

// The memory store in an SQLite file, the reference's schema as it is: another program's memory.db opens unchanged.
import { createSqliteStore, type SqliteStoreOptions } from "../storage/sqlite/sqlite-store.ts";
import type { ObservationReader, ObservationStore, ObservationWriter } from "./observation-store.ts";

export type SqliteObservationStoreOptions = SqliteStoreOptions;

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
  const closed = { what: "memory store", hint: "Open a store again before reading or writing." };
  return createSqliteStore<ObservationReader, ObservationWriter>(options, closed, async (file) => {
    const { openStore } = await import("./sqlite/open-store.ts");
    return openStore(file);
  });
}

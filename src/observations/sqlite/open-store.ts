// Opens the file of a memory store: a connection, the check of its tables, and what must be made before it serves.
import type { Driver } from "../../storage/driver.ts";
import { findDriver } from "../../storage/sqlite/find-driver.ts";
import { openDatabase } from "../../storage/sqlite/open-database.ts";
import { createTransactions, type Transactions } from "../../storage/sqlite/transactions.ts";
import type { ObservationStore } from "../observation-store.ts";
import { inspectSchema, type StoreShape } from "./check-schema.ts";
import { createReader } from "./reader.ts";
import { createWriter } from "./writer.ts";

/** Always new. */
const MEMORY = ":memory:";

export interface OpenStoreOptions {
  readonly path: string;
  readonly create: boolean;
  readonly driver?: Driver;
}

export type OpenStore = Pick<ObservationStore, "read" | "write" | "close">;

/** Throws as `openDatabase`, and InvalidInput for a database that is no memory store. */
export async function openStore({ path: given, create, driver }: OpenStoreOptions): Promise<OpenStore> {
  const opened = await openDatabase({ path: given, create, driver: driver ?? (await findDriver()) });
  const { database, path, isReadOnly } = opened;
  const transactions = createTransactions({ database, path, isReadOnly });
  try {
    const shape = await prepareTables(transactions, path, (create || path === MEMORY) && !isReadOnly);
    return {
      read: (work) => transactions.read((sql) => work(createReader(sql, shape))),
      write: (work) => transactions.write((sql) => work(createWriter(sql, shape, createReader(sql, shape)))),
      close: () => transactions.close(),
    };
  } catch (error) {
    await transactions.close();
    throw error;
  }
}

async function prepareTables(transactions: Transactions, path: string, mayCreate: boolean): Promise<StoreShape> {
  const found = await transactions.read(async (sql) => inspectSchema(sql, path, mayCreate));
  if (found.state === "complete") return found.shape;
  return transactions.write(async (sql) => {
    // Another process may have been faster.
    const now = inspectSchema(sql, path, mayCreate);
    if (now.state === "complete") return now.shape;
    for (const table of now.create) sql.script(table.sql);
    const made = inspectSchema(sql, path, mayCreate);
    if (made.state === "complete") return made.shape;
    throw new Error("the tables just made are not there");
  });
}

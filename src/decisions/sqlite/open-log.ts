// Opens the file of a decision log: a connection, the check of its tables, and what must be made before it serves.
import { openTables } from "../../storage/sqlite/open-database.ts";
import type { OpenedStore, SqliteStoreOptions } from "../../storage/sqlite/sqlite-store.ts";
import type { Sql, Transactions } from "../../storage/sqlite/transactions.ts";
import type { DecisionReader, DecisionWriter } from "../decision-log.ts";
import { createReader } from "./reader.ts";
import { rebuild } from "./record-rows.ts";
import { FORMAT, inspectSchema, MADE, META, TABLES } from "./schema.ts";
import { createWriter } from "./writer.ts";

/** Throws as `openTables`; NotFound for a database without a log; InvalidInput for another program's. */
export function openLog(options: SqliteStoreOptions): Promise<OpenedStore<DecisionReader, DecisionWriter>> {
  return openTables(options, async (transactions, { path, mayCreate, isReadOnly }) => {
    const isMade = await transactions.read(async (sql) => inspectSchema(sql, path, mayCreate));
    if (!isMade) await transactions.write(async (sql) => makeTables(sql, path));
    // A file that cannot be written is served as it is: its records are right, its wordings those of another version.
    if (!isReadOnly) await bringUpToDate(transactions);
    return { reader: createReader, writer: createWriter };
  });
}

function makeTables(sql: Sql, path: string): void {
  // Another process may have been faster.
  if (inspectSchema(sql, path, true)) return;
  for (const table of Object.values(TABLES)) sql.script(table);
  setMeta(sql, { format: FORMAT, ...MADE });
}

async function bringUpToDate(transactions: Transactions): Promise<void> {
  if (await transactions.read(async (sql) => isUpToDate(sql))) return;
  await transactions.write(async (sql) => {
    if (isUpToDate(sql)) return;
    rebuild(sql);
    setMeta(sql, MADE);
  });
}

function isUpToDate(sql: Sql): boolean {
  const versions = new Map(sql.all(`SELECT key, value FROM ${META}`).map(({ key, value }) => [key, value]));
  return Object.entries(MADE).every(([key, version]) => versions.get(key) === String(version));
}

function setMeta(sql: Sql, values: Readonly<Record<string, number>>): void {
  for (const [key, value] of Object.entries(values)) {
    sql.run(`INSERT OR REPLACE INTO ${META}(key, value) VALUES (?, ?)`, key, String(value));
  }
}

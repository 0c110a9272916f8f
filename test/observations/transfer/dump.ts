// A whole store as plain rows, to compare two of them; and the ways from a store to a text and back.
import type { ObservationStore } from "../../../src/observations/observation-store.ts";
import { exportObservations } from "../../../src/observations/transfer/export-observations.ts";
import { type ImportReport, importObservations } from "../../../src/observations/transfer/import-observations.ts";
import { readImportedRows } from "../../../src/observations/transfer/read-rows.ts";
import { NOW } from "../rows.ts";

const ALL = 1_000_000;

/** Relations without their own ids: nothing refers to them, and the store numbers them. */
export async function dump(store: ObservationStore) {
  return store.read(async (reader) => ({
    sessions: await reader.sessionsAfter("", ALL),
    observations: await reader.observationsAfter(-ALL, ALL),
    prompts: await reader.promptsAfter(-ALL, ALL),
    relations: (await reader.relationsAfter(-ALL, ALL)).map(({ id: _id, ...relation }) => relation),
  }));
}

export async function exportText(
  store: ObservationStore,
  filter: { readonly project?: string; readonly scope?: string } = {},
): Promise<string> {
  let text = "";
  for await (const piece of exportObservations(store, { ...filter, now: () => NOW })) text += piece;
  return text;
}

export async function importText(store: ObservationStore, text: string, now = NOW): Promise<ImportReport> {
  return importObservations(store, readImportedRows(text), { now: () => now });
}

/** What a second import of the same text must say. */
export const NOTHING_ADDED = { added: 0, updated: 0, remapped: 0, sessions: 0, prompts: 0, relations: 0 };

export const lines = (...values: readonly unknown[]): string =>
  values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join("\n");

export const contents = async (store: ObservationStore): Promise<string[]> =>
  (await dump(store)).observations.map(({ content }) => content);

// Puts the rows of a file into a store so that doing it twice adds nothing. The order of the passes and the size of the
// transactions are decided here; what each pass does with a row is importing/.
import type { Clock } from "../../time.ts";
import { storedTime } from "../observation.ts";
import type { ObservationStore, ObservationWriter } from "../observation-store.ts";
import { createImportLog, type ImportLog, joinNotes } from "./import-log.ts";
import type { ImportedRows, ImportNote } from "./imported-rows.ts";
import { createImportState, type ImportCounts, type ImportState } from "./importing/import-state.ts";
import { type EntityIndex, placeEntities, readEntityIndex } from "./importing/place-entities.ts";
import { addWithFreeIds, addWithNewIds, settleKnown } from "./importing/place-observations.ts";
import { type PromptIndex, type PromptPass, placePrompts, readPromptIndex } from "./importing/place-prompts.ts";
import { placeRelations } from "./importing/place-relations.ts";
import { placeSessions } from "./importing/place-sessions.ts";

const STEP = 500;
/** Items of all passes that one transaction takes: other writers wait for it, a second or two. */
const TRANSACTION = 10_000;

export interface ImportRequest {
  readonly now: Clock;
  /** After each step: of `total` items, each counted once a pass. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Of the file's observations, `added + unchanged + updated + kept_newer` are in the store; the others are skipped. */
export interface ImportReport extends Readonly<ImportCounts> {
  readonly format: string;
  /** Items that are not imported, by reason, with their number and the positions of the first 20. */
  readonly skipped: readonly ImportNote[];
  /** Items that are imported otherwise than written, or that the store has in another state of the same age. */
  readonly notes: readonly ImportNote[];
  readonly dropped_fields: Readonly<Record<string, number>>;
}

interface Step {
  readonly size: number;
  run(writer: ObservationWriter): Promise<void>;
}

/**
 * Adds what the store does not have, updates rows of which the file has a later state, and leaves the rest alone. Ids stay
 * where they are free. A file of up to 10,000 items (each counted once a pass) is imported whole or not at all; a larger
 * one in transactions of that size, and when one of them fails, importing it again goes on where it stopped.
 * @throws StoreFailed as the store's `write` does.
 */
export async function importObservations(
  store: ObservationStore,
  rows: ImportedRows,
  { now, onProgress }: ImportRequest,
): Promise<ImportReport> {
  const log = createImportLog();
  const hasNamespaces = await store.read(async (reader) => reader.hasNamespaces);
  const fitting = hasNamespaces ? rows : withoutNamespaces(rows, log);
  const state = createImportState(fitting, storedTime(now()), log);
  await runSteps(store, state, importSteps(state), onProgress);
  const { skipped, notes, dropped_fields } = log.read();
  return {
    format: rows.format,
    ...state.counts,
    skipped: joinNotes(rows.skipped, skipped),
    notes: joinNotes(rows.notes, notes),
    dropped_fields: { ...rows.dropped_fields, ...dropped_fields },
  };
}

function importSteps(state: ImportState): Step[] {
  const { sessions, observations, prompts, relations } = state.rows;
  const rows = observations.filter(({ kind }) => kind === "row");
  const entities = observations.filter(({ kind }) => kind === "entity");
  const withIds = rows.filter(({ id }) => id !== undefined);
  const isGraph = entities.length > 0 || state.rows.format === "knowledge-graph";
  let entityIndex: EntityIndex | undefined;
  let promptIndex: PromptIndex | undefined;
  const entitiesOf = async (writer: ObservationWriter) => (entityIndex ??= await readEntityIndex(writer));
  const promptPass = (pass: PromptPass) =>
    steps(prompts, async (writer, chunk) => {
      promptIndex ??= await readPromptIndex(writer, prompts);
      await placePrompts(writer, state, promptIndex, chunk, pass);
    });
  return [
    ...steps(sessions, (writer, chunk) => placeSessions(writer, state, chunk)),
    ...steps(withIds, (writer, chunk) => settleKnown(writer, state, chunk)),
    ...steps(withIds, (writer, chunk) => addWithFreeIds(writer, state, chunk)),
    ...steps(rows, (writer, chunk) => addWithNewIds(writer, state, chunk)),
    ...steps(entities, async (writer, chunk) => placeEntities(writer, state, chunk, await entitiesOf(writer))),
    ...promptPass("known"),
    ...promptPass("free ids"),
    ...promptPass("new ids"),
    ...steps(relations, async (writer, chunk) =>
      placeRelations(writer, state, chunk, isGraph ? await entitiesOf(writer) : undefined),
    ),
  ];
}

function steps<Row>(rows: readonly Row[], run: (writer: ObservationWriter, chunk: readonly Row[]) => Promise<void>) {
  const all: Step[] = [];
  for (let from = 0; from < rows.length; from += STEP) {
    const chunk = rows.slice(from, from + STEP);
    all.push({ size: chunk.length, run: (writer) => run(writer, chunk) });
  }
  return all;
}

async function runSteps(
  store: ObservationStore,
  state: ImportState,
  all: readonly Step[],
  onProgress: ImportRequest["onProgress"],
): Promise<void> {
  const total = all.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  for (let next = 0; next < all.length; ) {
    await store.write(async (writer) => {
      if (next === 0) state.wasEmpty = (await writer.observationsAfter(Number.MIN_SAFE_INTEGER, 1)).length === 0;
      // Others may have written since the last transaction.
      if (!state.wasEmpty) state.equals.clear();
      for (let items = 0; next < all.length && items < TRANSACTION; next++) {
        const step = all[next];
        await step?.run(writer);
        items += step?.size ?? 0;
        done += step?.size ?? 0;
        onProgress?.(done, total);
      }
    });
  }
}

function withoutNamespaces(rows: ImportedRows, log: ImportLog): ImportedRows {
  const without = <Item extends { readonly row: { readonly namespace: string | null } }>(item: Item): Item => {
    if (item.row.namespace === null) return item;
    log.drop("namespace (this database has no such column)");
    return { ...item, row: { ...item.row, namespace: null } };
  };
  return { ...rows, observations: rows.observations.map(without), prompts: rows.prompts.map(without) };
}

// Puts the rows of a file into a store so that doing it twice adds nothing. The order of the passes and the size of the
// transactions are decided here; what each pass does with a row is place-observations.ts and place-relations.ts.
import { pushTo } from "../../text/words.ts";
import type { Clock } from "../../time.ts";
import { type Prompt, storedTime } from "../observation.ts";
import type { ObservationReader, ObservationStore, ObservationWriter } from "../observation-store.ts";
import { chunksOf, FIRST_ID, pagesAfter } from "../pages.ts";
import { createImportState, type ImportCounts, type ImportState, needSession, UNDATED } from "./import-state.ts";
import {
  createImportLog,
  type ImportedPrompt,
  type ImportedRows,
  type ImportedSession,
  type ImportLog,
  type ImportNote,
} from "./imported-rows.ts";
import { addWithFreeIds, addWithNewIds, updateKnown } from "./place-observations.ts";
import { type EntityIndex, placeEntities, placeRelations, readEntityIndex } from "./place-relations.ts";
import { timeOf } from "./table-rows.ts";

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
  const log = createImportLog(rows);
  const hasNamespaces = await store.read(async (reader) => reader.hasNamespaces);
  const fitting = hasNamespaces ? rows : withoutNamespaces(rows, log);
  const state = createImportState(fitting, storedTime(now()), log);
  await runSteps(store, state, importSteps(state), onProgress);
  return { format: rows.format, ...state.counts, ...log.read() };
}

function importSteps(state: ImportState): Step[] {
  const { sessions, observations, prompts, relations } = state.rows;
  const rows = observations.filter(({ kind }) => kind === "row");
  const entities = observations.filter(({ kind }) => kind === "entity");
  const withIds = rows.filter(({ id }) => id !== undefined);
  const isGraph = entities.length > 0 || state.rows.format === "knowledge-graph";
  let entityIndex: EntityIndex | undefined;
  let missing: MissingPrompt[] | undefined;
  const entitiesOf = async (writer: ObservationWriter) => (entityIndex ??= await readEntityIndex(writer));
  return [
    ...steps(sessions, (writer, chunk) => placeSessions(writer, state, chunk)),
    ...steps(withIds, (writer, chunk) => updateKnown(writer, state, chunk)),
    ...steps(withIds, (writer, chunk) => addWithFreeIds(writer, state, chunk)),
    ...steps(rows, (writer, chunk) => addWithNewIds(writer, state, chunk)),
    ...steps(entities, async (writer, chunk) => placeEntities(writer, state, chunk, await entitiesOf(writer))),
    ...steps(prompts, async (writer) => {
      missing ??= await missingPrompts(writer, state);
      for (const { prompt, id } of missing.splice(0, STEP)) await addPrompt(writer, state, prompt, id);
    }),
    ...steps(relations, async (writer, chunk) =>
      placeRelations(writer, state, chunk, isGraph ? await entitiesOf(writer) : undefined),
    ),
  ];
}

function steps<Row>(rows: readonly Row[], run: (writer: ObservationWriter, chunk: readonly Row[]) => Promise<void>) {
  return chunksOf(rows, STEP).map(
    (chunk): Step => ({ size: chunk.length, run: (writer: ObservationWriter) => run(writer, chunk) }),
  );
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
      if (next === 0) state.wasEmpty = (await writer.observationsAfter(FIRST_ID, 1)).length === 0;
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

// Puts the sessions of a file into the store. One that the store has is left alone, but for an end that came since.

const UNSTARTED = "no start of the session that can be read: its end or the import's";

async function placeSessions(
  writer: ObservationWriter,
  state: ImportState,
  sessions: readonly ImportedSession[],
): Promise<void> {
  for (const { position, row } of sessions) {
    const isNew = await writer.addSession({ ...row, started_at: row.started_at ?? row.ended_at ?? state.now });
    if (isNew) state.counts.sessions += 1;
    else await endOpen(writer, row);
    if (isNew && row.started_at === undefined) state.log.note(UNSTARTED, position);
    state.sessions.add(row.id);
  }
}

async function endOpen(writer: ObservationWriter, { id, ended_at, summary }: ImportedSession["row"]): Promise<void> {
  const known = ended_at === null ? undefined : await writer.session(id);
  if (ended_at === null || known === undefined || known.ended_at !== null) return;
  await writer.endSession(id, ended_at, summary ?? known.summary);
}

// Puts the prompts of a file into the store, by the rules of the observations. Prompts never change, so one that the store
// has is left alone.

interface MissingPrompt {
  readonly prompt: ImportedPrompt;
  /** The id it keeps; else it gets a new one. */
  readonly id: number | undefined;
}

/** Prompts that the store does not have. Those that need new ids come last, so that none takes the id of another. */
async function missingPrompts(reader: ObservationReader, { rows }: ImportState): Promise<MissingPrompt[]> {
  const prompts = rows.prompts.map((prompt) => ({
    prompt,
    id: prompt.id,
    key: keyOf(prompt.row, prompt.row.created_at),
  }));
  const { byId, equal } = await knownPrompts(reader, prompts);
  const isKnown = ({ id, key }: KeyedPrompt) => id !== undefined && byId.get(id) === key;
  const claimed = new Set(prompts.filter(isKnown).map(({ id }) => id));
  /** Whether the store has an equal one that stands for no other prompt of the file. */
  const takeEqual = (key: string) => {
    const ids = equal.get(key) ?? [];
    // Taken off the list, so that a prompt repeated a thousand times is not looked at a million times.
    let id = ids.pop();
    while (id !== undefined && claimed.has(id)) id = ids.pop();
    if (id !== undefined) claimed.add(id);
    return id !== undefined;
  };
  const withIds: MissingPrompt[] = [];
  const others: (KeyedPrompt & MissingPrompt)[] = [];
  for (const one of prompts) {
    if (isKnown(one)) continue;
    if (one.id === undefined || byId.has(one.id)) others.push({ ...one, id: undefined });
    // Where the text is a part, an equal prompt under another id may be one of another part.
    else if (rows.isPart === true || !takeEqual(one.key)) {
      byId.set(one.id, one.key);
      withIds.push(one);
    }
  }
  return [...withIds, ...others.filter(({ key }) => !takeEqual(key))];
}

interface KeyedPrompt {
  readonly id: number | undefined;
  readonly key: string;
}

/** The prompts of the store that can matter: what stands under the ids of the file, and ids by what makes prompts equal. */
async function knownPrompts(reader: ObservationReader, prompts: readonly KeyedPrompt[]) {
  const wantedIds = new Set(prompts.map(({ id }) => id));
  const wanted = new Set(prompts.map(({ key }) => key));
  const byId = new Map<number, string>();
  const equal = new Map<string, number[]>();
  for await (const page of pagesAfter((id, limit) => reader.promptsAfter(id, limit), FIRST_ID)) {
    for (const row of page) {
      const key = keyOf(row, timeOf(row.created_at));
      if (wantedIds.has(row.id)) byId.set(row.id, key);
      // With and without the time.
      for (const same of [key, keyOf(row, undefined)]) if (wanted.has(same)) pushTo(equal, same, row.id);
    }
  }
  return { byId, equal };
}

async function addPrompt(
  writer: ObservationWriter,
  state: ImportState,
  { row, position }: ImportedPrompt,
  id: number | undefined,
): Promise<void> {
  const dated = { ...row, created_at: row.created_at ?? state.now };
  if (row.created_at === undefined) state.log.note(UNDATED, position);
  await needSession(writer, state, row.session_id, row.project, dated.created_at);
  await writer.addPrompt(id === undefined ? dated : { ...dated, id });
  state.counts.prompts += 1;
}

/** The reference writes no project as an empty one. */
function keyOf(row: Omit<Prompt, "id" | "created_at">, createdAt: string | undefined): string {
  return JSON.stringify([row.session_id, row.content, row.project || null, row.namespace, createdAt]);
}

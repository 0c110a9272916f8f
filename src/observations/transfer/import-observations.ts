// Puts the rows of a file into a store so that doing it twice adds nothing. The order of the passes and the size of the
// transactions are decided here; what each pass does with a row is place-observations.ts and place-relations.ts.
import type { Clock } from "../../time.ts";
import { type Prompt, storedTime } from "../observation.ts";
import type { ObservationReader, ObservationStore, ObservationWriter } from "../observation-store.ts";
import { createImportState, type ImportCounts, type ImportState, needSession, UNDATED } from "./import-state.ts";
import {
  createImportLog,
  type ImportedPrompt,
  type ImportedRows,
  type ImportedSession,
  type ImportLog,
  type ImportNote,
  joinNotes,
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
    ...steps(withIds, (writer, chunk) => updateKnown(writer, state, chunk)),
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

// Puts the prompts of a file into the store, in the passes and by the rules of the observations. Prompts never change, so
// one that the store has is left alone.

const PROMPTS_A_PAGE = 1000;

/** The prompts of the store that can matter for the file. */
interface PromptIndex {
  readonly byId: Map<number, string>;
  /** Ids by what makes prompts equal, with and without the time. */
  readonly equal: Map<string, number[]>;
  readonly claimed: Set<number>;
  readonly placed: Set<ImportedPrompt>;
}

async function readPromptIndex(reader: ObservationReader, prompts: readonly ImportedPrompt[]): Promise<PromptIndex> {
  const wantedIds = new Set(prompts.map(({ id }) => id));
  const wanted = new Set(prompts.map(({ row }) => keyOf(row, row.created_at)));
  const index: PromptIndex = { byId: new Map(), equal: new Map(), claimed: new Set(), placed: new Set() };
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const page = await reader.promptsAfter(after, PROMPTS_A_PAGE);
    for (const row of page) {
      const key = keyOf(row, timeOf(row.created_at));
      if (wantedIds.has(row.id)) index.byId.set(row.id, key);
      for (const equal of [key, keyOf(row, undefined)]) if (wanted.has(equal)) addTo(index.equal, equal, row.id);
    }
    const last = page.at(-1);
    if (last === undefined) return index;
    after = last.id;
  }
}

type PromptPass = "known" | "free ids" | "new ids";

async function placePrompts(
  writer: ObservationWriter,
  state: ImportState,
  index: PromptIndex,
  prompts: readonly ImportedPrompt[],
  pass: PromptPass,
): Promise<void> {
  for (const prompt of prompts) {
    const key = keyOf(prompt.row, prompt.row.created_at);
    if (prompt.id !== undefined && index.byId.get(prompt.id) === key) addToIndex(index, prompt, prompt.id);
    if (index.placed.has(prompt) || !isDue(index, prompt, pass)) continue;
    // Where the text is a part, an equal prompt under another id may be one of another part.
    const isOwn = state.rows.isPart === true && pass === "free ids";
    const equal = isOwn ? undefined : nextEqual(index, key);
    if (equal !== undefined) addToIndex(index, prompt, equal);
    else await addPrompt(writer, state, index, prompt, pass === "new ids" ? undefined : prompt.id);
  }
}

/** Taken off the list, so that a prompt repeated a thousand times is not looked at a million times. */
function nextEqual(index: PromptIndex, key: string): number | undefined {
  const ids = index.equal.get(key) ?? [];
  while (ids.length > 0) {
    const id = ids.pop();
    if (id !== undefined && !index.claimed.has(id)) return id;
  }
  return undefined;
}

function isDue(index: PromptIndex, { id }: ImportedPrompt, pass: PromptPass): boolean {
  return pass === "new ids" || (pass === "free ids" && id !== undefined && !index.byId.has(id));
}

async function addPrompt(
  writer: ObservationWriter,
  state: ImportState,
  index: PromptIndex,
  prompt: ImportedPrompt,
  wanted: number | undefined,
): Promise<void> {
  const row = { ...prompt.row, created_at: prompt.row.created_at ?? state.now };
  if (prompt.row.created_at === undefined) state.log.note(UNDATED, prompt.position);
  await needSession(writer, state, row.session_id, row.project, row.created_at);
  const id = await writer.addPrompt(wanted === undefined ? row : { ...row, id: wanted });
  state.counts.prompts += 1;
  index.byId.set(id, keyOf(prompt.row, prompt.row.created_at));
  addToIndex(index, prompt, id);
}

function addToIndex(index: PromptIndex, prompt: ImportedPrompt, id: number): void {
  index.placed.add(prompt);
  index.claimed.add(id);
}

/** The reference writes no project as an empty one. */
function keyOf(row: Omit<Prompt, "id" | "created_at">, createdAt: string | undefined): string {
  return JSON.stringify([row.session_id, row.content, row.project || null, row.namespace, createdAt]);
}

function addTo(ids: Map<string, number[]>, key: string, id: number): void {
  const known = ids.get(key);
  if (known === undefined) ids.set(key, [id]);
  else known.push(id);
}

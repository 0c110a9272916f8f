// What an import remembers between its steps: which rows of the store stand for which of the file, and what to report.
import { jaccardOf } from "../../similarity/near-duplicates.ts";
import type { Observation } from "../observation.ts";
import type { ObservationReader, ObservationWriter } from "../observation-store.ts";
import { addSessionOnDemand } from "../saving/sessions.ts";
import type { ImportedObservation, ImportedRows, ImportLog, RowIdentity, UndatedObservation } from "./imported-rows.ts";
import { timeOf } from "./table-rows.ts";

export interface ImportCounts {
  added: number;
  unchanged: number;
  updated: number;
  kept_newer: number;
  remapped: number;
  sessions: number;
  prompts: number;
  relations: number;
}

/** Rows of the store that are equal and were created in the same second, or all equal ones for rows nobody knows when. */
export interface EqualRows {
  readonly live: EqualQueue;
  readonly deleted: EqualQueue;
  /** Rows that this import added. */
  added: number;
}

/** Rows before `next` stand for rows of the file. */
interface EqualQueue {
  readonly rows: Observation[];
  next: number;
}

/** A row of the file, as one of the store. */
export interface PlacedRow {
  readonly id: number;
  /** What the file says: undefined where it does not say when. */
  readonly deleted_at: string | null | undefined;
}

export type EqualsByTime = Map<string, EqualRows>;

export interface ImportState {
  readonly rows: ImportedRows;
  /** The time of the import, as it is stored. */
  readonly now: string;
  readonly counts: ImportCounts;
  readonly log: ImportLog;
  /** What the file calls by this key; where it calls several so, the first. */
  readonly keyed: Map<string, PlacedRow>;
  /** Ids that stand for a row of the file already: no other row of it can be the same one. */
  readonly claimed: Set<number>;
  readonly placed: Set<ImportedObservation>;
  /** Sessions that surely exist. */
  readonly sessions: Set<string>;
  /** Rows of the store by what makes rows equal. */
  readonly equals: Map<string, EqualsByTime>;
  /** True where the store had no observation when the import began: all there are now are the import's. */
  wasEmpty: boolean;
}

export function createImportState(rows: ImportedRows, now: string, log: ImportLog): ImportState {
  const written = { added: 0, unchanged: 0, updated: 0, kept_newer: 0, remapped: 0 };
  return {
    rows,
    now,
    log,
    counts: { ...written, sessions: 0, prompts: 0, relations: 0 },
    keyed: new Map(),
    claimed: new Set(),
    placed: new Set(),
    sessions: new Set(),
    equals: new Map(),
    wasEmpty: false,
  };
}

/** Said of rows that are added only: those that the store has keep their times. */
export const UNDATED = "no time of creation that can be read: the time of the import is taken";

/** Notes that a row of the file is this row of the store from now on. */
export function claim(state: ImportState, imported: ImportedObservation, id: number): void {
  state.claimed.add(id);
  state.placed.add(imported);
  const { key, row } = imported;
  if (key !== undefined && !state.keyed.has(key)) state.keyed.set(key, { id, deleted_at: row.deleted_at });
}

/** Writes a row that the store does not have. */
export async function addRow(
  writer: ObservationWriter,
  state: ImportState,
  imported: ImportedObservation,
  id: number | undefined,
): Promise<Observation> {
  const row = dated(imported.row, state.now);
  if (imported.row.created_at === undefined) state.log.note(UNDATED, imported.position);
  await needSession(writer, state, row.session_id, row.project, row.created_at);
  // A row that gets a new id is known again by its hash only.
  const hashed = id === undefined && row.normalized_hash === null ? { ...row, normalized_hash: imported.hash } : row;
  const stored = await writer.addObservation(id === undefined ? hashed : { ...hashed, id });
  state.counts.added += 1;
  if (imported.id !== undefined && stored !== imported.id) state.counts.remapped += 1;
  claim(state, imported, stored);
  return { ...hashed, id: stored };
}

/** Sessions that the file names without having them begin with their first row. */
export async function needSession(
  writer: ObservationWriter,
  state: ImportState,
  id: string,
  project: string | null,
  startedAt: string,
): Promise<void> {
  if (state.sessions.has(id)) return;
  if (await addSessionOnDemand(writer, id, project, startedAt)) state.counts.sessions += 1;
  state.sessions.add(id);
}

function dated(row: UndatedObservation, now: string): Omit<Observation, "id"> {
  const created_at = row.created_at ?? now;
  const updated_at = row.updated_at ?? created_at;
  return { ...row, created_at, updated_at, deleted_at: row.deleted_at === undefined ? updated_at : row.deleted_at };
}

// Decides which row of the store, if any, is the same as one of a file: by id and birth, or by its
// topic and birth. Rows that say the same are in place-observations.ts.

/**
 * True for the row under the file's id when it was born in the same second of the same session. Where neither has changed
 * since, they must say about the same, too: two stores can number different rows alike.
 */
export function isSameRow(found: Observation, { row }: ImportedObservation): boolean {
  if (found.session_id !== row.session_id) return false;
  const isSaidTheSame = found.title === row.title && found.content === row.content;
  // The file does not say when: then nothing but the same text tells.
  if (row.created_at === undefined) return isSaidTheSame;
  if (timeOf(found.created_at) !== row.created_at) return false;
  const isEdited = found.revision_count !== row.revision_count || timeOf(found.updated_at) !== row.updated_at;
  return isSaidTheSame || isEdited || jaccardOf(piecesOf(found), piecesOf(row)) >= ALIKE;
}

/** Below any copy that lost its accents or had names replaced, above two notes that have nothing but their form in common. */
const ALIKE = 0.4;
const COMPARED = 10_000;

/** Runs of three units: they tell texts apart in any script. */
function piecesOf({ title, content }: { readonly title: string; readonly content: string }): ReadonlySet<string> {
  const text = `${title}\n${content}`.slice(0, COMPARED).toLowerCase();
  const pieces = new Set<string>();
  for (let at = 0; at + 3 <= text.length; at++) pieces.add(text.slice(at, at + 3));
  return pieces;
}

/** A living document that was given another id here, and has changed since. */
export async function findTopic(
  reader: ObservationReader,
  state: ImportState,
  imported: ImportedObservation,
): Promise<Observation | undefined> {
  const { topic_key, project, scope, namespace, created_at } = imported.row;
  if (state.wasEmpty || topic_key === null || created_at === undefined) return undefined;
  const found = await reader.ofTopic(topic_key, project, scope, namespace);
  if (found === undefined) return undefined;
  if (!state.claimed.has(found.id) && isSameRow(found, imported)) return found;
  if (imported.row.deleted_at === null)
    state.log.note("another live row has its topic key: both stay, the later one is the topic's", imported.position);
  return undefined;
}

/** The row that one end of a relation names, where the row itself is not in the file. */
export async function findIdentity(reader: ObservationReader, identity: RowIdentity): Promise<number | undefined> {
  const isSame = (found: Observation) =>
    found.session_id === identity.session_id && timeOf(found.created_at) === identity.created_at;
  const byId = identity.id === undefined ? [] : await reader.observations([identity.id]);
  const namespace = reader.hasNamespaces ? identity.namespace : null;
  const found = byId.find(isSame) ?? (await reader.equals({ ...identity, namespace }, "any")).find(isSame);
  return found?.id;
}

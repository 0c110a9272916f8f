// What an import remembers between its steps: which rows of the store stand for which of the file, and what to report.
import type { Observation } from "../../observation.ts";
import type { ObservationWriter } from "../../observation-store.ts";
import type { ImportLog } from "../import-log.ts";
import type { ImportedObservation, ImportedRows, UndatedObservation } from "../imported-rows.ts";

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
  return {
    rows,
    now,
    log,
    counts: {
      added: 0,
      unchanged: 0,
      updated: 0,
      kept_newer: 0,
      remapped: 0,
      sessions: 0,
      prompts: 0,
      relations: 0,
    },
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
  const session = { id, project: project ?? "", directory: "", started_at: startedAt, ended_at: null, summary: null };
  if (await writer.addSession(session)) state.counts.sessions += 1;
  state.sessions.add(id);
}

function dated(row: UndatedObservation, now: string): Omit<Observation, "id"> {
  const created_at = row.created_at ?? now;
  const updated_at = row.updated_at ?? created_at;
  return { ...row, created_at, updated_at, deleted_at: row.deleted_at === undefined ? updated_at : row.deleted_at };
}

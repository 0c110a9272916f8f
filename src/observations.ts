// `agent-compact/observations`: what agents save between conversations. The store comes first in every call, options come
// last: `now`, a clock, and `trace`.
import {
  type ObservationCompactionRequest,
  type ObservationOptions,
  type ObservationStoreOptions,
  openObservationStore,
  planObservationCompaction,
} from "./factories/observations.ts";
import {
  applyObservationCompaction as apply,
  type CompactionReport,
} from "./observations/compaction/apply-observation-compaction.ts";
import {
  type CompactionResult,
  type CompactRequest,
  compactObservations as compactChosen,
} from "./observations/compaction/compact-observations.ts";
import type { CompactionPlan } from "./observations/compaction/compaction-plan.ts";
import {
  type FoundStale,
  findStaleObservations as findStale,
  identifyStaleObservations as identifyStale,
  type StaleObservations,
  type StaleRequest,
} from "./observations/compaction/find-stale.ts";
import {
  type RestoreRequest,
  type RestoreResult,
  restoreObservations as restore,
} from "./observations/compaction/restore-observations.ts";
import type { ObservationStore } from "./observations/observation-store.ts";
import {
  type SavedObservation,
  type SaveObservationRequest,
  saveObservation as save,
} from "./observations/saving/save-observation.ts";
import { type ExportRequest, exportObservations as exportRows } from "./observations/transfer/export-observations.ts";
import {
  type ImportReport,
  type ImportRequest,
  importObservations as importRows,
} from "./observations/transfer/import-observations.ts";
import type { ImportedRows } from "./observations/transfer/imported-rows.ts";
import { atNow } from "./time.ts";

export { createMemoryObservationStore } from "./observations/memory-observation-store.ts";
export type { NewObservation, Observation, Prompt, Relation, Session } from "./observations/observation.ts";
export type { ObservationReader, ObservationWriter } from "./observations/observation-store.ts";
export { type SearchRequest, searchObservations } from "./observations/reading/search-observations.ts";
export type {
  CompactionPlan,
  CompactionReport,
  CompactionResult,
  FoundStale,
  ImportedRows,
  ImportReport,
  ObservationCompactionRequest,
  ObservationOptions,
  ObservationStore,
  ObservationStoreOptions,
  RestoreResult,
  SavedObservation,
  SaveObservationRequest,
  StaleObservations,
};
export { openObservationStore, planObservationCompaction };

/**
 * Carries out a plan, group by group: one whose rows changed since is in `refused`, the others go on.
 * @throws InvalidInput (`INVALID_PLAN`) before anything is written; StoreFailed when the store takes no group at all.
 */
export function applyObservationCompaction(
  store: ObservationStore,
  plan: unknown,
  options: ObservationOptions = {},
): Promise<CompactionReport> {
  return apply(store, plan, atNow(options));
}

/** Plans and applies. Throws as the two do. */
export async function compactObservations(
  store: ObservationStore,
  request: ObservationCompactionRequest,
  options: ObservationOptions = {},
): Promise<{ readonly plan: CompactionPlan; readonly report: CompactionReport }> {
  const plan = await planObservationCompaction(store, request, options);
  return { plan, report: await applyObservationCompaction(store, plan, options) };
}

export interface ChosenObservationsRequest extends Omit<CompactRequest, "ids" | "olderThanDays"> {
  readonly ids: readonly number[];
  /** Rows younger than this are compacted, too, and named in the result. */
  readonly olderThanDays: number;
}

/**
 * Compacts the rows that somebody chose, under the summary that they wrote, if any. All or nothing.
 * @throws InvalidInput, NotFound and Conflict, which name the ids at fault; StoreFailed.
 */
export function compactChosenObservations(
  store: ObservationStore,
  request: ChosenObservationsRequest,
  options: ObservationOptions = {},
): Promise<CompactionResult> {
  return compactChosen(store, request, atNow(options));
}

/** Deleted rows, or a row that stands for others: all of them come back. */
export type RestoreObservationsRequest =
  | { readonly ids: readonly number[] }
  | { readonly summaryId: NonNullable<RestoreRequest["summaryId"]> };

/**
 * Brings back what compactions took out of the live memory. All or nothing.
 * @throws NotFound for unknown ids; Conflict for ids that are live and for a summary with nothing to bring back; StoreFailed.
 */
export function restoreObservations(
  store: ObservationStore,
  request: RestoreObservationsRequest,
  options: ObservationOptions = {},
): Promise<RestoreResult> {
  return restore(store, request, atNow(options));
}

export interface StaleObservationsRequest extends Omit<StaleRequest, "olderThanDays"> {
  /** Rows created more than this many times 24 hours ago are stale. Above 0; parts of a day are allowed. */
  readonly olderThanDays: number;
}

/** A page of stale rows, found by index. @throws InvalidInput for an invalid age; StoreFailed. */
export function findStaleObservations(
  store: ObservationStore,
  request: StaleObservationsRequest,
  options: ObservationOptions = {},
): Promise<FoundStale> {
  return findStale(store, request, atNow(options));
}

/** The same with totals, from one state of the store: every stale row is counted for them. */
export function identifyStaleObservations(
  store: ObservationStore,
  request: StaleObservationsRequest,
  options: ObservationOptions = {},
): Promise<StaleObservations> {
  return identifyStale(store, request, atNow(options));
}

/** @throws InvalidInput for a blank or too long text, and for a namespace where the database has none; StoreFailed. */
export function saveObservation(
  store: ObservationStore,
  request: SaveObservationRequest,
  options: ObservationOptions = {},
): Promise<SavedObservation> {
  return save(store, request, atNow(options));
}

/**
 * Pieces of one JSON text: deleted rows, relations and prompts included. Until the last piece was taken or the loop left,
 * the store is being read: do not write to it, or read it, inside of the loop.
 * @throws StoreFailed before or between pieces.
 */
export function exportObservations(
  store: ObservationStore,
  request: Omit<ExportRequest, "now"> = {},
  { now = Date.now }: ObservationOptions = {},
): AsyncGenerator<string> {
  return exportRows(store, { ...request, now });
}

/**
 * Rows of `readImportedRows`; in several transactions where they are many. Importing again goes on where it stopped.
 * @throws StoreFailed.
 */
export function importObservations(
  store: ObservationStore,
  rows: ImportedRows,
  { now = Date.now, ...options }: Partial<ImportRequest> = {},
): Promise<ImportReport> {
  return importRows(store, rows, { ...options, now });
}

/**
 * The rows of a text that was decoded already. Damaged lines and items without a text are left out and counted.
 * @throws InvalidInput `TRUNCATED_JSON` for one JSON text whose end is missing, with the `line` it ends in and what it ends
 * `inside` of; `UNKNOWN_FORMAT` where nothing in it is of a known format, or not of the format asked for.
 */
export async function readImportedRows(text: string, format = "auto"): Promise<ImportedRows> {
  const { readImportedRows: read } = await import("./observations/transfer/read-rows.ts");
  return read(text, format);
}

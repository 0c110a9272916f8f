// Compacts the observations that somebody chose: in one transaction they leave the live memory and the summary, if one
// was written, takes their place. Which rows are old enough to choose from is find-stale.ts; compaction
// without anybody choosing is plan- and apply-observation-compaction.ts.
import { attempt, emitDone } from "../../engine/attempt.ts";
import { CompactError } from "../../errors.ts";
import { DAY_MS } from "../../time.ts";
import {
  COMPACTED_FROM,
  createdAt,
  DEFAULT_SESSION,
  lastTouched,
  type Observation,
  SUMMARY_TYPE,
  storedTime,
} from "../observation.ts";
import type { ObservationFilter, ObservationStore, ObservationWriter } from "../observation-store.ts";
import { isId } from "../reading/row-view.ts";
import { matches, type RowsAsked, rowFilter } from "../row-filter.ts";
import { compactableRows, liveRows, MOST_COMPACTED, readIds } from "../saving/named-rows.ts";
import { addNew } from "../saving/save-observation.ts";
import { normalizedHash, optionalText, requiredText } from "../saving/stored-text.ts";
import { type CompactionOptions, OBSERVATIONS } from "./compaction-plan.ts";
import { readDays } from "./read-days.ts";

export interface CompactRequest extends RowsAsked {
  /** The age that was asked for when the candidates were listed: younger rows are compacted, and named. */
  readonly olderThanDays: unknown;
  /** A list of ids, or its JSON as text. */
  readonly ids: unknown;
  /** A live row that stands for the others, which it says the same as: instead of a summary. */
  readonly keptId?: number | undefined;
  /** Title and content go together. */
  readonly summaryTitle?: string | undefined;
  readonly summaryContent?: string | undefined;
  /** Session of the summary. Default `manual-save`. */
  readonly sessionId?: string | undefined;
}

export interface CompactionResult {
  readonly ids: readonly number[];
  /** The rows that left, as they were. */
  readonly rows: readonly Observation[];
  readonly deleted: number;
  /** Live rows of the filter, counted inside the transaction. */
  readonly before: number;
  readonly after: number;
  readonly filter: ObservationFilter;
  /** Id of the summary. */
  readonly summaryId?: number;
  /** The row that stands for the others in place of a summary. */
  readonly keptId?: number;
  /** Compacted although younger than the age, or of unreadable age. */
  readonly young: readonly number[];
  /** Compacted although updated within the window. */
  readonly living: readonly number[];
}

/**
 * All or nothing: a summary that cannot be stored leaves every row live.
 * @throws InvalidInput for a bad age, bad, empty or more than 200 ids, a title without content or the reverse; NotFound,
 * Conflict or InvalidInput that names ids which are unknown, deleted or of another project or scope; StoreFailed.
 */
export function compactObservations(
  store: ObservationStore,
  request: CompactRequest,
  options: CompactionOptions,
): Promise<CompactionResult> {
  const sessionId = request.sessionId?.trim() || DEFAULT_SESSION;
  const of = { ...OBSERVATIONS, sessionId };
  return attempt(of, options, async (watch) => {
    const result = await compactChosen(store, request, sessionId, options.now);
    const { ids, deleted, before, after } = result;
    emitDone("compact.applied", of, { ids, counts: { deleted, before, after } }, options, watch());
    return result;
  });
}

async function compactChosen(
  store: ObservationStore,
  request: CompactRequest,
  sessionId: string,
  now: number,
): Promise<CompactionResult> {
  const olderThanDays = readDays(request.olderThanDays);
  const ids = readIds("ids", request.ids, MOST_COMPACTED);
  const summary = readSummary(request);
  const kept = readKept(request, ids);
  const filter = rowFilter(request);
  return store.write(async (rows) => {
    const chosen = await compactableRows(rows, ids, filter);
    if (kept !== undefined) await liveRows(rows, [kept]);
    const before = await rows.count(filter, "live");
    const stored = summary && { ...summary, sessionId, ...summaryScope(chosen, filter) };
    const by = kept === undefined ? stored && { summary: stored } : { kept };
    const { deleted, standsFor } = await compactRows(rows, { ids, by, now });
    // Every id was of the filter, so a second count, which takes long in a large store, would say nothing new.
    const isCounted = stored !== undefined && matches({ ...stored, type: SUMMARY_TYPE, session_id: sessionId }, filter);
    return {
      ids,
      rows: chosen,
      deleted,
      before,
      after: before - deleted + (isCounted ? 1 : 0),
      filter,
      ...(kept === undefined ? {} : { keptId: kept }),
      ...(standsFor === undefined || kept !== undefined ? {} : { summaryId: standsFor }),
      ...marked(chosen, now - olderThanDays * DAY_MS),
    };
  });
}

/** The rows that such a request would take out of the live memory; nothing is written. Throws as `compactObservations`. */
export async function previewCompaction(
  store: ObservationStore,
  request: CompactRequest,
): Promise<readonly Observation[]> {
  readDays(request.olderThanDays);
  readSummary(request);
  const ids = readIds("ids", request.ids, MOST_COMPACTED);
  return store.read((rows) => compactableRows(rows, ids, rowFilter(request)));
}

function readSummary({
  summaryTitle,
  summaryContent,
}: CompactRequest): Pick<SummaryRow, "title" | "content"> | undefined {
  const title = optionalText("summary_title", summaryTitle);
  const content = optionalText("summary_content", summaryContent);
  if (title === null && content === null) return undefined;
  if (title !== null && content !== null) return { title, content };
  const [given, missing] = title === null ? ["summary_content", "summary_title"] : ["summary_title", "summary_content"];
  throw new CompactError("InvalidInput", `'${given}' requires '${missing}'.`, {
    code: "INCOMPLETE_SUMMARY",
    hint: `Send both, or neither to compact without a summary.`,
  });
}

function readKept(
  { keptId, summaryTitle, summaryContent }: CompactRequest,
  ids: readonly number[],
): number | undefined {
  if (keptId === undefined) return undefined;
  const hasSummary = optionalText("summary_title", summaryTitle) ?? optionalText("summary_content", summaryContent);
  if (isId(keptId) && !ids.includes(keptId) && hasSummary === null) return keptId;
  const what = hasSummary === null ? "is not a row that stays" : "and a summary cannot both stand for the rows";
  throw new CompactError("InvalidInput", `'kept_id' ${what}.`, {
    code: "INVALID_KEPT",
    hint: "Send the id of a live row outside of the ids, without summary_title and summary_content.",
  });
}

/** A summary belongs where its rows do: the filter's project or the one they share, the scope they share. */
function summaryScope(chosen: readonly Observation[], { project }: ObservationFilter) {
  const shared = <Column extends "project" | "scope" | "namespace">(
    column: Column,
  ): Observation[Column] | undefined => {
    const [first, ...others] = chosen.map((row) => row[column]);
    return others.every((value) => value === first) ? first : undefined;
  };
  return {
    project: project ?? shared("project") ?? null,
    scope: shared("scope") ?? "project",
    namespace: shared("namespace") ?? null,
  };
}

function marked(chosen: readonly Observation[], before: number): Pick<CompactionResult, "young" | "living"> {
  const young = chosen.filter((row) => !((createdAt(row) ?? before) < before));
  const isLiving = (row: Observation) => !young.includes(row) && (lastTouched(row) ?? 0) >= before;
  return { young: young.map(({ id }) => id), living: chosen.filter(isLiving).map(({ id }) => id) };
}

// The one writing of a compaction, inside the caller's transaction: rows leave the live memory, and one row, old or
// new, stands for them.

interface SummaryRow {
  readonly title: string;
  readonly content: string;
  /** Default `manual-save`; added when there is none of this id. */
  readonly sessionId?: string;
  readonly project: string | null;
  readonly scope: string;
  readonly namespace: string | null;
}

interface CompactRowsRequest {
  /** Live rows, each once. */
  readonly ids: readonly number[];
  /** Who stands for them: a live row that is kept, a summary to be stored, or nobody. */
  readonly by?: { readonly kept: number } | { readonly summary: SummaryRow } | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

interface CompactedRows {
  readonly deleted: number;
  /** Id of the row that stands for the others. */
  readonly standsFor?: number;
}

/**
 * Sets `deleted_at` alone, so that a restore gives back the very row. The ids were checked by the caller.
 * @throws InvalidInput for a summary that is blank or longer than a row may be: the caller's transaction then undoes all.
 */
export async function compactRows(rows: ObservationWriter, request: CompactRowsRequest): Promise<CompactedRows> {
  const { ids, by, now } = request;
  const at = storedTime(now);
  const deleted = await rows.changeObservations(ids, { deleted_at: at });
  if (by === undefined) return { deleted };
  const standsFor = "kept" in by ? by.kept : await addSummary(rows, by.summary, now);
  for (const id of ids) {
    await rows.addRelation({ from_id: standsFor, to_id: id, type: COMPACTED_FROM, note: null, created_at: at });
  }
  return { deleted, standsFor };
}

async function addSummary(rows: ObservationWriter, summary: SummaryRow, now: number): Promise<number> {
  const { sessionId = DEFAULT_SESSION, title, content: given, ...place } = summary;
  const content = requiredText("summary_content", given);
  const columns = {
    session_id: sessionId,
    type: SUMMARY_TYPE,
    title: requiredText("summary_title", title),
    content,
    tool_name: null,
    topic_key: null,
    normalized_hash: normalizedHash(content),
    ...place,
  };
  return addNew(rows, columns, now);
}

// The one writing of a compaction, inside the caller's transaction: rows leave the live memory, and one row, old or
// new, stands for them.
import { COMPACTED_FROM, DEFAULT_SESSION, type NewObservation, SUMMARY_TYPE, storedTime } from "../observation.ts";
import type { ObservationWriter } from "../observation-store.ts";
import { normalizedHash } from "../saving/normal-form.ts";
import { requiredText } from "../saving/stored-text.ts";

export interface SummaryRow {
  readonly title: string;
  readonly content: string;
  /** Default `manual-save`; added when there is none of this id. */
  readonly sessionId?: string;
  readonly project: string | null;
  readonly scope: string;
  readonly namespace: string | null;
}

export interface CompactRowsRequest {
  /** Live rows, each once. */
  readonly ids: readonly number[];
  /** Who stands for them: a live row that is kept, a summary to be stored, or nobody. */
  readonly by?: { readonly kept: number } | { readonly summary: SummaryRow };
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface CompactedRows {
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
  const deleted = await rows.changeObservations(ids, { deleted_at: storedTime(now) });
  if (by === undefined) return { deleted };
  const standsFor = "kept" in by ? by.kept : await addSummary(rows, by.summary, now);
  for (const id of ids) {
    await rows.addRelation({
      from_id: standsFor,
      to_id: id,
      type: COMPACTED_FROM,
      note: null,
      created_at: storedTime(now),
    });
  }
  return { deleted, standsFor };
}

async function addSummary(rows: ObservationWriter, summary: SummaryRow, now: number): Promise<number> {
  const at = storedTime(now);
  const { sessionId = DEFAULT_SESSION, project, scope, namespace } = summary;
  const content = requiredText("summary_content", summary.content);
  await rows.addSession({
    id: sessionId,
    project: project ?? "",
    directory: "",
    started_at: at,
    ended_at: null,
    summary: null,
  });
  const row: NewObservation = {
    session_id: sessionId,
    type: SUMMARY_TYPE,
    title: requiredText("summary_title", summary.title),
    content,
    tool_name: null,
    project,
    scope,
    topic_key: null,
    namespace,
    normalized_hash: normalizedHash(content),
    revision_count: 1,
    duplicate_count: 1,
    last_seen_at: null,
    created_at: at,
    updated_at: at,
    deleted_at: null,
  };
  return rows.addObservation(row);
}

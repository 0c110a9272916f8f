// Undoes a compaction, wholly or in part: rows become live again exactly as they were, and a summary that stands for
// nothing any more leaves.
import { attempt, emitDone } from "../../engine/attempt.ts";
import { CompactError } from "../../errors.ts";
import { plural } from "../../text/figures.ts";
import { COMPACTED_FROM, DEFAULT_SESSION, type Observation, SUMMARY_TYPE, storedTime } from "../observation.ts";
import type { ObservationReader, ObservationStore, ObservationWriter } from "../observation-store.ts";
import { compactedIds } from "../reading/row-view.ts";
import { missingAmong, readIds, sentence } from "../saving/named-rows.ts";
import { type CompactionOptions, OBSERVATIONS } from "./compaction-plan.ts";

/** Most ids of one call; a summary brings back all of its rows, however many. */
const MOST_RESTORED = 1000;

/** One of the two. */
export interface RestoreRequest {
  /** Deleted rows: a list of ids, or its JSON as text. */
  readonly ids?: unknown;
  /** A row that stands for others: all of them come back. */
  readonly summaryId?: number | undefined;
}

export interface RestoreResult {
  /** In the order of the compaction. */
  readonly restored: readonly number[];
  /** Summaries that left, because none of the rows they stand for is compacted any more. */
  readonly retired: readonly number[];
  /** Summaries that stay, with the number of rows they still stand for. */
  readonly remaining: readonly { readonly id: number; readonly standsFor: number }[];
  /** Summaries that the one brought back stood for, and that stay deleted: all of their rows are back already. */
  readonly empty: readonly number[];
  /** Restored rows whose topic has another live row by now. */
  readonly sameTopic: readonly { readonly id: number; readonly other: number }[];
}

/** For a person or a model to read. */
export function restoredLines({ restored, retired, remaining, empty, sameTopic }: RestoreResult): readonly string[] {
  return [
    restored.length === 0
      ? "Nothing was left to restore."
      : `Restored ${plural(restored.length, "observation")}: ${restored.join(", ")}`,
    ...retired.map((id) => `Summary ${id} was retired: nothing it stands for is compacted any more.`),
    ...empty.map((id) => `Summary ${id} stays deleted: all of its rows were back already.`),
    ...remaining.map(({ id, standsFor }) => `Summary ${id} stays: it still stands for ${standsFor}.`),
    ...sameTopic.map(({ id, other }) => `⚠️ Observation ${id} has the topic key of ${other}, which is live too.`),
  ];
}

/**
 * All or nothing.
 * @throws NotFound for unknown ids; Conflict for ids that are live already and for a summary with nothing to bring back;
 * InvalidInput for neither or both of ids and summary; StoreFailed.
 */
export function restoreObservations(
  store: ObservationStore,
  request: RestoreRequest,
  options: CompactionOptions,
): Promise<RestoreResult> {
  return attempt(OBSERVATIONS, options, async (watch) => {
    const { sessionId, ...result } = await restoreChosen(store, request, options.now);
    const { restored: ids, retired } = result;
    const counts = { restored: ids.length, retired: retired.length };
    emitDone("compact.restored", { ...OBSERVATIONS, sessionId }, { ids, counts }, options, watch());
    return result;
  });
}

async function restoreChosen(store: ObservationStore, { ids, summaryId }: RestoreRequest, now: number) {
  const isByIds = ids !== undefined && ids !== null;
  if (isByIds === (summaryId !== undefined)) {
    throw new CompactError("InvalidInput", "Send either ids or the id of a summary.", {
      code: "INVALID_IDS",
      hint: "A summary's id brings back all rows that it stands for, ids only those.",
    });
  }
  const asked = isByIds ? readIds("ids", ids, MOST_RESTORED) : undefined;
  return store.write(async (rows) => {
    if (asked !== undefined) return restoreRows(rows, await deletedRows(rows, asked), [], now);
    const deleted = await replacedRows(rows, summaryId ?? 0);
    const empty = await emptySummaries(rows, deleted);
    return restoreRows(rows, deleted, empty, now);
  });
}

async function deletedRows(rows: ObservationReader, ids: readonly number[]): Promise<readonly Observation[]> {
  const found = await rows.observations(ids);
  const unknown = missingAmong(ids, found);
  if (unknown.length > 0) throw refuse("NotFound", unknown, "does not exist", "do not exist");
  const live = found.filter(({ deleted_at }) => deleted_at === null).map(({ id }) => id);
  if (live.length > 0) throw refuse("Conflict", live, "is live already", "are live already");
  return found;
}

function refuse(kind: "NotFound" | "Conflict", ids: readonly number[], one: string, many: string): CompactError {
  return new CompactError(kind, `Nothing was changed: ${sentence(ids, one, many)}.`, {
    code: "IDS_REFUSED",
    hint: "Leave these ids out. A search among compacted rows finds what is deleted.",
    data: { ids },
  });
}

async function replacedRows(rows: ObservationReader, summaryId: number): Promise<readonly Observation[]> {
  const [summary] = await rows.observations([summaryId]);
  if (summary === undefined) throw refuse("NotFound", [summaryId], "does not exist", "do not exist");
  const compacted = await rows.observations(compactedIds(await rows.relations([summaryId]), summaryId));
  const deleted = compacted.filter(({ deleted_at }) => deleted_at !== null);
  if (deleted.length > 0) return deleted;
  throw new CompactError("Conflict", `Observation ${summaryId} stands for no compacted row: nothing to restore.`, {
    code: "NOTHING_TO_RESTORE",
    hint: "Rows that were deleted without a summary come back by their ids.",
  });
}

/** Summaries of earlier compactions that were undone meanwhile: brought back, they would stand for nothing. */
async function emptySummaries(rows: ObservationReader, deleted: readonly Observation[]): Promise<readonly number[]> {
  const summaries = deleted.filter(({ type }) => type === SUMMARY_TYPE).map(({ id }) => id);
  const relations = await rows.relations(summaries);
  return summaries.filter((id) => compactedIds(relations, id).length === 0);
}

async function restoreRows(
  rows: ObservationWriter,
  deleted: readonly Observation[],
  empty: readonly number[],
  now: number,
) {
  const ids = deleted.map(({ id }) => id);
  const restored = ids.filter((id) => !empty.includes(id));
  await rows.changeObservations(restored, { deleted_at: null });
  const summaries = new Set<number>();
  const isDone = new Set(ids);
  for (const relation of await rows.relations(ids)) {
    if (relation.type !== COMPACTED_FROM || !isDone.has(relation.to_id)) continue;
    summaries.add(relation.from_id);
    // The relation says who stands for a row that is gone; this one is back, or has nothing to come back for.
    await rows.removeRelation(relation.id);
  }
  const remaining: { id: number; standsFor: number }[] = [];
  const retired: number[] = [];
  for (const summary of await rows.observations([...summaries])) {
    const left = compactedIds(await rows.relations([summary.id]), summary.id);
    if (summary.type !== SUMMARY_TYPE || summary.deleted_at !== null) continue;
    if (left.length === 0) retired.push(summary.id);
    else remaining.push({ id: summary.id, standsFor: left.length });
  }
  if (retired.length > 0) await rows.changeObservations(retired, { deleted_at: storedTime(now) });
  return {
    restored,
    retired,
    remaining,
    empty,
    sameTopic: await sameTopics(rows, deleted),
    sessionId: deleted[0]?.session_id ?? DEFAULT_SESSION,
  };
}

async function sameTopics(rows: ObservationReader, restored: readonly Observation[]) {
  const found: { id: number; other: number }[] = [];
  for (const { id, topic_key, project, scope, namespace } of restored) {
    if (topic_key === null) continue;
    const latest = await rows.ofTopic(topic_key, project, scope, namespace);
    if (latest !== undefined && latest.id !== id) found.push({ id, other: latest.id });
  }
  return found;
}

// Plans a compaction that nobody has to choose for: copies of one fact leave in favour of one row, notes of one topic
// in favour of a summary. Reads only; the summaries are written here, so that apply waits for nothing.
import type { Strategy, Summarizer } from "../summaries/summarizer.ts";
import { DAY_MS, isoTime } from "../time.ts";
import type { Trace } from "../trace/emit.ts";
import type { Times } from "../trace/watch.ts";
import { staleFilter } from "./compaction/find-stale.ts";
import { readDays } from "./compaction/read-days.ts";
import { groupDuplicates } from "./grouping/duplicate-groups.ts";
import { findLookAlikes } from "./grouping/look-alikes.ts";
import { planDuplicates, planTopics } from "./grouping/plan-groups.ts";
import type { CompactionPlan } from "./grouping/plan-schema.ts";
import { readStaleNotes } from "./grouping/stale-notes.ts";
import { groupTopics } from "./grouping/topic-groups.ts";
import { DEFAULT_SESSION } from "./observation.ts";
import type { ObservationStore } from "./observation-store.ts";
import { MOST_TOLD, tellingFailure } from "./tell-failure.ts";

export type GroupKind = "near_duplicates" | "topic";

export interface PlanCompactionRequest {
  /** Rows created more than this many times 24 hours ago are stale. Above 0. */
  readonly olderThanDays: unknown;
  /** Exact name. Absent or blank: all. */
  readonly project?: string | undefined;
  /** `project` or `personal`. Absent or blank: both. */
  readonly scope?: string | undefined;
  readonly namespace?: string | undefined;
  /** Writes what stands for the notes of a topic. */
  readonly summarizer: Summarizer;
  /** Tokens of a text. */
  readonly count: (text: string) => number;
  /** Which kinds are planned. Default: both. */
  readonly groups?: readonly GroupKind[] | undefined;
  /** Default `brief`: each note by its opening, then values and names. */
  readonly strategy?: Strategy | undefined;
  /** Applied to whatever a summary is made from. Default: nothing is changed, since the summary stays in the store. */
  readonly redact?: ((text: string) => string) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PlanCompactionOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly trace?: Pick<Trace, "emit"> | undefined;
}

/**
 * Plain data for `applyObservationCompaction`; nothing is written.
 * @throws InvalidInput for an age that is none; SummarizationFailed; StoreFailed.
 */
export function planObservationCompaction(
  store: ObservationStore,
  request: PlanCompactionRequest,
  { now, trace }: PlanCompactionOptions,
): Promise<CompactionPlan> {
  return tellingFailure({ trace, sessionId: DEFAULT_SESSION, now }, async (watch) => {
    const plan = await makePlan(store, request, now);
    tell(plan, watch(), trace);
    return plan;
  });
}

async function makePlan(store: ObservationStore, request: PlanCompactionRequest, now: number): Promise<CompactionPlan> {
  const olderThanDays = readDays(request.olderThanDays);
  const filter = staleFilter(request);
  const kinds = new Set<GroupKind>(request.groups ?? ["near_duplicates", "topic"]);
  const { notes, texts, ...left } = await store.read((rows) =>
    readStaleNotes(rows, filter, now - olderThanDays * DAY_MS),
  );
  const duplicates = kinds.has("near_duplicates") ? groupDuplicates(notes) : [];
  const topics = kinds.has("topic") ? groupTopics(notes, duplicates) : [];
  const { planned, notBeneficial } = await planTopics(store, topics, request);
  const leaving = new Set(planned.flatMap(({ ids }) => ids));
  const apart = duplicates.filter(({ kept }) => !leaving.has(kept.id));
  const groups = [...(await planDuplicates(store, apart, request.count)), ...planned];
  const touched = new Set(groups.flatMap((group) => group.rows.map(({ id }) => id)));
  return {
    version: 1,
    created_at: isoTime(now),
    filter: { older_than_days: olderThanDays, ...filter },
    groups,
    left: {
      ...left,
      not_beneficial: notBeneficial,
      ungrouped: notes.filter(({ id, isLiving }) => !isLiving && !touched.has(id)).length,
      look_alikes: kinds.has("near_duplicates") ? findLookAlikes(notes, texts) : { count: 0, pairs: [] },
    },
    totals: totalsOf(groups),
  };
}

function totalsOf(groups: CompactionPlan["groups"]): CompactionPlan["totals"] {
  return {
    groups: groups.length,
    rows: groups.reduce((sum, { ids }) => sum + ids.length, 0),
    tokens_before: groups.reduce((sum, group) => sum + group.tokens_before, 0),
    tokens_after: groups.reduce((sum, group) => sum + group.tokens_after, 0),
  };
}

function tell({ groups, totals }: CompactionPlan, times: Times, trace: PlanCompactionOptions["trace"]): void {
  trace?.emit({
    event: "compact.plan",
    part: "observations",
    session_id: DEFAULT_SESSION,
    ids: groups.flatMap(({ ids }) => ids).slice(0, MOST_TOLD),
    counts: { ...totals },
    ...times,
  });
}

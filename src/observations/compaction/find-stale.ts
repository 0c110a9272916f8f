// Which observations are old enough to be compacted: the first of the two phases, and nothing is written in it.
// Age is the time since a row was created; what is still being updated, or stands for others, is marked.
import { cutAtCodePoint } from "../../text/cut.ts";
import { DAY_MS } from "../../time.ts";
import { type Observation, SUMMARY_TYPE } from "../observation.ts";
import type { ObservationFilter, ObservationStore } from "../observation-store.ts";
import { filterScope } from "../saving/normal-form.ts";
import { type AgeCount, ageBounds, ageCounts } from "./age-buckets.ts";
import { readDays } from "./read-days.ts";
import { createdAt, lastTouched } from "./row-times.ts";

const DEFAULT_LIMIT = 50;
const MOST = 200;
const SNIPPET = 100;

export interface StaleRequest {
  /** Rows created more than this many times 24 hours ago are stale. Above 0; parts of a day are allowed. */
  readonly olderThanDays: unknown;
  /** Exact name. Absent or blank: all. */
  readonly project?: string | undefined;
  /** `project` or `personal`. Absent or blank: both. */
  readonly scope?: string | undefined;
  readonly namespace?: string | undefined;
  /** 50 where absent or below 1; 200 at most. */
  readonly limit?: number | undefined;
  /** Only rows after this one in the order. */
  readonly after?: { readonly createdAt: number; readonly id: number } | undefined;
}

export interface StaleObservation {
  readonly row: Observation;
  /** The first 100 code points of the content, never ending inside a character. */
  readonly snippet: string;
  readonly createdAt: number;
  /** Whole days since it was created. */
  readonly ageDays: number;
  /** Whole days since it was last updated, where that is within the window: a living document. */
  readonly updatedDaysAgo?: number;
  /** A summary of an earlier compaction: it stands for other rows. */
  readonly isSummary: boolean;
}

export interface StaleObservations {
  readonly olderThanDays: number;
  readonly filter: ObservationFilter;
  /** Oldest first, equals by id. */
  readonly candidates: readonly StaleObservation[];
  /** Others come after the candidates. */
  readonly hasMore: boolean;
  /** All stale rows of the filter, shown here or not. */
  readonly total: number;
  /** The total by age in days. */
  readonly ages: readonly AgeCount[];
  /** Rows whose time of creation cannot be read: they are left alone. */
  readonly unreadable: { readonly count: number; readonly ids: readonly number[] };
}

/** Throws `InvalidInput` for an age that is none, and what the store throws. */
export async function findStaleObservations(
  store: ObservationStore,
  request: StaleRequest,
  { now }: { readonly now: number },
): Promise<StaleObservations> {
  const olderThanDays = readDays(request.olderThanDays);
  const filter = staleFilter(request);
  const before = now - olderThanDays * DAY_MS;
  const limit = limitOf(request.limit);
  return store.read(async (rows) => {
    const found = await rows.stale({
      filter,
      before,
      limit: limit + 1,
      ...(request.after === undefined ? {} : { after: request.after }),
    });
    const survey = await rows.surveyStale(filter, ageBounds(now, olderThanDays));
    return {
      olderThanDays,
      filter,
      candidates: found.slice(0, limit).map((row) => candidate(row, before, now)),
      hasMore: found.length > limit,
      total: survey.total,
      ages: ageCounts(olderThanDays, survey.byAge),
      unreadable: survey.unreadable,
    };
  });
}

/** Project, scope and namespace as a filter; blank ones restrict nothing. */
export function staleFilter({
  project,
  scope,
  namespace,
}: Pick<StaleRequest, "project" | "scope" | "namespace">): ObservationFilter {
  const normalScope = filterScope(scope);
  return {
    ...(project === undefined || project.trim() === "" ? {} : { project }),
    ...(normalScope === undefined ? {} : { scope: normalScope }),
    ...(namespace === undefined || namespace.trim() === "" ? {} : { namespace }),
  };
}

function limitOf(limit: number | undefined): number {
  if (limit === undefined || !(limit >= 1)) return DEFAULT_LIMIT;
  return Math.min(MOST, Math.floor(limit));
}

function candidate(row: Observation, before: number, now: number): StaleObservation {
  const touched = lastTouched(row);
  const created = createdAt(row) ?? before;
  return {
    row,
    snippet: cutAtCodePoint(row.content, SNIPPET),
    createdAt: created,
    ageDays: Math.floor((now - created) / DAY_MS),
    ...(touched !== undefined && touched >= before
      ? { updatedDaysAgo: Math.max(0, Math.floor((now - touched) / DAY_MS)) }
      : {}),
    isSummary: row.type === SUMMARY_TYPE,
  };
}

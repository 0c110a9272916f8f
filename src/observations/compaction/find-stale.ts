// Which observations are old enough to be compacted: the first of the two phases, and nothing is written in it.
// Age is the time since a row was created; what is still being updated, or stands for others, is marked.
import { cutAtCodePoint } from "../../text/cut.ts";
import { DAY_MS } from "../../time.ts";
import { type Observation, SUMMARY_TYPE } from "../observation.ts";
import type { ObservationFilter, ObservationReader, ObservationStore } from "../observation-store.ts";
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

export interface FoundStale {
  readonly olderThanDays: number;
  readonly filter: ObservationFilter;
  /** Oldest first, equals by id. */
  readonly candidates: readonly StaleObservation[];
  /** Others come after the candidates. */
  readonly hasMore: boolean;
}

export interface StaleObservations extends FoundStale {
  /** All stale rows of the filter, shown here or not. */
  readonly total: number;
  /** The total by age in days. */
  readonly ages: readonly AgeCount[];
  /** Rows whose time of creation cannot be read: they are left alone. */
  readonly unreadable: { readonly count: number; readonly ids: readonly number[] };
}

interface StaleOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A page of stale rows, found by index. Throws `InvalidInput` for an age that is none, and what the store throws. */
export async function findStaleObservations(
  store: ObservationStore,
  request: StaleRequest,
  options: StaleOptions,
): Promise<FoundStale> {
  return store.read((rows) => findIn(rows, request, options));
}

/** The same with totals, from one state of the store: every stale row is counted for them. */
export async function identifyStaleObservations(
  store: ObservationStore,
  request: StaleRequest,
  options: StaleOptions,
): Promise<StaleObservations> {
  return store.read(async (rows) => {
    const found = await findIn(rows, request, options);
    const { filter, olderThanDays } = found;
    const survey = await rows.surveyStale(filter, ageBounds(options.now, olderThanDays));
    const { total, unreadable } = survey;
    return { ...found, total, ages: ageCounts(olderThanDays, survey.byAge), unreadable };
  });
}

async function findIn(rows: ObservationReader, request: StaleRequest, { now }: StaleOptions): Promise<FoundStale> {
  const olderThanDays = readDays(request.olderThanDays);
  const filter = staleFilter(request);
  const before = now - olderThanDays * DAY_MS;
  const limit = limitOf(request.limit);
  const { after } = request;
  const found = await rows.stale({ filter, before, limit: limit + 1, ...(after === undefined ? {} : { after }) });
  const candidates = found.slice(0, limit).map((row) => candidate(row, before, now));
  return { olderThanDays, filter, candidates, hasMore: found.length > limit };
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

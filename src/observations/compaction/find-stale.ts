// Which observations are old enough to be compacted: the first of the two phases, and nothing is written in it.
// Age is the time since a row was created; what is still being updated, or stands for others, is marked.
import { cutAtCodePoint } from "../../text/quote.ts";
import { DAY_MS } from "../../time.ts";
import { createdAt, isStanding, lastTouched, type Observation, SUMMARY_TYPE } from "../observation.ts";
import type { ObservationFilter, ObservationReader, ObservationStore } from "../observation-store.ts";
import { type RowsAsked, rowFilter, sizeOf } from "../row-filter.ts";
import { type ProposedGroup, proposeGroups } from "./plan-observation-compaction.ts";
import { readDays } from "./read-days.ts";

const DEFAULT_LIMIT = 50;
const MOST_LISTED = 200;
const SNIPPET = 100;
const MOST_GROUPED = 3000;

export interface StaleRequest extends RowsAsked {
  /** Rows created more than this many times 24 hours ago are stale. Above 0; parts of a day are allowed. */
  readonly olderThanDays: unknown;
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
  /** A preference, a policy or a rule. */
  readonly isStanding: boolean;
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
  /** Undefined where nobody asked, on later pages, and where more than 3,000 rows are stale. */
  readonly groups?: readonly ProposedGroup[];
}

interface StaleOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
}

interface IdentifyOptions extends StaleOptions {
  /** Tokens of a text: given, what may be compacted together is looked for, too. */
  readonly count?: ((text: string) => number) | undefined;
}

/** A page of stale rows, found by index. Throws `InvalidInput` for an invalid age, and what the store throws. */
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
  { now, count }: IdentifyOptions,
): Promise<StaleObservations> {
  return store.read(async (rows) => {
    const found = await findIn(rows, request, { now });
    const { filter, olderThanDays } = found;
    const survey = await rows.surveyStale(filter, ageBounds(now, olderThanDays));
    const { total, unreadable } = survey;
    const isAsked = count !== undefined && request.after === undefined && total <= MOST_GROUPED;
    const groups = isAsked
      ? await proposeGroups(rows, filter, { before: now - olderThanDays * DAY_MS, count })
      : undefined;
    const ages = ageCounts(olderThanDays, survey.byAge);
    return { ...found, total, ages, unreadable, ...(groups === undefined ? {} : { groups }) };
  });
}

async function findIn(rows: ObservationReader, request: StaleRequest, { now }: StaleOptions): Promise<FoundStale> {
  const olderThanDays = readDays(request.olderThanDays);
  const filter = rowFilter(request);
  const before = now - olderThanDays * DAY_MS;
  const limit = Math.min(MOST_LISTED, sizeOf(request.limit, DEFAULT_LIMIT));
  const found = await rows.stale({ filter, before, limit: limit + 1, after: request.after });
  const candidates = found.slice(0, limit).map((row) => candidate(row, before, now));
  return { olderThanDays, filter, candidates, hasMore: found.length > limit };
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
    isStanding: isStanding(row),
  };
}

// Ages in the groups that a person thinks in.

/** Where a group ends, in days. */
const AGE_ENDS = [30, 60, 90, 180, 365] as const;

export interface AgeCount {
  /** `30-60`, `365+`. */
  readonly days: string;
  readonly count: number;
}

/** The ends of the groups that rows older than this fall into, as times, latest first; the first is the age itself. */
function ageBounds(now: number, olderThanDays: number): readonly number[] {
  return [olderThanDays, ...endsAfter(olderThanDays)].map((days) => now - days * DAY_MS);
}

/** Names what was counted between those bounds. */
function ageCounts(olderThanDays: number, byAge: readonly number[]): readonly AgeCount[] {
  const ends = endsAfter(olderThanDays);
  return byAge.map((count, index) => {
    const end = ends[index];
    if (end === undefined) return { days: `${AGE_ENDS[AGE_ENDS.length - 1]}+`, count };
    return { days: `${AGE_ENDS[AGE_ENDS.indexOf(end) - 1] ?? 0}-${end}`, count };
  });
}

function endsAfter(days: number): readonly (typeof AGE_ENDS)[number][] {
  return AGE_ENDS.filter((end) => end > days);
}

// A candidate as a record: the fields of the specification, and what helps to choose.

const LONGEST_TITLE = 80;

export interface StaleRecord {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly project: string | null;
  readonly scope: string;
  readonly created_at: string;
  readonly age_days: number;
  readonly snippet: string;
  /** Of title and content. */
  readonly tokens: number;
  /** Only of a living document. */
  readonly updated_days_ago?: number;
  readonly is_summary: boolean;
  /** Only of a preference, a policy or a rule. */
  readonly is_standing?: true;
}

export function staleRecord(candidate: StaleObservation, count: (text: string) => number): StaleRecord {
  const { row, snippet, ageDays, updatedDaysAgo, isSummary, isStanding: stands } = candidate;
  return {
    id: row.id,
    type: row.type,
    title: cutAtCodePoint(row.title, LONGEST_TITLE),
    project: row.project,
    scope: row.scope,
    created_at: row.created_at,
    age_days: ageDays,
    snippet,
    tokens: count(`${row.title}\n${row.content}`),
    ...(updatedDaysAgo === undefined ? {} : { updated_days_ago: updatedDaysAgo }),
    is_summary: isSummary,
    ...(stands ? { is_standing: true } : {}),
  };
}

/** Those that may be compacted unseen by their author: not still being updated, not standing for others, no rules. */
export function proposedIds(records: readonly StaleRecord[]): number[] {
  const isOpen = (record: StaleRecord) =>
    record.updated_days_ago === undefined && !record.is_summary && record.is_standing !== true;
  return records.filter(isOpen).map(({ id }) => id);
}

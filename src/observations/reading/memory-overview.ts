// What an agent wants to know when it begins: the latest sessions, what was asked, the newest observations.
import { type Observation, type Prompt, type Session, SUMMARY_TYPE } from "../observation.ts";
import type { ObservationReader, ObservationStore, Totals } from "../observation-store.ts";
import { FIRST_ID, pagesAfter } from "../pages.ts";
import { type RowsAsked, rowFilter, sizeOf } from "../row-filter.ts";
import { readableRow } from "./row-view.ts";

const SESSIONS = 5;
const PROMPTS = 10;
const DEFAULT_LIMIT = 20;

interface ContextRequest extends Omit<RowsAsked, "type"> {
  /** Observations; 20 where absent or below 1. */
  readonly limit?: number | undefined;
  /** Observations to leave out at the beginning; sessions and prompts come with the first page alone. */
  readonly offset?: number | undefined;
}

export interface MemoryContext {
  /** At most 5, latest started first. Sessions have no scope and no namespace, so only the project restricts them. */
  readonly sessions: readonly Session[];
  /** At most 10, newest first. Prompts have no scope. */
  readonly prompts: readonly Prompt[];
  /** Newest first, live ones alone. */
  readonly observations: readonly Observation[];
  /** Live observations of the filter. */
  readonly total: number;
}

export async function memoryContext(store: ObservationStore, request: ContextRequest = {}): Promise<MemoryContext> {
  const filter = rowFilter(request);
  const limit = sizeOf(request.limit, DEFAULT_LIMIT);
  const offset = sizeOf(request.offset, 0);
  const ofProject = filter.project === undefined ? {} : { project: filter.project };
  const ofNamespace = filter.namespace === undefined ? {} : { namespace: filter.namespace };
  return store.read(async (rows) => ({
    sessions: offset > 0 ? [] : await rows.sessions({ ...ofProject, limit: SESSIONS }),
    prompts: offset > 0 ? [] : await rows.prompts({ ...ofProject, ...ofNamespace, limit: PROMPTS }),
    observations: await rows.list({ filter, standing: "live", limit, offset }),
    total: await rows.count(filter, "live"),
  }));
}

// What happened around a row: its neighbours in the same session, by id.

const USUAL = 5;
const MOST_ROWS = 100;

interface TimelineRequest {
  readonly observationId: number;
  /** Rows before it; 5 by default, 100 at most, 0 for none. */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

export interface MemoryTimeline {
  readonly observation: Observation;
  /** Undefined where other writers left a row without its session. */
  readonly session: Session | undefined;
  /** Ascending by id, live rows alone. */
  readonly before: readonly Observation[];
  readonly after: readonly Observation[];
  /** Live rows of the session. */
  readonly total: number;
}

/** Throws `InvalidInput` for what is no id, `NotFound` for an unknown or deleted row. */
export async function memoryTimeline(store: ObservationStore, request: TimelineRequest): Promise<MemoryTimeline> {
  const before = neighbours(request.before);
  const after = neighbours(request.after);
  return store.read(async (rows) => {
    const { observation } = await readableRow(rows, request.observationId, { includeCompacted: false });
    const around = await rows.around(observation.id, observation.session_id, before, after);
    return { observation, session: await rows.session(observation.session_id), ...around };
  });
}

function neighbours(asked: number | undefined): number {
  return asked === undefined || !(asked >= 0) ? USUAL : Math.min(MOST_ROWS, Math.floor(asked));
}

// How much a store holds.

export interface MemoryStats extends Totals {
  /** Live rows that stand for compacted ones. */
  readonly summaries: number;
  /** Of titles and contents of live rows. Absent unless asked for: every row is read for it. */
  readonly tokens?: number;
  /** There are so many rows that only a part of them was counted. */
  readonly tokens_estimated?: true;
  /** Live rows of each of the first projects. Absent unless asked for. */
  readonly by_project?: readonly { readonly project: string; readonly observations: number }[];
}

interface StatsOptions {
  /** Counts the tokens of a text: given, the live rows are counted. */
  readonly count?: ((text: string) => number) | undefined;
  /** Also counts the live rows of each project. */
  readonly perProject?: boolean | undefined;
}

/** Each is a count of its own. */
const MOST_PROJECTS_COUNTED = 50;

/** From one state of the store. Throws what the store throws. */
export async function memoryStats(
  store: ObservationStore,
  { count, perProject = false }: StatsOptions = {},
): Promise<MemoryStats> {
  return store.read(async (rows) => {
    const totals = await rows.totals();
    const counted: { project: string; observations: number }[] = [];
    for (const project of perProject ? totals.projects.slice(0, MOST_PROJECTS_COUNTED) : [])
      counted.push({ project, observations: await rows.count({ project }, "live") });
    return {
      ...totals,
      summaries: await rows.count({ type: SUMMARY_TYPE }, "live"),
      ...(count === undefined ? {} : await tokensOf(rows, count)),
      ...(perProject ? { by_project: counted } : {}),
    };
  });
}

/** Live rows that are all counted. Of more, as many again in samples say what the others take, to a percent or two. */
const MOST_COUNTED = 10_000;
const SAMPLES = 200;

async function tokensOf(rows: ObservationReader, count: (text: string) => number) {
  const live = await rows.count({}, "live");
  const pages =
    live <= MOST_COUNTED
      ? pagesAfter((id, limit) => rows.observationsAfter(id, limit), FIRST_ID)
      : samplesOf(rows, MOST_COUNTED / SAMPLES);
  let tokens = 0;
  let counted = 0;
  for await (const page of pages) {
    for (const { title, content, deleted_at } of page) {
      if (deleted_at !== null) continue;
      tokens += count(`${title}\n${content}`);
      counted += 1;
    }
  }
  if (live <= MOST_COUNTED) return { tokens };
  return { tokens: Math.round((tokens / Math.max(1, counted)) * live), tokens_estimated: true as const };
}

/** From places at even distances, so that the same store gives the same rows. */
async function* samplesOf(rows: ObservationReader, size: number): AsyncGenerator<readonly Observation[]> {
  const last = await lastId(rows);
  for (let sample = 0; sample < SAMPLES; sample++)
    yield await rows.observationsAfter(Math.floor((last * sample) / SAMPLES), size);
}

async function lastId(rows: ObservationReader): Promise<number> {
  const isBelowLast = async (id: number) => (await rows.observationsAfter(id, 1)).length > 0;
  let [low, high] = [0, 1];
  while (await isBelowLast(high)) [low, high] = [high, high * 2];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await isBelowLast(middle)) low = middle;
    else high = middle;
  }
  return high;
}

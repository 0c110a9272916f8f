// What an agent wants to know when it begins: the latest sessions, what was asked, the newest observations.
import type { Observation, Prompt, Session } from "../observation.ts";
import type { ObservationStore } from "../observation-store.ts";
import { type RowsAsked, rowFilter, sizeOf } from "./row-filter.ts";

const SESSIONS = 5;
const PROMPTS = 10;
const DEFAULT_LIMIT = 20;

export interface ContextRequest extends Omit<RowsAsked, "type"> {
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

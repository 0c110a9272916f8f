// What happened around a row: its neighbours in the same session, by id.
import type { Observation, Session } from "../observation.ts";
import type { ObservationStore } from "../observation-store.ts";
import { readableRow } from "./standing.ts";

const USUAL = 5;
const MOST = 100;

export interface TimelineRequest {
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
  return asked === undefined || !(asked >= 0) ? USUAL : Math.min(MOST, Math.floor(asked));
}

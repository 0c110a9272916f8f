// When something began and how long it took, in the words of the events: both by one clock.
import { type Clock, isoTime } from "../time.ts";

export interface Times {
  /** ISO 8601 with `Z`. */
  readonly started_at: string;
  readonly duration_ms: number;
}

/** Begins now. What it gives tells the times up to each call of it. */
export function startWatch(clock: Clock): () => Times {
  const startedAt = clock();
  // A clock may be set back meanwhile.
  return () => ({ started_at: isoTime(startedAt), duration_ms: Math.max(0, clock() - startedAt) });
}

// Stops asking a model that keeps failing: after three failed calls of a session in a row every turn would pay for one
// more. A manual compaction is the probe; so is the first automatic one after a pause, since outages end.

export interface ModelBreaker {
  /** Failed calls since the last answer that was of use. */
  readonly failures: number;
  /** Milliseconds since the epoch of the last one. */
  readonly failedAt: number;
}

export const NO_FAILURES: ModelBreaker = { failures: 0, failedAt: 0 };

const MOST_FAILURES = 3;
const PAUSE_MS = 10 * 60_000;

export function isPaused({ failures, failedAt }: ModelBreaker, now: number, isManual: boolean): boolean {
  return !isManual && failures >= MOST_FAILURES && now - failedAt < PAUSE_MS;
}

/** `failures`: failed calls of one summary that came to nothing; 0 when it was written. */
export function recordOutcome(breaker: ModelBreaker, failures: number, now: number): ModelBreaker {
  return failures === 0 ? NO_FAILURES : { failures: breaker.failures + failures, failedAt: now };
}

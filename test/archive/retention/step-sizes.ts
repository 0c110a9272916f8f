// Steps at a glance, as an archive lists them.
import type { StepSize } from "../../../src/archive/archive.ts";

export const DAY = 86_400_000;
export const NOW = Date.UTC(2026, 5, 1);

/** So many days before `NOW`. */
export function sizeOf(session_id: string, step: number, days: number, changes: Partial<StepSize> = {}): StepSize {
  return { session_id, step, at: new Date(NOW - days * DAY).toISOString(), bytes: 100, has_summary: true, ...changes };
}

/** Steps 1 to `count`, one a day, the newest a day old. */
export function stepsOf(sessionId: string, count: number): readonly StepSize[] {
  return Array.from({ length: count }, (_, index) => sizeOf(sessionId, index + 1, count - index));
}

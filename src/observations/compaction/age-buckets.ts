// Ages in the groups that a person thinks in.
import { DAY_MS } from "../../time.ts";

/** Where a group ends, in days. */
const ENDS = [30, 60, 90, 180, 365] as const;

export interface AgeCount {
  /** `30-60`, `365+`. */
  readonly days: string;
  readonly count: number;
}

/** The ends of the groups that rows older than this fall into, as times, latest first; the first is the age itself. */
export function ageBounds(now: number, olderThanDays: number): readonly number[] {
  return [olderThanDays, ...endsAfter(olderThanDays)].map((days) => now - days * DAY_MS);
}

/** Names what was counted between those bounds. */
export function ageCounts(olderThanDays: number, byAge: readonly number[]): readonly AgeCount[] {
  const ends = endsAfter(olderThanDays);
  return byAge.map((count, index) => {
    const end = ends[index];
    if (end === undefined) return { days: `${ENDS[ENDS.length - 1]}+`, count };
    return { days: `${ENDS[ENDS.indexOf(end) - 1] ?? 0}-${end}`, count };
  });
}

function endsAfter(days: number): readonly (typeof ENDS)[number][] {
  return ENDS.filter((end) => end > days);
}

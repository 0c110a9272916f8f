// Whether a note is still being written. Nobody says in which time zone its author lives, so a day counts as today for
// as long as it is today anywhere.
import { isoTime } from "../../time.ts";

/** The last zone in which a day ends is twelve hours behind UTC. */
const LAST_ZONE_MS = 12 * 3_600_000;

/** The date (`2031-02-03`) is today or later somewhere on Earth. A note without a date never is. */
export function isInUse(date: string | undefined, now: number): boolean {
  return date !== undefined && date >= isoTime(now - LAST_ZONE_MS).slice(0, "2031-02-03".length);
}

// The times of a row, read whatever shape another writer gave them.
import { readTime } from "../../time.ts";
import type { Observation } from "../observation.ts";

/** Milliseconds since the epoch; undefined where it cannot be read. */
export function createdAt(row: Observation): number | undefined {
  return readTime(row.created_at);
}

/** When it was last saved, updated or seen again. */
export function lastTouched(row: Observation): number | undefined {
  const times = [row.updated_at, row.last_seen_at].map(readTime).filter((at) => at !== undefined);
  return times.length === 0 ? undefined : Math.max(...times);
}

// What an event takes in memory, roughly and in no time: it is asked in the caller's own turn, so nothing is encoded.
import type { CompactEvent } from "../compact-event.ts";

const PER_EVENT = 400;
const PER_ITEM = 64;
const PER_NUMBER = 8;

/** Strings are held at up to two bytes a unit. What lies deeper than two levels is short in every event. */
export function roughBytes(event: CompactEvent): number {
  let bytes = PER_EVENT;
  for (const value of Object.values(event) as readonly unknown[]) {
    if (typeof value === "string") bytes += value.length * 2;
    else if (Array.isArray(value)) bytes += value.length * (typeof value[0] === "number" ? PER_NUMBER : PER_ITEM * 2);
  }
  return bytes;
}

// When a decision was made, as a person reads it: how long ago, and the day.
import { DAY_MS, isoTime } from "../../../time.ts";
import { oneLine, plural } from "../table.ts";

/** `12 days ago (2026-11-16)`. What cannot be read is shown as it is written. */
export function whenOf(at: number | undefined, written: string | undefined, now: number): string {
  if (at === undefined) {
    const spelt = oneLine(written ?? "");
    return spelt === "" ? "no date" : `date unreadable: ${spelt.slice(0, 40)}`;
  }
  return `${agoOf(at, now)} (${isoTime(at).slice(0, 10)})`;
}

function agoOf(at: number, now: number): string {
  const days = Math.floor((now - at) / DAY_MS);
  if (days < 0) return `in ${plural(Math.ceil((at - now) / DAY_MS), "day")}`;
  return days === 0 ? "today" : `${plural(days, "day")} ago`;
}

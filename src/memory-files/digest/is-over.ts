// Whether the notes of a month may become a digest: not before it has been over for a while.
import { DAY_MS } from "../../time.ts";

/** Until then its notes are still looked up by their days. */
const REST_DAYS = 30;

/** `month` as `2031-02`; it ended that many days ago, or before. */
export function isOver(month: string, now: number): boolean {
  const [year = 0, number = 0] = month.split("-").map(Number);
  const end = new Date(0).setUTCFullYear(year, number, 1);
  return now - end >= REST_DAYS * DAY_MS;
}

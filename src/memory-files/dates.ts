// The dates of notes, as `2031-02-03`: by their names, in their titles, and until when a note counts as one of today.
import { isoDay, replaceDays } from "../language/dates.ts";
import { DAY_MS, isoTime, readTime } from "../time.ts";

const TIME = /(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?!\d)(?: ?(?:am|pm|utc|gmt|z))?(?![\p{L}\p{N}])/giu;

/** `text` without the day, however it is written, and times of a day. */
export function withoutDate(text: string, date: string | undefined): string {
  if (date === undefined) return text;
  return replaceDays(text, (day) => (isoDay(day) === date ? " " : day.text))
    .replaceAll(date.replaceAll("-", ""), " ")
    .replace(TIME, " ");
}

// Which day a note is of, by its name. Only days that exist.

const DAILY = /(?:^|\/)(\d{4}-\d{2}-\d{2})(?:-[^/]{1,250})?\.md$/;
const DATE = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/g;

/** Of `YYYY-MM-DD.md` and `YYYY-MM-DD-slug.md`. */
export function dateOfDaily(file: string): string | undefined {
  const date = DAILY.exec(file)?.[1];
  return isReal(date) ? date : undefined;
}

/** The first real one in the name of a file of another layout, or in that of the nearest folder that has one. */
export function firstDate(file: string): string | undefined {
  const names = file.split("/").reverse();
  return names.flatMap((name) => name.match(DATE) ?? []).find(isReal);
}

function isReal(date: string | undefined): date is string {
  return date !== undefined && readTime(date) !== undefined;
}

// Whether a note is still being written. Nobody says in which time zone its author lives, so a day counts as today for
// as long as it is today anywhere.

/** The last zone in which a day ends is twelve hours behind UTC. */
const LAST_ZONE_MS = 12 * 3_600_000;

/** The date (`2031-02-03`) is today or later somewhere on Earth. A note without a date never is. */
export function isInUse(date: string | undefined, now: number): boolean {
  return date !== undefined && date >= isoTime(now - LAST_ZONE_MS).slice(0, "2031-02-03".length);
}

// Whether the notes of a month may become a digest: not before it has been over for a while.

/** Until then its notes are still looked up by their days. */
const REST_DAYS = 30;

/** `month` as `2031-02`; it ended that many days ago, or before. */
export function isOver(month: string, now: number): boolean {
  const [year = 0, number = 0] = month.split("-").map(Number);
  const end = new Date(0).setUTCFullYear(year, number, 1);
  return now - end >= REST_DAYS * DAY_MS;
}

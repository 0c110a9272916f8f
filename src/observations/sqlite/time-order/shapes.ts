// How times are written in `created_at`, as far as an index over its texts can tell. In an exact shape the order of the
// texts is the order of the times; all other dates stay near the day they begin with.
import { DAY_MS, isoTime } from "../../../time.ts";

export interface ExactShape {
  /** SQL: true of a text that is in the shape and names a time that exists. */
  readonly test: string;
  /** SQL: the same denied, true of NULL as well. */
  readonly denial: string;
  /** The finest step it can say, in milliseconds. */
  readonly unit: number;
  /** A time that is a multiple of the unit. */
  readonly text: (at: number) => string;
}

const DIGIT = "[0-9]";

/**
 * The reference's own shape first. What SQLite reads and writes down again as the same text is in the shape; only what
 * days are added to, be it none, is counted through, so that the 30th of February does not stay itself.
 */
export const exactShapes: readonly ExactShape[] = [
  exactShape("datetime(created_at, '+0 days')", 1000, (at) => isoTime(at).slice(0, 19).replace("T", " ")),
  exactShape("strftime('%Y-%m-%dT%H:%M:%SZ', created_at, '+0 days')", 1000, (at) => `${isoTime(at).slice(0, 19)}Z`),
  exactShape("strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '+0 days')", 1, isoTime),
];

function exactShape(written: string, unit: number, text: (at: number) => string): ExactShape {
  return { test: `${written} = created_at`, denial: `${written} IS NOT created_at`, unit, text };
}

/** Whatever else begins as a date does: cheap to ask, the reference's shape and what is near it left out first. */
export const OTHERWISE_DATED = [
  "created_at NOT GLOB '?????????? ?????:??'",
  `created_at GLOB '${DIGIT.repeat(4)}-*'`,
  ...exactShapes.map(({ denial }) => denial),
].join(" AND ");

/** Digits since the epoch, by how many there are before a point: among equally many, texts are ordered as numbers. */
export const digitCounts: readonly number[] = [9, 10, 11, 12, 13, 14];

export function digitsGlob(count: number): string {
  return DIGIT.repeat(count);
}

/** Up to eleven digits are seconds. */
export function inDigits(count: number, at: number): number {
  return count <= 11 ? at / 1000 : at;
}

/** What a time may begin with before it is trimmed: a GLOB class of all white space that JavaScript trims. */
export const BLANK_FIRST = "[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*";

/** A leading zero may be a number's as well as a year's. */
const FIRST = Date.UTC(1000, 0, 1);
const LAST = Date.UTC(9999, 11, 31) + DAY_MS - 1;

/** The first time at or after `at` that the shape can say, as its text; before all or after all where there is none. */
export function firstText(shape: ExactShape, at: number): string {
  if (at < FIRST) return "1";
  return at > LAST ? ":" : shape.text(Math.ceil(at / shape.unit) * shape.unit);
}

/** The day of a time, `days` later, as a date that bounds a range of texts. */
export function dayText(at: number, days = 0): string {
  const day = at + days * DAY_MS;
  if (day < FIRST) return "1";
  return day > LAST ? ":" : isoTime(day).slice(0, 10);
}

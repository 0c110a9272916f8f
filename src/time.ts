// The one clock, and the one reading of written times. Everything that needs "now" takes a `Clock`, so tests decide
// what time it is.

/** Milliseconds since the epoch, as `Date.now`. */
export type Clock = () => number;

/** Options as callers of the library give them, `now` being a clock, with the moment of the call. */
export function atNow<Options extends { readonly now?: Clock | undefined }>({
  now = Date.now,
  ...options
}: Options): Omit<Options, "now"> & { readonly now: number } {
  return { ...options, now: now() };
}

export const DAY_MS = 86_400_000;

/** Goes on from `now` with the time that passes. */
export function clockFrom(now: number): Clock {
  const start = performance.now();
  return () => now + Math.round(performance.now() - start);
}

/** ISO 8601 with `Z`, as every stored time. */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}

const WRITTEN =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)? ?(Z|z|UTC|[+-]\d{2}:?\d{2})?$/;

/**
 * A written time as milliseconds since the epoch: `YYYY-MM-DD HH:MM:SS` and anything else without a zone as UTC, ISO 8601 with
 * `Z` or an offset, a date alone as its midnight, seconds or milliseconds since the epoch as a number or in digits.
 * Undefined for any other text, and where it names a day that does not exist. Never depends on the machine's time zone.
 */
export function readTime(written: unknown): number | undefined {
  if (typeof written === "number" || typeof written === "bigint") return sinceEpoch(Number(written));
  if (typeof written !== "string") return undefined;
  const text = written.trim();
  if (/^\d{9,14}(\.\d{1,9})?$/.test(text)) return sinceEpoch(Number(text));
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", zone = "Z"] =
    WRITTEN.exec(text) ?? [];
  if (year === undefined) return undefined;
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const offset = offsetMs(zone);
  const isReal =
    offset !== undefined &&
    isoTime(at).startsWith(`${year}-${month}-${day}`) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60;
  return isReal ? at + Number(`0.${fraction || 0}`) * 1000 - offset : undefined;
}

/** Below this, digits are seconds: 1e11 seconds are the year 5138, 1e11 milliseconds 1973. */
const FIRST_MILLISECONDS = 1e11;
const LAST = Date.UTC(9999, 11, 31);

function sinceEpoch(value: number): number | undefined {
  if (!Number.isFinite(value) || value < 0) return undefined;
  const at = value < FIRST_MILLISECONDS ? value * 1000 : value;
  return at <= LAST ? at : undefined;
}

/** Undefined for an offset that no clock can have. */
function offsetMs(zone: string): number | undefined {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  if (sign === undefined) return 0;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

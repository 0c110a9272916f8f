// The one clock. Everything that needs "now" takes a `Clock`, so tests decide what time it is.

/** Milliseconds since the epoch, as `Date.now`. */
export type Clock = () => number;

/** ISO 8601 with `Z`, as every stored time. */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}

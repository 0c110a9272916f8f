// Whether a pattern runs too long on hostile text, found by running it. A running expression cannot be stopped, so the
// text grows by small steps and the probe ends at the first that says enough: even a pattern that doubles its time with
// each character is given up after some milliseconds.
//
// A linear pattern takes some 0.05 ms for a window, one that is quadratic 5 ms and more: the limit lies far from both,
// and a measurement over it is repeated, so that a slow or busy machine gives the same answer.
import { hostileTexts, writeHostile } from "./hostile-texts.ts";

const FIRST = 8;
const GROWTH = 1.4;
/** What is said to be too much: milliseconds for 100,000 characters. */
const MOST_MS = 50;
const TRIES = 8;

/** How the pattern is applied: to windows of a text, and from one place to a longer piece. */
export interface Reach {
  readonly window: number;
  readonly step: number;
  readonly longest: number;
}

export function runsTooLong(pattern: RegExp, { window, step, longest }: Reach): boolean {
  const windows = Math.ceil(100_000 / step);
  const flags = pattern.ignoreCase ? "i" : "";
  const everywhere = new RegExp(pattern.source, `${flags}g`);
  const sticky = new RegExp(pattern.source, `${flags}y`);
  return hostileTexts(pattern.source).some((hostile) => {
    const write = (length: number) => writeHostile(hostile, length);
    return (
      exceeds(write, window, MOST_MS / windows, (text) => countMatches(everywhere, text)) ||
      exceeds(write, longest, MOST_MS, (text) => testOnce(sticky, text))
    );
  });
}

function exceeds(
  write: (length: number) => string,
  longest: number,
  limit: number,
  run: (text: string) => unknown,
): boolean {
  for (let length = FIRST; ; length = Math.min(longest, Math.ceil(length * GROWTH))) {
    if (shortestTime(write(length), limit, run) > limit) return true;
    if (length >= longest) return false;
  }
}

/** The first runs of an expression are slow, and others use the machine: only a time that stays counts. */
function shortestTime(text: string, limit: number, run: (text: string) => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES && best > limit; attempt++) {
    const started = performance.now();
    run(text);
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

/** Without the matches themselves: making them costs more than finding them, and no pattern is at fault for that. */
function countMatches(pattern: RegExp, text: string): number {
  let count = 0;
  pattern.lastIndex = 0;
  while (pattern.test(text)) count++;
  return count;
}

function testOnce(sticky: RegExp, text: string): boolean {
  sticky.lastIndex = 0;
  return sticky.test(text);
}

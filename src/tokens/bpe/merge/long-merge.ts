// Byte pair merging of a long piece, window by window, so that everything stays in the processor's nearest cache,
// memory does not grow with the piece, and a caller can pause between windows.
//
// Why windows are exact: a list of tokens is what merging gives if and only if every two neighbours, merged alone, stay
// those two. (The first merge across a border that the whole text makes is the lowest pair there is, so it is also the
// lowest of these two neighbours alone, and they would make it too. Conversely a run of neighbours of the result gives
// itself when merged alone, since no merge of the whole crossed its ends.) So inside a window all neighbours are good,
// and only where one window follows another is there a pair to check.

import type { PairRanks } from "./pair-ranks.ts";
import { createTreeMerge, type TreeMerge } from "./tree-merge.ts";

/** Bytes merged at a time. */
export const WINDOW = 1_024;
/** Bytes before a window's end whose tokens are merged again with the next one; twice as many where that fails. */
const FIRST_MARGIN = 32;

/** Work that can be paused: each step takes about a tenth of a millisecond, the result comes last. */
export type Steps = Generator<undefined, number, undefined>;

export interface LongMerge {
  count(bytes: Uint8Array, start: number, end: number): number;
  /** The same; nothing else may be counted with these parts meanwhile. */
  steps(bytes: Uint8Array, start: number, end: number): Steps;
}

interface Cut {
  /** Tokens of the window before the cut. */
  readonly tokens: number;
  /** Where the last of them starts and ends, from the start of the window. */
  readonly last: number;
  readonly at: number;
}

export function createLongMerge(pairs: PairRanks): LongMerge {
  let current = createTreeMerge(pairs);
  let following = createTreeMerge(pairs);
  const border = createTreeMerge(pairs);

  /** Do the tokens `[start, middle)` and `[middle, end)` stay apart where they meet? */
  function staysApart(bytes: Uint8Array, start: number, middle: number, end: number): boolean {
    border.merge(bytes, start, end);
    return border.ends[0] === middle - start && border.ends[middle - start] === end - start;
  }

  /** Cuts the current window, and merges the following one, so that their border holds; undefined where none does. */
  function cutWindow(bytes: Uint8Array, from: number, end: number): Cut | undefined {
    for (let margin = FIRST_MARGIN; margin < WINDOW; margin *= 2) {
      const cut = lastCut(current, WINDOW - margin);
      if (cut.tokens === 0) return undefined;
      const start = from + cut.at;
      following.merge(bytes, start, Math.min(end, start + WINDOW));
      if (staysApart(bytes, from + cut.last, start, start + (following.ends[0] as number))) return cut;
    }
    return undefined;
  }

  function* steps(bytes: Uint8Array, start: number, end: number): Steps {
    let total = 0;
    let from = start;
    current.merge(bytes, from, Math.min(end, from + WINDOW));
    while (from + WINDOW < end) {
      const cut = cutWindow(bytes, from, end);
      // Not seen with a published encoding: merge all at once.
      if (cut === undefined) return countWhole(pairs, bytes, start, end);
      total += cut.tokens;
      from += cut.at;
      [current, following] = [following, current];
      yield;
    }
    return total + lastCut(current, end - from).tokens;
  }

  return { count: (bytes, start, end) => finish(steps(bytes, start, end)), steps };
}

/** Takes all steps at once. */
function finish(steps: Steps): number {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The last border of tokens at or before `most`. */
function lastCut({ ends }: TreeMerge, most: number): Cut {
  let tokens = 0;
  let last = 0;
  let at = 0;
  for (let end = ends[0] as number; end <= most; end = ends[end] as number) {
    last = at;
    at = end;
    tokens++;
    if (end === most) break;
  }
  return { tokens, last, at };
}

function countWhole(pairs: PairRanks, bytes: Uint8Array, start: number, end: number): number {
  const whole = createTreeMerge(pairs);
  whole.merge(bytes, start, end);
  return lastCut(whole, end - start).tokens;
}

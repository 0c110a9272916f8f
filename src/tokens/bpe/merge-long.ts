// Byte pair merging of a long piece, window by window, so that everything stays in the processor's nearest cache and
// memory does not grow with the piece.
//
// Why windows are exact: a list of tokens is what merging gives if and only if every two neighbours, merged alone, stay
// those two. (The first merge across a border that the whole text makes is the lowest pair there is, so it is also the
// lowest of these two neighbours alone, and they would make it too. Conversely a run of neighbours of the result gives
// itself when merged alone, since no merge of the whole crossed its ends.) So inside a window all neighbours are good,
// and only where one window follows another there is a pair to check.
import { createTreeMerge, type TreeMerge } from "./merge-tree.ts";
import type { Merge } from "./merge-short.ts";
import type { PairRanks } from "./pair-ranks.ts";

/** Bytes merged at a time. */
const WINDOW = 1_024;
/** Bytes before a window's end whose tokens are merged again with the next one; twice as many where that fails. */
const FIRST_MARGIN = 32;

interface Cut {
  /** Tokens of the window before the cut. */
  readonly tokens: number;
  /** Where the last of them starts and ends, from the start of the window. */
  readonly last: number;
  readonly at: number;
}

export function createLongMerge(pairs: PairRanks): Merge {
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

  return (bytes, start, end) => {
    let total = 0;
    let from = start;
    current.merge(bytes, from, Math.min(end, from + WINDOW));
    while (from + WINDOW < end) {
      const cut = cutWindow(bytes, from, end);
      // Never seen, but a rank list could be made for it: merge all at once.
      if (cut === undefined) return countWhole(pairs, bytes, start, end);
      total += cut.tokens;
      from += cut.at;
      [current, following] = [following, current];
    }
    return total + lastCut(current, end - from).tokens;
  };
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

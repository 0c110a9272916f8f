// Byte pair merging of a piece of any length in the memory of a small window.
//
// Why windows are exact: a list of tokens is what merging gives if and only if every two neighbours, merged alone, stay
// those two. (The first merge across a border that the whole text makes is the lowest pair there is, so it is also the
// lowest of these two neighbours alone, and they would make it too. Conversely a run of neighbours in the result gives
// itself when merged alone, since no merge of the whole crossed its ends.) So inside a window all neighbours are good,
// and only where one window follows another is there a pair to check.
import { createHeapMerge, type HeapMerge } from "./merge-heap.ts";
import type { Merge } from "./merge-short.ts";
import type { PairRanks } from "./pair-ranks.ts";

/** Bytes merged at a time: everything they need stays in the processor's first cache. */
const WINDOW = 1_024;
/** Bytes at the window's end whose tokens depend on what comes after it, at the first try. */
const MARGIN = 32;

export function createLongMerge(pairs: PairRanks): Merge {
  const windowed = createHeapMerge(pairs);
  const border = createHeapMerge(pairs);

  /** Do the tokens `[start, middle)` and `[middle, end)` stay apart when they meet? */
  function staysApart(bytes: Uint8Array, start: number, middle: number, end: number): boolean {
    border.merge(bytes, start, end);
    return border.ends[0] === middle - start && border.ends[middle - start] === end - start;
  }

  return (bytes, start, end) => {
    let total = 0;
    let from = start;
    /** Where the last counted token starts. */
    let last = -1;
    let size = WINDOW;
    let margin = MARGIN;
    /** Tokens of the window before, should its cut have been too late: how many, and where each ends. */
    const kept = createKeptTokens();
    while (from < end) {
      const stop = Math.min(end, from + size);
      windowed.merge(bytes, from, stop);
      const firstEnd = from + (windowed.ends[0] as number);
      if (last !== -1 && !staysApart(bytes, last, from, firstEnd)) {
      }
    }
    return total;
  };
}

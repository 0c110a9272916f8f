// Byte pair merging of a short piece: look over all pairs, merge the one of the lowest rank, look again. Quadratic,
// and for a dozen bytes faster than anything with a heap.
import { createPowers, hashPrefixes, hashSlice, LONGEST_TOKEN } from "./byte-hash.ts";
import type { RankTable } from "./rank-table.ts";

/** Counts the tokens of one piece that is no token itself. */
export type CountMerged = (bytes: Uint8Array, start: number, end: number) => number;

/** In bytes; longer pieces go to merge-long.ts. */
export const SHORT_PIECE = 100;

/** No pair: above every rank. */
const NO_RANK = 0x7fffffff;

export function createShortMerge(table: RankTable): CountMerged {
  const powers = createPowers();
  const prefixes = new Int32Array(SHORT_PIECE + 1);
  /** Part `i` goes from `cuts[i]` to `cuts[i + 1]`; `ranks[i]` is that of the parts `i` and `i + 1` together. */
  const cuts = new Int32Array(SHORT_PIECE + 2);
  const ranks = new Int32Array(SHORT_PIECE + 1);

  return (bytes, start, end) => {
    let parts = end - start;
    hashPrefixes(bytes, start, end, prefixes);
    for (let index = 0; index <= parts; index++) cuts[index] = index;

    function pairRank(index: number): number {
      if (index < 0 || index + 2 > parts) return NO_RANK;
      const from = cuts[index] as number;
      const to = cuts[index + 2] as number;
      if (to - from > LONGEST_TOKEN) return NO_RANK;
      const rank = table.find(hashSlice(prefixes, powers, from, to), bytes, start + from, start + to);
      return rank < 0 ? NO_RANK : rank;
    }

    for (let index = 0; index < parts; index++) ranks[index] = pairRank(index);
    for (;;) {
      let lowest = NO_RANK;
      let at = -1;
      for (let index = 0; index < parts - 1; index++) {
        const rank = ranks[index] as number;
        if (rank < lowest) {
          lowest = rank;
          at = index;
        }
      }
      if (at === -1) return parts;
      cuts.copyWithin(at + 1, at + 2, parts + 1);
      ranks.copyWithin(at, at + 1, parts);
      parts--;
      ranks[at] = pairRank(at);
      if (at > 0) ranks[at - 1] = pairRank(at - 1);
    }
  };
}

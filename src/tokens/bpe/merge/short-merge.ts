// Byte pair merging of a short piece: look over all pairs, merge the one of the lowest rank, look again. Quadratic,
// and for a dozen bytes faster than anything with a heap.
import { NO_RANK, ONE_BYTE, type PairRanks } from "./pair-ranks.ts";

/** Merges the bytes from `start` to `end`; returns the number of tokens. */
export type Merge = (bytes: Uint8Array, start: number, end: number) => number;

/** In bytes; longer pieces go to long-merge.ts. */
export const SHORT_PIECE = 64;

export function createShortMerge(pairs: PairRanks): Merge {
  /** Part `i` goes from `cuts[i]` to `cuts[i + 1]`; `ranks[i]` is that of the parts `i` and `i + 1` together. */
  const cuts = new Int32Array(SHORT_PIECE + 2);
  const ranks = new Int32Array(SHORT_PIECE + 1);
  const numbers = new Int32Array(SHORT_PIECE + 1);

  /** Index of the leftmost pair of the lowest rank; -1 when no pair can be merged. */
  function lowestPair(count: number): number {
    let lowest = NO_RANK;
    let at = -1;
    for (let index = 0; index < count; index++) {
      const rank = ranks[index] as number;
      if (rank < lowest) {
        lowest = rank;
        at = index;
      }
    }
    return at;
  }

  function remove(at: number, parts: number): void {
    for (let index = at + 1; index < parts; index++) {
      cuts[index] = cuts[index + 1] as number;
      ranks[index - 1] = ranks[index] as number;
      numbers[index] = numbers[index + 1] as number;
    }
  }

  function rankAt(index: number, parts: number): number {
    if (index + 1 >= parts) return NO_RANK;
    const from = cuts[index] as number;
    return pairs.of(numbers[index] as number, numbers[index + 1] as number, from, cuts[index + 2] as number);
  }

  return (bytes, start, end) => {
    let parts = end - start;
    pairs.open(bytes, start, end);
    for (let index = 0; index < parts; index++) {
      cuts[index] = index;
      numbers[index] = ONE_BYTE + (bytes[start + index] as number);
    }
    cuts[parts] = parts;
    for (let index = 0; index < parts; index++) ranks[index] = rankAt(index, parts);
    for (let at = lowestPair(parts - 1); at !== -1; at = lowestPair(parts - 1)) {
      numbers[at] = ranks[at] as number;
      remove(at, parts);
      parts--;
      ranks[at] = rankAt(at, parts);
      if (at > 0) ranks[at - 1] = rankAt(at - 1, parts);
    }
    return parts;
  };
}

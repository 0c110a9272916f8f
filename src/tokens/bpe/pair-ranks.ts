// The rank of two neighbouring parts together, for merging. Nearly all first questions are about two single bytes, and
// those have a table of their own; longer slices are looked up by a hash that follows from prefix hashes.
import { createPowers, hashPrefixes, hashSlice, LONGEST_TOKEN } from "./byte-hash.ts";
import type { RankTable } from "./rank-table.ts";

/** No such token: above every rank. */
export const NO_RANK = 0x7fffffff;

export interface PairRanks {
  /** Sets the piece that the offsets below are about. */
  open(bytes: Uint8Array, start: number, end: number): void;
  /** Rank of the two bytes at `offset`. */
  ofBytes(offset: number): number;
  /** Rank of the slice from `from` to `to`. */
  ofSlice(from: number, to: number): number;
}

export function createPairRanks(table: RankTable): PairRanks {
  const powers = createPowers();
  /** By two bytes: rank plus one, 0 where nobody asked. */
  const ofTwo = new Int32Array(0x10000);
  let prefixes = new Int32Array(0);
  let bytes = new Uint8Array(0);
  let start = 0;

  function find(from: number, to: number): number {
    const rank = table.find(hashSlice(prefixes, powers, from, to), bytes, start + from, start + to);
    return rank === -1 ? NO_RANK : rank;
  }

  return {
    open(newBytes, newStart, end) {
      bytes = newBytes;
      start = newStart;
      if (prefixes.length <= end - start) prefixes = new Int32Array(2 * (end - start) + 1);
      hashPrefixes(bytes, start, end, prefixes);
    },
    ofBytes(offset) {
      const key = ((bytes[start + offset] as number) << 8) | (bytes[start + offset + 1] as number);
      const known = ofTwo[key] as number;
      if (known !== 0) return known - 1;
      const rank = find(offset, offset + 2);
      ofTwo[key] = rank === NO_RANK ? 0 : rank + 1;
      return rank;
    },
    ofSlice(from, to) {
      return to - from > LONGEST_TOKEN ? NO_RANK : find(from, to);
    },
  };
}

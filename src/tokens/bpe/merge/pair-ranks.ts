// The rank of two neighbouring parts together, for merging. First the parts' own numbers are looked up in a small
// cache; else the slice that both make is looked up by a hash that follows from two prefix hashes. No string is built.
import { createPowers, hashPrefixes, hashSlice, LONGEST_TOKEN } from "../byte-hash.ts";
import type { RankTable } from "../rank-table.ts";

/** No such token: above every rank. */
export const NO_RANK = 0x7fffffff;

/** Number of a part that is one byte; a merged part's number is its rank. Above every rank. */
export const ONE_BYTE = 0x1000000;

export interface PairRanks {
  /** Sets the piece that the offsets below are about. */
  open(bytes: Uint8Array, start: number, end: number): void;
  /** Rank of the slice from `from` to `to`, made of the parts numbered `left` and `right`. */
  of(left: number, right: number, from: number, to: number): number;
}

const CACHE_BITS = 15;

export function createPairRanks(table: RankTable): PairRanks {
  const powers = createPowers();
  /** Three numbers a slot: left, right, rank. An entry is overwritten by the next one of its slot. */
  const cache = new Int32Array(3 * 2 ** CACHE_BITS).fill(-1);
  let prefixes = new Int32Array(0);
  let bytes: Uint8Array = new Uint8Array(0);
  let start = 0;

  function find(from: number, to: number): number {
    if (to - from > LONGEST_TOKEN) return NO_RANK;
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
    of(left, right, from, to) {
      const slot = 3 * (Math.imul(Math.imul(left, 0x9e3779b1) ^ right, 0x85ebca6b) >>> (32 - CACHE_BITS));
      if (cache[slot] === left && cache[slot + 1] === right) return cache[slot + 2] as number;
      const rank = find(from, to);
      cache[slot] = left;
      cache[slot + 1] = right;
      cache[slot + 2] = rank;
      return rank;
    },
  };
}

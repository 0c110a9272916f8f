// Bytes -> rank for every token of an encoding, over a packed rank file: opening it sums up lengths and nothing else.
import { slotOf, tagOf } from "./byte-hash.ts";
import { broken, readRankFile } from "./rank-file.ts";

export interface RankTable {
  /** Rank of the token that is exactly these bytes, or -1. `hash` is their hash. */
  find(hash: number, bytes: Uint8Array, start: number, end: number): number;
}

/** @throws CompactError `InvalidInput` when the bytes are no whole rank file. */
export function createRankTable(file: Uint8Array): RankTable {
  const { bucketBits, ranks, bucketSizes, tags, lengths, pool } = readRankFile(file);
  const buckets = runningSums(bucketSizes);
  const offsets = runningSums(lengths);
  if (buckets.at(-1) !== ranks.length || offsets.at(-1) !== pool.length) throw broken();

  function equals(index: number, bytes: Uint8Array, start: number, end: number): boolean {
    let offset = offsets[index] as number;
    if ((offsets[index + 1] as number) - offset !== end - start) return false;
    for (let at = start; at < end; at++, offset++) {
      if (pool[offset] !== bytes[at]) return false;
    }
    return true;
  }

  return {
    find(hash, bytes, start, end) {
      const bucket = slotOf(hash, bucketBits);
      const last = buckets[bucket + 1] as number;
      const tag = tagOf(hash);
      for (let index = buckets[bucket] as number; index < last; index++) {
        if (tags[index] === tag && equals(index, bytes, start, end)) return ranks[index] as number;
      }
      return -1;
    },
  };
}

/** `sums[i]` is the sum of the first `i` values. */
function runningSums(values: Uint8Array): Int32Array {
  const sums = new Int32Array(values.length + 1);
  let sum = 0;
  for (let index = 0; index < values.length; index++) {
    sum += values[index] as number;
    sums[index + 1] = sum;
  }
  return sums;
}

// Bytes -> rank for every token of an encoding, over a packed rank file. Opening it hashes each token once and sorts the
// ranks into buckets, some milliseconds for 200,000 tokens.
import { hashBytes, slotOf, tagOf } from "./byte-hash.ts";
import { broken, readRankFile } from "./rank-file.ts";

export interface RankTable {
  /** Rank of the token that is exactly these bytes, or -1. `hash` is their hash. */
  find(hash: number, bytes: Uint8Array, start: number, end: number): number;
}

/** @throws CompactError `InvalidInput` when the bytes are no whole rank file. */
export function createRankTable(file: Uint8Array): RankTable {
  const { lengths, pool } = readRankFile(file);
  const offsets = runningSums(lengths);
  if (offsets.at(-1) !== pool.length) throw broken();
  const bucketBits = Math.floor(Math.log2(lengths.length));
  const { buckets, ranks, tags } = sortIntoBuckets(offsets, pool, bucketBits);

  function equals(rank: number, bytes: Uint8Array, start: number, end: number): boolean {
    let offset = offsets[rank] as number;
    if ((offsets[rank + 1] as number) - offset !== end - start) return false;
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
        if (tags[index] !== tag) continue;
        const rank = ranks[index] as number;
        if (equals(rank, bytes, start, end)) return rank;
      }
      return -1;
    },
  };
}

interface Buckets {
  /** Where each bucket starts; one entry more than there are buckets. */
  readonly buckets: Int32Array;
  /** By bucket, most used first: a low rank is a frequent token. */
  readonly ranks: Int32Array;
  /** One byte of each token's hash, in the same order. */
  readonly tags: Uint8Array;
}

function sortIntoBuckets(offsets: Int32Array, pool: Uint8Array, bucketBits: number): Buckets {
  const count = offsets.length - 1;
  const hashes = new Int32Array(count);
  const sizes = new Int32Array(2 ** bucketBits);
  for (let rank = 0; rank < count; rank++) {
    const hash = hashBytes(pool, offsets[rank] as number, offsets[rank + 1] as number);
    const bucket = slotOf(hash, bucketBits);
    hashes[rank] = hash;
    sizes[bucket] = (sizes[bucket] as number) + 1;
  }
  const buckets = runningSums(sizes);
  const next = buckets.slice();
  const ranks = new Int32Array(count);
  const tags = new Uint8Array(count);
  for (let rank = 0; rank < count; rank++) {
    const hash = hashes[rank] as number;
    const bucket = slotOf(hash, bucketBits);
    const place = next[bucket] as number;
    next[bucket] = place + 1;
    ranks[place] = rank;
    tags[place] = tagOf(hash);
  }
  return { buckets, ranks, tags };
}

/** `sums[i]` is the sum of the first `i` values. */
function runningSums(values: Uint8Array | Int32Array): Int32Array {
  const sums = new Int32Array(values.length + 1);
  let sum = 0;
  for (let index = 0; index < values.length; index++) {
    sum += values[index] as number;
    sums[index + 1] = sum;
  }
  return sums;
}

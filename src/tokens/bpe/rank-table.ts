// Bytes -> rank for every token of an encoding, over a packed rank file. Opening it hashes each token once and chains those
// of a bucket, ten milliseconds for 200,000 tokens.
import { CompactError } from "../../errors.ts";

export interface RankTable {
  /** Rank of the token that is exactly these bytes, or -1. `hash` is their hash. */
  find(hash: number, bytes: Uint8Array, start: number, end: number): number;
}

/** @throws CompactError `InvalidInput` when the bytes are no whole rank file. */
export function createRankTable(file: Uint8Array): RankTable {
  const { lengths, pool } = readRankFile(file);
  const bucketBits = Math.floor(Math.log2(lengths.length));
  const { offsets, first, next, tags } = chainTokens(lengths, pool, bucketBits);

  function equals(rank: number, bytes: Uint8Array, start: number, end: number): boolean {
    let offset = offsets[rank] as number;
    if (lengths[rank] !== end - start) return false;
    for (let at = start; at < end; at++, offset++) {
      if (pool[offset] !== bytes[at]) return false;
    }
    return true;
  }

  return {
    find(hash, bytes, start, end) {
      const tag = tagOf(hash);
      for (let rank = first[slotOf(hash, bucketBits)] as number; rank >= 0; rank = next[rank] as number)
        if (tags[rank] === tag && equals(rank, bytes, start, end)) return rank;
      return -1;
    },
  };
}

interface Chains {
  /** Where the token of each rank begins in the pool. */
  readonly offsets: Int32Array;
  /** The lowest rank of each bucket, or -1: a low rank is a frequent token. */
  readonly first: Int32Array;
  /** The rank after each one in its bucket, or -1. */
  readonly next: Int32Array;
  /** One byte of each token's hash. */
  readonly tags: Uint8Array;
}

/**
 * From the last rank to the first, so that the lowest come first. One loop, with nothing called in it: most processes count
 * once, before any of this is compiled.
 */
function chainTokens(lengths: Uint8Array, pool: Uint8Array, bucketBits: number): Chains {
  const count = lengths.length;
  const offsets = new Int32Array(count);
  const first = new Int32Array(2 ** bucketBits).fill(-1);
  const next = new Int32Array(count);
  const tags = new Uint8Array(count);
  const shift = 32 - bucketBits;
  let end = pool.length;
  for (let rank = count - 1; rank >= 0; rank--) {
    const start = end - (lengths[rank] as number);
    let hash = 0;
    for (let at = start; at < end; at++) hash = (Math.imul(hash, BASE) + (pool[at] as number)) | 0;
    const bucket = Math.imul(hash ^ (hash >>> 15), SPREAD) >>> shift;
    offsets[rank] = start;
    next[rank] = first[bucket] as number;
    first[bucket] = rank;
    tags[rank] = hash & 0xff;
    end = start;
  }
  if (end !== 0) throw broken();
  return { offsets, first, next, tags };
}

// The layout of a packed rank file: what the build step writes (scripts/token-ranks/) and rank-table.ts reads. Tokens
// stand by rank, so that a rank is a place and costs no byte: a table in the order of hashes would be half as large again.

/** The parts of a rank file, as views into its bytes. */
interface RankFile {
  /** Length in bytes of the token of each rank. */
  readonly lengths: Uint8Array;
  /** The bytes of all tokens. */
  readonly pool: Uint8Array;
}

/** "ACR2": a layout that cannot be read by this version gets another number. */
export const RANK_FILE_MAGIC = 0x32524341;
/** Magic, number of tokens: 32 bits each, little endian. */
export const RANK_FILE_HEADER = 8;

/** @throws CompactError `InvalidInput` when the bytes are no whole rank file. */
function readRankFile(file: Uint8Array): RankFile {
  const header = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.byteLength < RANK_FILE_HEADER || header.getUint32(0, true) !== RANK_FILE_MAGIC) throw broken();
  const count = header.getUint32(4, true);
  const poolStart = RANK_FILE_HEADER + count;
  if (count === 0 || poolStart >= file.byteLength) throw broken();
  return { lengths: file.subarray(RANK_FILE_HEADER, poolStart), pool: file.subarray(poolStart) };
}

function broken(): CompactError {
  return new CompactError("InvalidInput", "The bytes given as token ranks are not a whole rank file of this version", {
    code: "INVALID_RANK_FILE",
    hint: "Read the file again as it stands in the package's dist/ranks folder, of the same version as the code.",
  });
}

// The one hash of byte strings behind every table of this folder. It is polynomial, so that the hash of any slice
// follows from two prefix hashes: merging asks for thousands of slices and never walks their bytes for it.

const BASE = 0x2c1b3c6d;
const SPREAD = 0x9e3779b1;

/** No token of the published encodings is longer; longer slices are never looked up. */
export const LONGEST_TOKEN = 128;

/** `powers[n]` is the base of the hash to the n-th, in 32 bits: what `hashSlice` needs. */
export function createPowers(): Int32Array {
  const powers = new Int32Array(LONGEST_TOKEN + 1);
  let power = 1;
  for (let exponent = 0; exponent <= LONGEST_TOKEN; exponent++) {
    powers[exponent] = power;
    power = Math.imul(power, BASE);
  }
  return powers;
}

export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let index = start; index < end; index++) hash = (Math.imul(hash, BASE) + (bytes[index] as number)) | 0;
  return hash;
}

/** Fills `prefixes[i]` with the hash of the first `i` bytes from `start`. Needs room for `end - start + 1` entries. */
export function hashPrefixes(bytes: Uint8Array, start: number, end: number, prefixes: Int32Array): void {
  let hash = 0;
  prefixes[0] = 0;
  for (let index = start; index < end; index++) {
    hash = (Math.imul(hash, BASE) + (bytes[index] as number)) | 0;
    prefixes[index - start + 1] = hash;
  }
}

/** Hash of the slice from `from` to `to` (offsets into the hashed bytes, at most LONGEST_TOKEN apart). */
export function hashSlice(prefixes: Int32Array, powers: Int32Array, from: number, to: number): number {
  return ((prefixes[to] as number) - Math.imul(prefixes[from] as number, powers[to - from] as number)) | 0;
}

/** The first slot to look at in a table of 2^bits slots: polynomial hashes differ mostly in their low bits. */
export function slotOf(hash: number, bits: number): number {
  return Math.imul(hash ^ (hash >>> 15), SPREAD) >>> (32 - bits);
}

/** A byte of the hash that the slot does not follow from: tells most strangers in a slot at a glance. */
function tagOf(hash: number): number {
  return hash & 0xff;
}

// Bytes -> rank for every token of an encoding, read in place from a packed rank file: nothing is computed or copied when it
// is opened.
import { CompactError } from "../../errors.ts";

export interface RankTable {
  /** Rank of the token that is exactly these bytes, or -1. `hash` is their hash. */
  find(hash: number, bytes: Uint8Array, start: number, end: number): number;
}

// The layout of a packed rank file: what the build step writes (scripts/token-ranks/) and this reads. Tokens stand in buckets
// by their hash, in each by rank, since a low rank is a frequent token: a byte of the hash, the length, the rank in three
// bytes, the token itself. Before them stands where each bucket begins, and where the last one ends.

/** "ACR3": a layout that cannot be read by this version gets another number. */
export const RANK_FILE_MAGIC = 0x33524341;
/** Magic, bits of a bucket's number: 32 bits each, little endian. */
export const RANK_FILE_HEADER = 8;
/** Tag, length, rank. */
export const BEFORE_TOKEN = 5;

/** @throws CompactError `InvalidInput` when the bytes are no whole rank file. */
export function createRankTable(file: Uint8Array): RankTable {
  const { bits, starts } = readStarts(file);
  return {
    find(hash, bytes, start, end) {
      const bucket = slotOf(hash, bits);
      const tag = tagOf(hash);
      const length = end - start;
      const bucketEnd = starts[bucket + 1] as number;
      for (let at = starts[bucket] as number; at < bucketEnd; at += BEFORE_TOKEN + (file[at + 1] as number))
        if (file[at] === tag && file[at + 1] === length && equals(file, at + BEFORE_TOKEN, bytes, start, end))
          return (file[at + 2] as number) | ((file[at + 3] as number) << 8) | ((file[at + 4] as number) << 16);
      return -1;
    },
  };
}

function equals(file: Uint8Array, offset: number, bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start, other = offset; at < end; at++, other++) if (file[other] !== bytes[at]) return false;
  return true;
}

/** @throws CompactError `InvalidInput` when the bytes are no whole rank file. */
function readStarts(file: Uint8Array): { readonly bits: number; readonly starts: Uint32Array } {
  const header = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.byteLength < RANK_FILE_HEADER || header.getUint32(0, true) !== RANK_FILE_MAGIC) throw broken();
  const bits = header.getUint32(4, true);
  const count = 2 ** bits + 1;
  const records = RANK_FILE_HEADER + 4 * count;
  if (bits > 20 || file.byteLength < records || header.getUint32(records - 4, true) !== file.byteLength) throw broken();
  const aligned = file.byteOffset % 4 === 0 ? file : file.slice(0, records);
  return { bits, starts: new Uint32Array(aligned.buffer, aligned.byteOffset + RANK_FILE_HEADER, count) };
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
export function tagOf(hash: number): number {
  return hash & 0xff;
}

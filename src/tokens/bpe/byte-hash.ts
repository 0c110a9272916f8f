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

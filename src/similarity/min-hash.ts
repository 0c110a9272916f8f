// MinHash: a short signature of a set, by which alike sets are found without comparing all with all. Deterministic: the
// same set has the same signature in every process.

export const HASHES = 128;

const SEEDS = Uint32Array.from({ length: HASHES }, (_, i) => mix(Math.imul(i, 0x9e3779b9) + 1));
const FACTORS = Uint32Array.from({ length: HASHES }, (_, i) => mix(Math.imul(i, 0x85ebca6b) + 7) | 1);

/** Of the hashes of a set's elements (`hashText`), order does not matter. All ones for an empty set. */
export function minHash(hashes: Iterable<number>): Uint32Array {
  const signature = new Uint32Array(HASHES).fill(0xffffffff);
  for (const hash of hashes) {
    for (let i = 0; i < HASHES; i += 1) {
      const value = Math.imul(hash ^ (SEEDS[i] as number), FACTORS[i] as number) >>> 0;
      if (value < (signature[i] as number)) signature[i] = value;
    }
  }
  return signature;
}

/** Share of equal places: estimates the Jaccard similarity of the sets, within about 0.03 at 0.85. */
export function estimateJaccard(a: Uint32Array, b: Uint32Array): number {
  let equal = 0;
  for (let i = 0; i < HASHES; i += 1) if (a[i] === b[i]) equal += 1;
  return equal / HASHES;
}

/** 32 bits of a text's UTF-16 units. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mix(hash);
}

/** Two hashes as one, order told apart. */
export function combineHashes(first: number, second: number): number {
  return mix(Math.imul(first, 0x9e3779b1) ^ (second + 0x7f4a7c15));
}

function mix(value: number): number {
  let hash = value >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

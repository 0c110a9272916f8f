// Finds the texts that are nearly alike among many, in about linear time: MinHash signatures in bands, and each pair
// that shares a band compared exactly. Nearly alike is a candidate, no more; same-fact.ts has the last word.
import { wordTokens } from "../text/words.ts";

interface NearDuplicateOptions {
  /** Least Jaccard similarity of a pair's shingles, above 0 and up to 1. Default 0.85. */
  readonly threshold?: number;
  /** Words in a shingle: 1 compares sets of words, more their order too. Default 2. */
  readonly shingle?: number;
  /** Each text is compared with so many earlier ones at most, the latest first. Default 64. */
  readonly mostCompared?: number;
}

/** Positions in the list of texts, `first` before `second`. */
interface NearDuplicate {
  readonly first: number;
  readonly second: number;
  /** Exact, of their shingles. */
  readonly jaccard: number;
}

/** A pair at the threshold is missed less often than this. */
const MISSED = 0.001;
/** An estimate this far below the threshold is never one of a pair. */
const MARGIN = 0.16;

/**
 * Pairs by ascending `second`. Texts of the same words in the same order are paired with the first of them only, which
 * alone is compared with others; texts without words are in no pair.
 */
export function findNearDuplicates(
  texts: readonly string[],
  { threshold = 0.85, shingle = 2, mostCompared = 64 }: NearDuplicateOptions = {},
): readonly NearDuplicate[] {
  const known = new Map<string, number>();
  const bands = createBands(threshold, mostCompared);
  const sets = new Map<number, ReadonlySet<string>>();
  const setOf = (index: number): ReadonlySet<string> => {
    const set = sets.get(index) ?? shingleSet(wordTokens(texts[index] ?? ""), shingle);
    sets.set(index, set);
    return set;
  };
  const pairs: NearDuplicate[] = [];
  for (const [second, text] of texts.entries()) {
    const words = wordTokens(text);
    if (words.length === 0) continue;
    const wording = words.join(" ");
    const same = known.get(wording);
    if (same !== undefined) {
      pairs.push({ first: same, second, jaccard: 1 });
      continue;
    }
    known.set(wording, second);
    for (const first of bands.addAndFind(second, minHash(shingleHashes(words, shingle)))) {
      const jaccard = exactJaccard(setOf(first), setOf(second));
      if (jaccard >= threshold) pairs.push({ first, second, jaccard });
    }
  }
  return pairs;
}

/** The longest band that still finds pairs at the threshold: the longer, the fewer others share it. */
function rowsOf(threshold: number): number {
  for (let rows = 16; rows > 1; rows -= 1) {
    if ((1 - threshold ** rows) ** Math.floor(HASHES / rows) <= MISSED) return rows;
  }
  return 1;
}

function createBands(threshold: number, mostCompared: number) {
  const rows = rowsOf(threshold);
  const buckets = Array.from({ length: Math.floor(HASHES / rows) }, () => new Map<number, number[]>());
  const signatures: Uint32Array[] = [];
  return {
    /** Earlier ones that share a band, ascending. */
    addAndFind(index: number, signature: Uint32Array): readonly number[] {
      const found = new Set<number>();
      for (const [band, bucket] of buckets.entries()) {
        const key = keyOf(signature, band * rows, rows);
        const members = bucket.get(key);
        if (members === undefined) bucket.set(key, [index]);
        else {
          for (const member of members.slice(-mostCompared)) found.add(member);
          members.push(index);
        }
      }
      signatures[index] = signature;
      return [...found]
        .sort((a, b) => a - b)
        .slice(-mostCompared)
        .filter((other) => estimateJaccard(signatures[other] ?? signature, signature) >= threshold - MARGIN);
    },
  };
}

/** 32 bits of a band; those that clash are told apart by the comparison behind. */
function keyOf(signature: Uint32Array, from: number, rows: number): number {
  let key = 0x811c9dc5;
  for (let at = from; at < from + rows; at += 1) key = Math.imul(key ^ (signature[at] as number), 0x01000193);
  return key ^ (key >>> 15);
}

// How alike two sets are, exactly. Alike is not the same: whether two texts may stand for each other is decided in
// same-fact.ts.

/** Shared elements over all elements, 0 to 1; two empty sets are alike in nothing: 0. */
export function exactJaccard(a: ReadonlySet<unknown>, b: ReadonlySet<unknown>): number {
  const shared = countShared(a, b);
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}

/** Share of `part` that `whole` holds, 0 to 1; 0 for an empty part. */
export function containment(part: ReadonlySet<unknown>, whole: ReadonlySet<unknown>): number {
  return part.size === 0 ? 0 : countShared(part, whole) / part.size;
}

function countShared(a: ReadonlySet<unknown>, b: ReadonlySet<unknown>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let shared = 0;
  for (const element of small) if (large.has(element)) shared += 1;
  return shared;
}

// MinHash: a short signature of a set, by which alike sets are found without comparing all with all. Deterministic: the
// same set has the same signature in every process.

const HASHES = 128;

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
function combineHashes(first: number, second: number): number {
  return mix(Math.imul(first, 0x9e3779b1) ^ (second + 0x7f4a7c15));
}

function mix(value: number): number {
  let hash = value >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

// Runs of neighbouring words: as hashes for signatures, as texts where sets are compared exactly.

/** The runs of `size` words; of fewer words than that, one run of them all. */
export function shingleSet(words: readonly string[], size: number): ReadonlySet<string> {
  const found = new Set<string>();
  for (let start = 0, last = lastStart(words, size); start <= last; start += 1) {
    found.add(words.slice(start, start + size).join(" "));
  }
  return found;
}

/** 32 bits of each run, repeats included; the same in every process. */
export function shingleHashes(words: readonly string[], size: number): Uint32Array {
  const hashes = Uint32Array.from(words, hashText);
  const last = lastStart(words, size);
  const runs = new Uint32Array(last + 1);
  for (let start = 0; start <= last; start += 1) {
    let run = 1;
    for (let at = start; at < start + size && at < hashes.length; at += 1)
      run = combineHashes(run, hashes[at] as number);
    runs[start] = run;
  }
  return runs;
}

/** Below 0 for no words. */
function lastStart(words: readonly string[], size: number): number {
  return words.length === 0 ? -1 : Math.max(0, words.length - size);
}

// Finds the texts that are nearly alike among many, in about linear time: MinHash signatures in bands, and each pair
// that shares a band compared exactly. Nearly alike is a candidate, no more; same-fact.ts has the last word.
import { wordTokens } from "../text/words.ts";
import { exactJaccard } from "./jaccard.ts";
import { estimateJaccard, HASHES, minHash } from "./min-hash.ts";
import { shingleHashes, shingleSet } from "./shingles.ts";

export interface NearDuplicateOptions {
  /** Least Jaccard similarity of a pair's shingles, above 0 and up to 1. Default 0.85. */
  readonly threshold?: number;
  /** Words in a shingle: 1 compares sets of words, more their order too. Default 2. */
  readonly shingle?: number;
  /** Each text is compared with so many earlier ones at most, the latest first. Default 64. */
  readonly mostCompared?: number;
}

/** Positions in the list of texts, `first` before `second`. */
export interface NearDuplicate {
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

// Finds the texts that are nearly alike among many, in about linear time. Two sets that share most of their elements share
// one of their rarest, so only texts that do are compared. Nearly alike is a candidate, no more; same-fact.ts has the last
// word.
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
  /** Shared shingles over all shingles. */
  readonly jaccard: number;
}

/** Shingles are counted in so many places; those that share one count as one. */
const PLACES = 2 ** 20;

/**
 * Pairs by ascending `second`. Texts of the same words in the same order are paired with the first of them only, which
 * alone is compared with others; texts without words are in no pair.
 */
export function findNearDuplicates(
  texts: readonly string[],
  { threshold = 0.85, shingle = 2, mostCompared = 64 }: NearDuplicateOptions = {},
): readonly NearDuplicate[] {
  const known = new Map<string, number>();
  const counts = new Uint32Array(PLACES);
  const sets = texts.map((text, at): ReadonlySet<number> | number => {
    const words = wordTokens(text);
    const wording = words.join(" ");
    const same = known.get(wording);
    if (same !== undefined) return same;
    if (words.length > 0) known.set(wording, at);
    const set = shingleSet(words, shingle);
    for (const hash of set) counts[hash % PLACES] = (counts[hash % PLACES] ?? 0) + 1;
    return set;
  });
  const countOf = (hash: number) => counts[hash % PLACES] ?? 0;
  const byShingle = new Map<number, number[]>();
  const pairs: NearDuplicate[] = [];
  for (const [second, set] of sets.entries()) {
    if (typeof set === "number") {
      pairs.push({ first: set, second, jaccard: 1 });
      continue;
    }
    const rarest = [...set].sort((a, b) => countOf(a) - countOf(b) || a - b);
    const found = new Set<number>();
    for (const hash of rarest.slice(0, set.size - Math.ceil(set.size * threshold) + 1)) {
      const others = byShingle.get(hash);
      for (const other of others?.slice(-mostCompared) ?? []) found.add(other);
      if (others === undefined) byShingle.set(hash, [second]);
      else others.push(second);
    }
    for (const first of [...found].sort((a, b) => a - b).slice(-mostCompared)) {
      const jaccard = jaccardOf(sets[first] as ReadonlySet<number>, set);
      if (jaccard >= threshold) pairs.push({ first, second, jaccard });
    }
  }
  return pairs;
}

/** Shared elements over all elements, 0 to 1; two empty sets are alike in nothing: 0. */
export function jaccardOf(a: ReadonlySet<unknown>, b: ReadonlySet<unknown>): number {
  let shared = 0;
  for (const element of a) if (b.has(element)) shared += 1;
  return shared / Math.max(1, a.size + b.size - shared);
}

/** Hashes of the runs of `size` words; of fewer words than that, one run of them all. */
function shingleSet(words: readonly string[], size: number): ReadonlySet<number> {
  const hashes = new Set<number>();
  for (let at = 0; at === 0 || at + size <= words.length; at += 1)
    if (words.length > 0) hashes.add(hashText(words.slice(at, at + size).join(" ")));
  return hashes;
}

/** 32 bits of a text's UTF-16 units, the same in every process. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

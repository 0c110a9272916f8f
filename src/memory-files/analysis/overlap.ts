// How much of a section the memory holds, by tokens, and what the specification calls that. In integers, so that a
// similarity of exactly 0.5 or 0.7 falls on the side it belongs to.
import type { Severity } from "../analysis.ts";

/** Counts of tokens: of both, of the section, of either. */
export interface Overlap {
  readonly shared: number;
  readonly own: number;
  readonly all: number;
}

/** More shared tokens than this make a redundancy. */
const LEAST_SHARED = 5;

export function overlapOf(section: ReadonlySet<string>, memory: ReadonlySet<string>): Overlap {
  let shared = 0;
  for (const token of section) if (memory.has(token)) shared += 1;
  return { shared, own: section.size, all: section.size + memory.size - shared };
}

/** Above 0.7 high, above 0.5 medium. Undefined: no redundancy by the specification. */
export function severityOf({ shared, all }: Overlap): Severity | undefined {
  if (shared <= LEAST_SHARED || 2 * shared <= all) return undefined;
  return 10 * shared > 7 * all ? "high" : "medium";
}

/** The memory holds nine tokens of ten. */
export function isContained({ shared, own }: Overlap): boolean {
  return shared > LEAST_SHARED && 10 * shared >= 9 * own;
}

/** Shared tokens over all, 3 decimals, half up; two empty sets are the same: 1. */
export function similarityOf({ shared, all }: Overlap): number {
  return all === 0 ? 1 : shareOf(shared, all);
}

/** Shared tokens over those of the section, 3 decimals, half up. */
export function containmentOf({ shared, own }: Overlap): number {
  return own === 0 ? 0 : shareOf(shared, own);
}

function shareOf(part: number, whole: number): number {
  return Math.floor((2000 * part + whole) / (2 * whole)) / 1000;
}

// The tokens by which the specification compares texts: coarse on purpose, since the figures are shown to people. That
// two texts have the same tokens never means that they say the same.

/**
 * Runs of Latin letters and digits longer than one, and neighbouring pairs of CJK characters (a lone one is itself), in
 * small letters, in the order in which they first stand. Where the specification is silent, the same in spirit: words of
 * other scripts, and pairs where a script parts no words. Letters with accents part words, as it says.
 */
export function tokenize(text: string | null): ReadonlySet<string> {
  const tokens = new Set<string>();
  for (const [run, pairs = ""] of (text ?? "").toLowerCase().matchAll(RUN)) {
    if (pairs.length < 2) tokens.add(run);
    for (let at = 1; at < pairs.length; at += 1) tokens.add(pairs.slice(at - 1, at + 1));
  }
  return tokens;
}

/** Chinese characters, kana and Korean syllables are one kind, and so are Thai, Lao, Burmese and Khmer: no spaces part their words. */
const SPACELESS =
  "\\u4e00-\\u9fff\\u3040-\\u30ff\\uac00-\\ud7af\\u0e01-\\u0e4e\\u0e81-\\u0edf\\u1000-\\u109f\\u1780-\\u17d3";
/** Greek to Arabic, the scripts of India, Georgian, Ethiopic: letters with their marks, without the punctuation between. */
const SPACED =
  "\\u0388-\\u052f\\u0531-\\u0588\\u0591-\\u05f2\\u0620-\\u0669\\u066e-\\u06d3\\u0900-\\u0963\\u0966-\\u0df3\\u10a0-\\u135f";
const RUN = new RegExp(`[a-z0-9]{2,}|([${SPACELESS}]+)|[${SPACED}]{2,}`, "g");
const IS_PAIR = new RegExp(`^[${SPACELESS}]`);

const SEGMENTER = new Intl.Segmenter("zh", { granularity: "word" });

/** Tokens of the text as words: of a pair of characters, those that it stands in at its first place. */
export function wordsWith(tokens: readonly string[], text: string): readonly string[] {
  const lower = text.toLowerCase();
  const segments = SEGMENTER.segment(lower);
  const words: string[] = [];
  for (const token of tokens) {
    const at = IS_PAIR.test(token) ? lower.indexOf(token) : -1;
    const [first, last] = [segments.containing(at), segments.containing(at + token.length - 1)];
    const isPair = at >= 0 && first !== undefined && last !== undefined;
    const word = isPair ? lower.slice(first.index, last.index + last.segment.length) : token;
    if (!isPair || !words.some((known) => known.includes(word))) words.push(word);
  }
  return words;
}

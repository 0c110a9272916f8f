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
  const lower = (text ?? "").toLowerCase();
  // By code units, not by a pattern: every word of every note comes through here.
  for (let at = 0; at < lower.length; ) {
    const kind = kindOf(lower.charCodeAt(at));
    const from = at;
    do at += 1;
    while (at < lower.length && kindOf(lower.charCodeAt(at)) === kind);
    if (kind === PAIRS) addPairs(tokens, lower, from, at);
    else if (kind !== OTHER && at - from > 1) tokens.add(lower.slice(from, at));
  }
  return tokens;
}

const SEGMENTER = new Intl.Segmenter("zh", { granularity: "word" });

/** Tokens of the text as words: of a pair of characters, those that it stands in at its first place. */
export function wordsWith(tokens: readonly string[], text: string): readonly string[] {
  const lower = text.toLowerCase();
  const segments = SEGMENTER.segment(lower);
  const words: string[] = [];
  for (const token of tokens) {
    const at = kindOf(token.charCodeAt(0)) === PAIRS ? lower.indexOf(token) : -1;
    const [first, last] = [segments.containing(at), segments.containing(at + token.length - 1)];
    const isPair = at >= 0 && first !== undefined && last !== undefined;
    const word = isPair ? lower.slice(first.index, last.index + last.segment.length) : token;
    if (!isPair || !words.some((known) => known.includes(word))) words.push(word);
  }
  return words;
}

function addPairs(tokens: Set<string>, text: string, from: number, to: number): void {
  if (to - from === 1) tokens.add(text.slice(from, to));
  for (let at = from + 1; at < to; at += 1) tokens.add(text.slice(at - 1, at + 1));
}

const OTHER = 0;
const LATIN = 1;
const WORDS = 2;
const PAIRS = 3;

/** Letters with their marks, first and last; what lies between two ranges is punctuation. */
const SCRIPTS: readonly (readonly [first: number, last: number, kind: number])[] = [
  // Chinese characters, kana and Korean syllables are one kind.
  [0x4e00, 0x9fff, PAIRS],
  [0x3040, 0x30ff, PAIRS],
  [0xac00, 0xd7af, PAIRS],
  // Greek, Cyrillic, Armenian, Hebrew, Arabic.
  [0x388, 0x52f, WORDS],
  [0x531, 0x588, WORDS],
  [0x591, 0x5f2, WORDS],
  [0x620, 0x669, WORDS],
  [0x66e, 0x6d3, WORDS],
  // The scripts of India, up to and from its full stops; Georgian, Ethiopic.
  [0x900, 0x963, WORDS],
  [0x966, 0xdf3, WORDS],
  [0x10a0, 0x135f, WORDS],
  // Thai, Lao, Burmese, Khmer.
  [0xe01, 0xe4e, PAIRS],
  [0xe81, 0xedf, PAIRS],
  [0x1000, 0x109f, PAIRS],
  [0x1780, 0x17d3, PAIRS],
];

function kindOf(unit: number): number {
  if (unit < 0x80) return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39) ? LATIN : OTHER;
  for (const [first, last, kind] of SCRIPTS) if (unit >= first && unit <= last) return kind;
  return OTHER;
}

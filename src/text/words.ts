// Words of a text in any script, for comparing texts: lower case, width and composition evened out. Scripts written
// without spaces have no words that code could find; they give pairs of neighbouring characters.

const SPACELESS =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々";
const RUNS = new RegExp(`([${SPACELESS}]+)|(?:(?![${SPACELESS}])[\\p{L}\\p{M}\\p{N}_])+`, "gu");

/** Words and, of Chinese, Japanese, Korean and South-East Asian runs, bigrams (a lone character is itself), in order. */
export function wordTokens(text: string): readonly string[] {
  return tokensAsWritten(text.normalize("NFKC").toLowerCase());
}

/** The same of the text as it stands. Each token of a part of the text stands within one of the whole text. */
export function tokensAsWritten(text: string): readonly string[] {
  const tokens: string[] = [];
  for (const [run, spaceless] of text.matchAll(RUNS)) {
    if (spaceless === undefined) tokens.push(run);
    else addBigrams(spaceless, tokens);
  }
  return tokens;
}

const SPACELESS_WORD = new RegExp(`^[${SPACELESS}]`, "u");

/** Of a script without spaces: two characters say there what a word says elsewhere. */
export function isBigram(token: string): boolean {
  return SPACELESS_WORD.test(token);
}

function addBigrams(run: string, tokens: string[]): void {
  let previous: string | undefined;
  let count = 0;
  for (const character of run) {
    if (previous !== undefined) tokens.push(previous + character);
    previous = character;
    count += 1;
  }
  if (count === 1) tokens.push(run);
}

/** By code units, so that no locale changes an order. */
export function compareTexts(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0;
}

/** As `Map.groupBy`, which Node 20 has not. */
export function groupBy<Key, Value>(values: Iterable<Value>, keyOf: (value: Value) => Key): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    pushTo(groups, keyOf(value), value);
  }
  return groups;
}

/** Adds a value to the list under a key. */
export function pushTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

// Splits a text into its smallest quotable pieces: sentences, list items, table rows, lines of code. Pieces are
// ranges of the text, without gaps, so that neighbours read as they were written.

interface Piece {
  readonly start: number;
  readonly end: number;
  /** Inside a fenced block. */
  readonly isCode: boolean;
}

/** Blank lines, fences, rules, brackets and tags: nothing that stands for itself. */
export function isBare(text: string): boolean {
  return text.split("\n").every((line) => BARE.test(line));
}

const BARE = /^\s*(?:[`~]{3}[\w-]{0,20}|(?:<[^<>\n]{1,80}>\s*)*|[^\p{L}\p{N}]*)\s*$/u;
/** Shorter lines are one piece whatever they hold. */
const SHORT_LINE = 80;
/** Of one text; what follows is one piece. */
const MOST_PIECES = 2_000;
const FENCE = /^\s{0,12}(?:```|~~~)/u;
/** Made at the first long line: its tables are read then. */
let sentences: Intl.Segmenter | undefined;

/** `byLine`: of a text that is no prose, changed lines of a file for one. */
export function piecesOf(text: string, byLine = false): readonly Piece[] {
  const pieces: Piece[] = [];
  let isCode = false;
  let start = 0;
  while (start < text.length && pieces.length < MOST_PIECES) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline + 1;
    const line = text.slice(start, end);
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    if (byLine || isCode || isFence || line.length <= SHORT_LINE)
      pieces.push({ start, end, isCode: isCode || isFence });
    else addSentences(line, start, pieces);
    start = end;
  }
  if (start < text.length) pieces.push({ start, end: text.length, isCode });
  return pieces;
}

/** `2. `: no sentence, but the number of the one behind it. */
const MARKER = /^[\s>*_#•–-]*\(?(?:\d{1,3}|\p{L})[.)]\s*$/u;
/** A very long line is cut at its thousands: a segmenter takes its time, and nobody writes such sentences. */
const LONGEST_LINE = 4_000;

function addSentences(line: string, offset: number, pieces: Piece[]): void {
  sentences ??= new Intl.Segmenter(undefined, { granularity: "sentence" });
  for (let from = 0; from < line.length; from += LONGEST_LINE) {
    const part = line.slice(from, from + LONGEST_LINE);
    let start = 0;
    for (const { index, segment } of sentences.segment(part)) {
      const end = index + segment.length;
      if (MARKER.test(segment) && end < part.length) continue;
      pieces.push({ start: offset + from + start, end: offset + from + end, isCode: false });
      start = end;
    }
  }
}

// Which of many texts stand in one long text, in one pass for all of them: asking for each by itself would read a summary
// of a thousand quotes a thousand times.

/** Lengths of a text's beginning that are looked for; a text goes by the longest it has. Shorter ones are looked for singly. */
const LENGTHS = [96, 32, 8] as const;
const BASE = 31;

/** The `wanted` texts that `text` holds. */
export function heldTexts(text: string, wanted: Iterable<string>): ReadonlySet<string> {
  const held = new Set<string>();
  const byLength = new Map<number, Map<number, Set<string>>>();
  for (const needle of new Set(wanted)) {
    const length = LENGTHS.find((least) => needle.length >= least);
    if (length === undefined) {
      if (text.includes(needle)) held.add(needle);
      continue;
    }
    const byHash = byLength.get(length) ?? new Map<number, Set<string>>();
    byLength.set(length, byHash);
    const hash = hashOf(needle, length);
    byHash.set(hash, (byHash.get(hash) ?? new Set<string>()).add(needle));
  }
  for (const [length, byHash] of byLength) searchOnce(text, length, byHash, held);
  return held;
}

/** Looks at each place of `text` once; what is found is not looked for again. */
function searchOnce(text: string, length: number, byHash: Map<number, Set<string>>, held: Set<string>): void {
  if (text.length < length) return;
  let power = 1;
  for (let index = 1; index < length; index++) power = Math.imul(power, BASE);
  let hash = hashOf(text, length);
  for (let start = 0; ; start++) {
    const candidates = byHash.get(hash);
    for (const needle of candidates ?? []) {
      if (!text.startsWith(needle, start)) continue;
      held.add(needle);
      candidates?.delete(needle);
      if (candidates?.size === 0) byHash.delete(hash);
    }
    if (start + length >= text.length || byHash.size === 0) return;
    hash = Math.imul(hash - Math.imul(text.charCodeAt(start), power), BASE) + text.charCodeAt(start + length);
    hash |= 0;
  }
}

/** Of the first `length` units. */
function hashOf(text: string, length: number): number {
  let hash = 0;
  for (let index = 0; index < length; index++) hash = (Math.imul(hash, BASE) + text.charCodeAt(index)) | 0;
  return hash;
}

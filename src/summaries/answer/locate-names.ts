// Looks for many names in many texts at once: each name by the rarest of its plain words, so every text is read once however
// many names there are. A name stands alone: `INC-404` is not found in `INC-40417`.
import { createTurns, type Turns } from "../turns.ts";
import { isLineNumber } from "./line-numbers.ts";
import type { SourceText } from "./source-texts.ts";

const WORD = /[A-Za-z0-9_]+/g;
/** What stands inside numbers. */
const SEPARATORS = ".,_'’";
/** Between groups of three digits. */
const SPACES = " \u00a0\u2009\u202f";
const LONGEST_NUMBER = 48;
/** Names that are looked for by one word; more are no honest answer, and count as not found. */
const MOST_ALIKE = 256;
/** Letters up to which a word is too common in any text to look for a name by it. */
const SHORT_WORD = 4;
/** Digits by which hashes are grouped: the shortest that are taken for one. */
const HASH_START = 7;
/** Names without a plain word (written in other scripts) are searched one by one. */
const MOST_SEARCHED = 60;

export interface Located {
  /** By name: where the newest mention stands, an index of the texts. */
  readonly names: ReadonlyMap<string, number>;
  /** Digits of the numbers found, of those asked for. */
  readonly numbers: ReadonlySet<string>;
  /** Those of the numbers of lines found. */
  readonly lines: ReadonlySet<string>;
}

export interface WantedNumbers {
  /** As their digits alone, see `digitsOf`. */
  readonly numbers?: ReadonlySet<string>;
  /** Wherever a line has the number. */
  readonly lines?: ReadonlySet<string>;
}

interface Wanted {
  readonly name: string;
  readonly lower: string;
  /** Where the word stands in the name. */
  readonly offset: number;
}

/** Reads the texts from the newest; paths and addresses in their own case. */
export async function locateNames(
  names: ReadonlySet<string>,
  { numbers = new Set(), lines = new Set() }: WantedNumbers,
  texts: readonly SourceText[],
): Promise<Located> {
  const { byWord, others } = groupByWord(names);
  const search: Search = {
    byWord,
    hashes: groupHashes(names),
    wantedNumbers: numbers,
    wantedLines: lines,
    names: new Map(),
    numbers: new Set(),
    lines: new Set(),
  };
  const turns = createTurns();
  for (let index = texts.length - 1; index >= 0; index -= 1) {
    const text = texts[index]?.text ?? "";
    await searchWords(text, index, search, turns);
    await searchNumbers(text, search, turns);
    for (const name of others) if (!search.names.has(name) && text.includes(name)) search.names.set(name, index);
  }
  return search;
}

interface Search {
  readonly byWord: ReadonlyMap<string, Wanted[]>;
  readonly hashes: ReadonlyMap<string, readonly string[]>;
  readonly wantedNumbers: ReadonlySet<string>;
  readonly wantedLines: ReadonlySet<string>;
  readonly names: Map<string, number>;
  readonly numbers: Set<string>;
  readonly lines: Set<string>;
}

async function searchWords(text: string, index: number, search: Search, turns: Turns): Promise<void> {
  const { byWord, hashes, names } = search;
  if (byWord.size === 0 && hashes.size === 0) return;
  const isWanted = wordFilter(search);
  // By hand: a regular expression makes an object a word, and a session has millions.
  for (let at = 0; at < text.length; ) {
    const start = at;
    while (at < text.length && isWordUnit(text.charCodeAt(at))) at += 1;
    if (at > start && isWanted(text.charCodeAt(start), at - start)) {
      const word = text.slice(start, at).toLowerCase();
      const wanted = byWord.get(word);
      if (wanted !== undefined) takeFound(wanted, text, start, index, names);
      if (word.length >= HASH_START) takeHash(hashes, word, index, names);
    }
    at += 1;
    const pause = turns.tick();
    if (pause !== undefined) await pause;
  }
}

/** Most words are none of those looked for, by their length and first letter. */
function wordFilter({ byWord, hashes }: Search): (firstUnit: number, length: number) => boolean {
  const lengths = new Set<number>([...byWord.keys()].map((word) => word.length * 256 + word.charCodeAt(0)));
  const starts = new Set<number>([...hashes.keys()].map((start) => start.charCodeAt(0)));
  return (firstUnit, length) => {
    const lower = firstUnit >= 65 && firstUnit <= 90 ? firstUnit + 32 : firstUnit;
    return lengths.has(length * 256 + lower) || (length >= HASH_START && starts.has(lower));
  };
}

function isWordUnit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57) || unit === 95;
}

async function searchNumbers(text: string, search: Search, turns: Turns): Promise<void> {
  const { wantedNumbers, wantedLines, numbers, lines } = search;
  if (numbers.size === wantedNumbers.size && lines.size === wantedLines.size) return;
  const takeRun = createRunTaker(text, search);
  for (let at = 0; at < text.length; ) {
    const start = at;
    while (at < text.length && isDigit(text.charCodeAt(at))) at += 1;
    if (at > start) takeRun(start, at);
    at += 1;
    const pause = turns.tick();
    if (pause !== undefined) await pause;
  }
}

/** Takes runs of digits in order, each by itself and joined with its neighbours: `1,234.5`, `1 500 000`, `10,20,30`. */
function createRunTaker(text: string, { wantedNumbers, wantedLines, numbers, lines }: Search) {
  const lengths = new Set<number>([...wantedNumbers].map((digits) => digits.length));
  const take = (digits: string) => {
    const bare = withoutZeros(digits);
    if (lengths.has(bare.length) && wantedNumbers.has(bare)) numbers.add(bare);
  };
  let joined = "";
  let lastEnd = -1;
  return (start: number, end: number): void => {
    const run = text.slice(start, Math.min(end, start + LONGEST_NUMBER));
    const isNeighbour = lastEnd === start - 1 && joined.length < LONGEST_NUMBER;
    const continues = isNeighbour && joins(text.charAt(lastEnd), run);
    joined = continues ? joined + run : run;
    take(run);
    if (continues) take(joined);
    if (wantedLines.has(run) && !lines.has(run) && isLineNumber(text, start, end)) lines.add(run);
    lastEnd = end;
  };
}

function joins(separator: string, run: string): boolean {
  return SEPARATORS.includes(separator) || (run.length === 3 && SPACES.includes(separator));
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function groupByWord(names: ReadonlySet<string>) {
  const byWord = new Map<string, Wanted[]>();
  const others: string[] = [];
  const shared = countWords(names);
  for (const name of names) {
    const found = rarestWord(name, shared);
    if (found === undefined) {
      if (others.length < MOST_SEARCHED) others.push(name);
      continue;
    }
    const alike = byWord.get(found.word) ?? [];
    if (alike.length < MOST_ALIKE) alike.push({ name, lower: name.toLowerCase(), offset: found.offset });
    byWord.set(found.word, alike);
  }
  return { byWord, others };
}

/** In how many places of the names each word stands: folders are shared by many. */
function countWords(names: ReadonlySet<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) {
    for (const [word] of name.toLowerCase().matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** By which a name is looked for: of the words that are long enough to be rare, the one that fewest other names have. */
function rarestWord(name: string, shared: ReadonlyMap<string, number>) {
  const words = [...name.matchAll(WORD)].map(({ 0: word, index }) => {
    const lower = word.toLowerCase();
    const isShort = word.length < SHORT_WORD;
    return { word: lower, offset: index, cost: (isShort ? MOST_ALIKE : 0) + (shared.get(lower) ?? 0) };
  });
  const [best] = words.sort((left, right) => left.cost - right.cost || right.word.length - left.word.length);
  return best;
}

/** A commit is often named by the beginning of its hash. */
function groupHashes(names: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    if (!/^[0-9a-f]{7,64}$/i.test(name)) continue;
    const start = name.slice(0, HASH_START).toLowerCase();
    const group = groups.get(start) ?? [];
    if (group.length < MOST_ALIKE) group.push(name);
    groups.set(start, group);
  }
  return groups;
}

function takeHash(
  hashes: ReadonlyMap<string, readonly string[]>,
  word: string,
  index: number,
  found: Map<string, number>,
): void {
  for (const name of hashes.get(word.slice(0, HASH_START)) ?? []) {
    if (!found.has(name) && word.startsWith(name.toLowerCase())) found.set(name, index);
  }
}

/** What was found is not looked for again. */
function takeFound(wanted: Wanted[], text: string, at: number, index: number, found: Map<string, number>): void {
  for (let n = wanted.length - 1; n >= 0; n -= 1) {
    const { name, lower, offset } = wanted[n] as Wanted;
    const start = at - offset;
    if (start < 0 || !standsAt(name, lower, text, start)) continue;
    found.set(name, index);
    wanted.splice(n, 1);
  }
}

function standsAt(name: string, lower: string, text: string, start: number): boolean {
  const there = text.slice(start, start + name.length);
  const isSame = /[/\\]/.test(name) ? there === name : there.toLowerCase() === lower;
  return isSame && isEdge(text, start - 1, start) && isEdge(text, start + name.length, start + name.length - 1);
}

/** Not in the middle of a word: `outside` and `inside` are two neighbours. */
function isEdge(text: string, outside: number, inside: number): boolean {
  const plain = /[A-Za-z0-9_]/;
  return !plain.test(text.charAt(outside)) || !plain.test(text.charAt(inside));
}

/** A number by its digits: `128,000` and `128000` are one. */
export function digitsOf(number: string): string {
  return withoutZeros(number.replace(/\D/g, ""));
}

function withoutZeros(digits: string): string {
  let start = 0;
  while (start < digits.length - 1 && digits.charCodeAt(start) === 48) start += 1;
  return start === 0 ? digits : digits.slice(start);
}

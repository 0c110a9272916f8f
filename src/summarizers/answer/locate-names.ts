// Looks for many names in many texts at once: each name by its longest plain word, so every text is read once however
// many names there are. A name stands alone: `INC-404` is not found in `INC-40417`.
import { createTurns, type Turns } from "../turns.ts";
import type { SourceText } from "./source-texts.ts";

const WORD = /[A-Za-z0-9_]+/g;
/** What stands inside numbers. */
const SEPARATORS = ".,_'’";
const LONGEST_NUMBER = 48;
/** Names that share their longest word; more are no honest answer, and count as not found. */
const MOST_ALIKE = 64;
/** Digits by which hashes are grouped: the shortest that are taken for one. */
const HASH_START = 7;
/** Names without a plain word (written in other scripts) are searched one by one. */
const MOST_SEARCHED = 60;

export interface Located {
  /** By name: where the newest mention stands, an index of the texts. */
  readonly names: ReadonlyMap<string, number>;
  /** Digits of the numbers found, of those asked for. */
  readonly numbers: ReadonlySet<string>;
}

interface Wanted {
  readonly name: string;
  readonly lower: string;
  /** Where the word stands in the name. */
  readonly offset: number;
}

/** `numbers` as their digits alone, see `digitsOf`. Reads the texts from the newest; paths and addresses in their own case. */
export async function locateNames(
  names: ReadonlySet<string>,
  numbers: ReadonlySet<string>,
  texts: readonly SourceText[],
): Promise<Located> {
  const { byWord, others } = groupByWord(names);
  const search: Search = {
    byWord,
    hashes: groupHashes(names),
    wantedNumbers: numbers,
    names: new Map(),
    numbers: new Set(),
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
  readonly names: Map<string, number>;
  readonly numbers: Set<string>;
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

/** Runs of digits, each by itself and joined with its neighbours: `1,234.5`, `2031-04`, `10,20,30`. */
async function searchNumbers(text: string, { wantedNumbers, numbers }: Search, turns: Turns): Promise<void> {
  if (numbers.size === wantedNumbers.size) return;
  const lengths = new Set<number>([...wantedNumbers].map((digits) => digits.length));
  const take = (digits: string) => {
    const bare = withoutZeros(digits);
    if (lengths.has(bare.length) && wantedNumbers.has(bare)) numbers.add(bare);
  };
  let joined = "";
  let lastEnd = -1;
  for (let at = 0; at < text.length; ) {
    const start = at;
    while (at < text.length && isDigit(text.charCodeAt(at))) at += 1;
    if (at > start) {
      const run = text.slice(start, Math.min(at, start + LONGEST_NUMBER));
      const continues =
        lastEnd === start - 1 && SEPARATORS.includes(text.charAt(lastEnd)) && joined.length < LONGEST_NUMBER;
      joined = continues ? joined + run : run;
      take(run);
      if (continues) take(joined);
      lastEnd = at;
    }
    at += 1;
    const pause = turns.tick();
    if (pause !== undefined) await pause;
  }
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function groupByWord(names: ReadonlySet<string>) {
  const byWord = new Map<string, Wanted[]>();
  const others: string[] = [];
  for (const name of names) {
    let word = "";
    let offset = 0;
    for (const match of name.matchAll(WORD)) {
      if (match[0].length > word.length) {
        word = match[0];
        offset = match.index;
      }
    }
    if (word === "") {
      if (others.length < MOST_SEARCHED) others.push(name);
      continue;
    }
    const alike = byWord.get(word.toLowerCase()) ?? [];
    if (alike.length < MOST_ALIKE) alike.push({ name, lower: name.toLowerCase(), offset });
    byWord.set(word.toLowerCase(), alike);
  }
  return { byWord, others };
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

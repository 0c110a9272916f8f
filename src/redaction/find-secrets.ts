// Every rule over one text: a single pass finds the words that a secret may stand at, and only the rules of those
// words are tried there. What is found is told with the id of its rule; replacing is left to others.
import { findKeyedSecret, SECRET_WORDS } from "./keyed-secrets.ts";
import { PROVIDER_SHAPES } from "./provider-shapes.ts";
import { COMMON_SHAPES, type Find, ruleOf, type ShapeRule } from "./shapes.ts";

/** Finds in no particular order; they may overlap. */
export type FindSecrets = (text: string) => readonly Find[];

/** What to try where a word stands. */
interface Word {
  readonly isName: boolean;
  readonly isCookie: boolean;
  readonly shapes: readonly ShapeRule[];
}

let finder: FindSecrets | undefined;

/** The built-in rules, made at the first text: one set serves all redactors. */
export const findBuiltInSecrets: FindSecrets = (text) => {
  finder ??= createSecretFinder();
  return finder(text);
};

function createSecretFinder(): FindSecrets {
  const words = wordTable();
  const kinds = [...words.values()];
  const scan = createKeywordScan([...words.keys()]);
  return (text) => {
    const finds: Find[] = [];
    let read = 0;
    scan(text, (word, start, end) => {
      const kind = kinds[word];
      if (kind === undefined) return;
      for (const shape of kind.shapes) {
        const found = findShape(text, shape, start);
        if (found !== undefined) finds.push(found);
      }
      if (kind.isCookie) finds.push(...findCookies(text, start));
      if (!kind.isName || start < read) return;
      const keyed = findKeyedSecret(text, start, end);
      read = keyed.resume;
      if (keyed.find !== undefined) finds.push(keyed.find);
    });
    finds.push(...findPrivateKeys(text));
    return withoutFullStops(text, finds);
  };
}

/** Marks that close a sentence behind a value. */
const CLOSING = /^[.,;:!?]{1,3}$/;

/**
 * A variable's value takes all up to the next blank, since a password may end in any mark. One with a shape of its own
 * ends where the shape does: the full stop behind it is the sentence's.
 */
function withoutFullStops(text: string, finds: readonly Find[]): readonly Find[] {
  const isVariable = ({ rule }: Find) => rule === "environment-variable";
  if (!finds.some(isVariable)) return finds;
  const shaped = new Map(finds.filter((find) => !isVariable(find)).map(({ start, end }) => [start, end]));
  return finds.map((find) => {
    const end = isVariable(find) ? shaped.get(find.start) : undefined;
    const isTail = end !== undefined && find.end - end <= 3 && CLOSING.test(text.slice(end, find.end));
    return isTail ? { ...find, end } : find;
  });
}

function wordTable(): ReadonlyMap<string, Word> {
  const shapes = new Map<string, ShapeRule[]>();
  for (const rule of createShapeRules()) {
    for (const keyword of rule.keywords) shapes.set(keyword, [...(shapes.get(keyword) ?? []), rule]);
  }
  const names = new Set(SECRET_WORDS);
  return new Map(
    [...new Set([...names, COOKIE_WORD, ...shapes.keys()])].map((word) => [
      word,
      { isName: names.has(word), isCookie: word === COOKIE_WORD, shapes: shapes.get(word) ?? [] },
    ]),
  );
}

// All shapes as one table, and the try of one of them where its keyword stands.

/** Characters before a keyword that are looked at. */
const FARTHEST_BEHIND = 100;

export function createShapeRules(): readonly ShapeRule[] {
  return [...PROVIDER_SHAPES, ...COMMON_SHAPES].map(ruleOf);
}

/** `keywordStart`: where one of the rule's keywords stands. */
function findShape(text: string, rule: ShapeRule, keywordStart: number): Find | undefined {
  const { id, pattern, behind, accepts } = rule;
  pattern.lastIndex = behind === undefined ? keywordStart : startBehind(text, keywordStart, behind);
  const match = pattern.exec(text);
  const range = match?.indices?.[1] ?? match?.indices?.[0];
  if (range === undefined) return undefined;
  const [start, end] = range;
  if (accepts !== undefined && !accepts(text.slice(start, end))) return undefined;
  return { rule: id, start, end };
}

function startBehind(text: string, keywordStart: number, behind: RegExp): number {
  let start = keywordStart;
  const farthest = Math.max(0, keywordStart - FARTHEST_BEHIND);
  while (start > farthest && behind.test(text[start - 1] ?? "")) start--;
  return start;
}

// Cookies: in `Cookie:` and `Set-Cookie:` headers, and wherever a list of them is assigned to that name, the values of
// those that open a session go. A theme or a language stays.

const COOKIE_WORD = "cookie";

const ASSIGNED = /cookie2?\\{0,32}["'`]?[ \t]{0,4}[:=,][ \t]{0,4}\\{0,32}["'`]?/iy;
const PAIR = /[ \t]{0,4}([\w.!#$%&*^|~+-]{1,80})=("?[^\s;,"'`\\<>]{0,4096})"?(;?)/y;
/** Attributes without a value: `HttpOnly; Secure`. */
const FLAG = /[ \t]{0,4}[A-Za-z-]{1,20}(;|(?=["'\s\\]|$))/y;
const SESSION =
  /sess|sid\b|sid$|auth|token|jwt|csrf|xsrf|login|remember|credential|identity|passport|secret|^(?:connect|user|id|cf_clearance|__cf_bm|laravel_|wordpress_|li_at|xs|c_user|datr)/i;
const MOST_PAIRS = 100;

/** `start`: where the word "cookie" stands. */
function findCookies(text: string, start: number): readonly Find[] {
  ASSIGNED.lastIndex = start;
  return ASSIGNED.test(text) ? cookiesFrom(text, ASSIGNED.lastIndex) : [];
}

/** Reads `name=value; name=value` from `position` on. */
export function cookiesFrom(text: string, position: number): readonly Find[] {
  const finds: Find[] = [];
  let next = position;
  for (let pair = 0; pair < MOST_PAIRS; pair++) {
    PAIR.lastIndex = next;
    const match = PAIR.exec(text);
    if (match === null) {
      FLAG.lastIndex = next;
      if (!FLAG.test(text) || FLAG.lastIndex === next) break;
      next = FLAG.lastIndex;
      continue;
    }
    const [whole, name = "", written = "", semicolon = ""] = match;
    const value = written.replace(/^"/, "");
    const start = next + whole.indexOf("=") + 1 + (written.length - value.length);
    if (isSession(name, value)) finds.push({ rule: "session-cookie", start, end: start + value.length });
    next += whole.length;
    if (semicolon === "") break;
  }
  return finds;
}

function isSession(name: string, value: string): boolean {
  if (!SESSION.test(name) || value.length < 6) return false;
  return /\d/.test(value) && !/^[${<%]|\$\{|\{\{|^\d{1,13}$/.test(value) && !/[()[\]]/.test(value);
}

// Private keys in PEM armour: the body goes, the markers stay. Walks forward only, so that thousands of markers
// without an end stay linear, and takes only what looks like key material, so that prose about keys stays.

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** Blanks, escaped line breaks, and what tools put before a line: quotes, diff and line-number marks. */
const BETWEEN = /(?:[\s"',>|]|\\{1,8}[nrt]|\d{1,6}(?:\u2192|\t|:|\|)){1,64}/y;
const BASE64 = /[A-Za-z0-9+/=]{1,20000}/y;
const HEADER = /[A-Za-z-]{2,20}: [^\r\n\\"]{1,200}/y;
/** Only the last line of a body may be shorter. */
const FULL_LINE = 16;

function findPrivateKeys(text: string): readonly Find[] {
  if (!text.includes("PRIVATE KEY")) return [];
  const finds: Find[] = [];
  for (const match of text.matchAll(BEGIN)) {
    const start = match.index + match[0].length;
    const end = endOfBody(text, start);
    if (end > start) finds.push({ rule: "private-key", start, end });
  }
  return finds;
}

function endOfBody(text: string, start: number): number {
  let end = start;
  for (let position = start; ; ) {
    const line = matchAt(BETWEEN, text, position);
    if (text.startsWith("-----END", line)) return end === start ? start : line;
    const header = matchAt(HEADER, text, line);
    const next = header > line ? header : matchAt(BASE64, text, line);
    const isBody = next > line && (header > line || next - line >= FULL_LINE || closes(text, next));
    if (!isBody) return end;
    end = next;
    position = next;
  }
}

function closes(text: string, position: number): boolean {
  return text.startsWith("-----END", matchAt(BETWEEN, text, position));
}

function matchAt(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : position;
}

// Finds every occurrence of many words in one pass over the text: an automaton that ignores case. What a
// word may mean is decided by its rules, which look only around it, so a text without any of the words costs one pass.

/** Called with the word's index in the list and the offsets of its occurrence, in the order in which they end. */
type OnWord = (word: number, start: number, end: number) => void;

/** ASCII, and as many letters of other scripts as the words have. */
const LETTERS = 192;
const ASCII = 128;

interface Automaton {
  /** Next state by state and letter. */
  readonly next: Int32Array;
  /** By state: the words that end there. */
  readonly ends: readonly (readonly number[] | undefined)[];
  /** By state: 1 when a word ends there. */
  readonly isEnd: Uint8Array;
}

/** @param words lower case. */
function createKeywordScan(words: readonly string[]): (text: string, onWord: OnWord) => void {
  const letters = foreignLetters(words);
  const { next, ends, isEnd } = build(words, letters);
  return (text, onWord) => {
    let state = 0;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      const letter = unit < ASCII ? unit : (letters[unit] ?? 0);
      state = next[state * LETTERS + letter] ?? 0;
      if (isEnd[state] === 0) continue;
      for (const word of ends[state] ?? []) onWord(word, index + 1 - (words[word]?.length ?? 0), index + 1);
    }
  };
}

/** By unit: the letter that the automaton takes it for; 0, which is in no word, for all others. */
function foreignLetters(words: readonly string[]): Uint8Array {
  const letters = new Uint8Array(0x10000);
  let count = ASCII;
  for (const letter of new Set(words.join(""))) {
    if (letter.charCodeAt(0) < ASCII) continue;
    letters[letter.charCodeAt(0)] = letters[letter.toUpperCase().charCodeAt(0)] = count++;
  }
  return letters;
}

function build(words: readonly string[], letters: Uint8Array): Automaton {
  const children: Map<number, number>[] = [new Map()];
  const ends: number[][] = [[]];
  for (const [index, word] of words.entries()) {
    let state = 0;
    for (let at = 0; at < word.length; at++) {
      const code = word.charCodeAt(at);
      const unit = code < ASCII ? code : (letters[code] ?? 0);
      let child = children[state]?.get(unit);
      if (child === undefined) {
        child = children.length;
        children[state]?.set(unit, child);
        children.push(new Map());
        ends.push([]);
      }
      state = child;
    }
    ends[state]?.push(index);
  }
  return withFallbacks(children, ends);
}

/** Breadth first: where a word breaks off, go on with its longest tail that begins another word. */
function withFallbacks(children: readonly ReadonlyMap<number, number>[], ends: number[][]): Automaton {
  const next = new Int32Array(children.length * LETTERS);
  const fallback = new Int32Array(children.length);
  const queue = [0];
  for (let at = 0; at < queue.length; at++) {
    const state = queue[at] ?? 0;
    const row = state * LETTERS;
    const behind = (fallback[state] ?? 0) * LETTERS;
    if (state !== 0) next.copyWithin(row, behind, behind + LETTERS);
    for (const [unit, child] of children[state] ?? []) {
      const elsewhere = next[row + unit] ?? 0;
      fallback[child] = elsewhere;
      ends[child]?.push(...(ends[elsewhere] ?? []));
      queue.push(child);
      next[row + unit] = child;
    }
    // Filled last: the root's own row must be whole before others fall back on it.
    foldCase(next, state);
  }
  return { next, ends, isEnd: Uint8Array.from(ends, (list) => (list.length > 0 ? 1 : 0)) };
}

function foldCase(next: Int32Array, state: number): void {
  for (let unit = 65; unit <= 90; unit++) {
    next[state * LETTERS + unit] = next[state * LETTERS + unit + 32] ?? 0;
  }
}

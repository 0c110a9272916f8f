// The caller's own patterns: compiled, tried on hostile text when a redactor is made, and run over windows of bounded size,
// so that their time is linear in the text. Whatever a pattern does, trial and use end within a hard limit: one that runs
// away in the trial is refused, and a text on which one runs away later is withheld.
import { CompactError } from "../errors.ts";
import { endedWithin } from "../timeout.ts";
import type { Find, Range } from "./shapes.ts";

const WINDOW = 4_096;
/** A match up to this long is always inside one window. */
const OVERLAP = 1_024;
const STEP = WINDOW - OVERLAP;
const LONGEST_MATCH = 65_536;
/** Windows that are looked through under one limit: some 100 KB. */
const WINDOWS_AT_ONCE = 32;
/** Milliseconds for them, twenty times what the trial lets pass, and for a whole trial. */
const PATIENCE = 1_000;
const LONGEST_TRIAL = 2_000;

/**
 * @param patterns regular expressions as text; a leading `(?i)` makes one ignore case.
 * @throws CompactError `InvalidConfig` naming `redaction.patterns[i]`.
 */
export function compilePatterns(patterns: readonly string[]): readonly RegExp[] {
  return patterns.map((pattern, index) => compile(pattern, `redaction.patterns[${index}]`));
}

function compile(pattern: string, path: string): RegExp {
  const fault = (what: string, hint: string, cause?: unknown) => invalid("INVALID_PATTERN", path, what, hint, cause);
  if (typeof pattern !== "string") throw fault("must be a string", "Write the pattern as text.");
  const ignoresCase = pattern.startsWith("(?i)");
  const source = ignoresCase ? pattern.slice(4) : pattern;
  if (/\(\?[a-zA-Z-]+[:)]/.test(source))
    throw fault("has inline flags other than a leading (?i)", "Leave them out; only (?i) at the start is read.");
  if (source.length > 2_000) throw fault("is longer than 2,000 characters", "Split it.");
  try {
    const expression = new RegExp(source, ignoresCase ? "dgi" : "dg");
    const [what, hint] = faultOf(expression) ?? [];
    if (what === undefined || hint === undefined) return expression;
    throw fault(what, hint);
  } catch (cause) {
    if (CompactError.isInstance(cause)) throw cause;
    throw fault("is not a regular expression", "Check brackets, escapes and how often things repeat.", cause);
  }
}

function faultOf(expression: RegExp): readonly [what: string, hint: string] | undefined {
  if (new RegExp(expression.source, "i").test("")) return MATCHES_NOTHING;
  const trial = () => (runsTooLong(expression) ? RUNS_TOO_LONG : matchesNothing(expression) ? MATCHES_NOTHING : "none");
  const fault = endedWithin(LONGEST_TRIAL, trial) ?? RUNS_TOO_LONG;
  return fault === "none" ? undefined : fault;
}

const MATCHES_NOTHING = ["matches the empty text", "Make it ask for a character."] as const;
const RUNS_TOO_LONG = [
  "takes over 50 ms on 100 KB of hostile text",
  "Bound its repeats ({1,64} rather than + or *), or let it begin with a fixed word.",
] as const;

function invalid(code: string, path: string, what: string, hint: string, cause?: unknown): CompactError {
  return new CompactError("InvalidConfig", `${path} ${what}`, { code, hint, data: { path }, cause });
}

export function findUserSecrets(text: string, patterns: readonly RegExp[]): readonly Find[] {
  const lower = patterns.length === 0 ? "" : text.toLowerCase();
  return patterns.flatMap((pattern, index) => {
    const { word, isHeld } = howToRun(pattern);
    if (!lower.includes(word)) return [];
    const ranges: Range[] = [];
    for (let from = 0; from === 0 || from + OVERLAP < text.length; from += WINDOWS_AT_ONCE * STEP) {
      const find = () => findOne(text, pattern, from);
      const found = isHeld ? endedWithin(PATIENCE, find) : find();
      // What was not looked through is not sent: the whole text goes.
      if (found === undefined) return [{ rule: `pattern-${index}`, start: 0, end: text.length }];
      for (const range of found) ranges.push(range);
    }
    return ranges.map((range) => ({ rule: `pattern-${index}`, ...range }));
  });
}

interface HowToRun {
  /** Lower case: a text without it has no match. */
  readonly word: string;
  readonly isHeld: boolean;
}

const known = new WeakMap<RegExp, HowToRun>();

function howToRun(pattern: RegExp): HowToRun {
  const how = known.get(pattern) ?? { word: requiredWord(pattern.source), isHeld: !hasFewWays(pattern.source) };
  known.set(pattern, how);
  return how;
}

/** In the windows that begin at `from`. */
function findOne(text: string, pattern: RegExp, from: number): readonly Range[] {
  const ranges: Range[] = [];
  const last = Math.min(text.length - OVERLAP, from + WINDOWS_AT_ONCE * STEP);
  for (let start = from; start === from || start < last; start += STEP) {
    const isLast = start + WINDOW >= text.length;
    for (const match of text.slice(start, start + WINDOW).matchAll(pattern)) {
      const isCut = !isLast && match.index + match[0].length === WINDOW;
      ranges.push(isCut ? rematched(text, pattern, start + match.index, match) : secretIn(match, start));
    }
  }
  return ranges.filter(({ start, end }) => end > start);
}

/** A match that ran into the window's end, tried once more with room behind it. */
function rematched(text: string, pattern: RegExp, at: number, cut: RegExpMatchArray): Range {
  const again = new RegExp(pattern.source, `${pattern.flags}y`).exec(text.slice(at, at + LONGEST_MATCH));
  return again === null ? secretIn(cut, at - (cut.index ?? 0)) : secretIn(again, at);
}

/** The capture group, else what follows the first `:` or `=`, without its quotes; else the whole match. */
function secretIn(match: RegExpMatchArray, offset: number): Range {
  const group = match.indices?.slice(1).find((range) => range !== undefined && range[1] > range[0]);
  if (group !== undefined) return { start: offset + group[0], end: offset + group[1] };
  const start = offset + (match.index ?? 0);
  const whole = match[0];
  const separator = /[:=]\s{0,64}/.exec(whole);
  const from = separator === null ? 0 : separator.index + separator[0].length;
  if (from === 0 || from === whole.length) return { start, end: start + whole.length };
  return insideQuotes(whole.slice(from), start + from);
}

function insideQuotes(value: string, start: number): Range {
  const opening = /^\\{0,8}["'`]/.exec(value)?.[0];
  if (opening === undefined) return { start, end: start + value.length };
  const closing = value.indexOf(opening, opening.length);
  return { start: start + opening.length, end: start + (closing === -1 ? value.length : closing) };
}

// What need not be held: a pattern whose repeats leave few ways to match, and a text without the word that a match must
// hold. Holding costs a tenth of a millisecond a text, thirty times what the built-in rules take for one.

/** Ways to match from one place, times the places of a window, that take milliseconds at most. */
const MOST_WAYS = 20_000_000 / WINDOW;

/** Counts ways where each repeat stands by itself; a repeated group, or a reference back, may have any number. */
function hasFewWays(source: string): boolean {
  let ways = 1;
  let before = "";
  for (const [token, escaped, , , repeat] of source.matchAll(TOKEN)) {
    const [least = 0, most = WINDOW] = boundsOf(repeat);
    const isRepeated = repeat !== undefined && most > 1;
    if ((isRepeated && before === ")") || /^[1-9k]$/.test(escaped ?? "")) return false;
    if (repeat !== undefined) ways *= most - least + 1;
    if (token === "|") ways *= 2;
    before = token;
  }
  return ways <= MOST_WAYS;
}

/** Of `*`, `+`, `?`, `{2}`, `{2,}`, `{2,4}`. */
function boundsOf(repeat = ""): readonly [number?, number?] {
  if (repeat === "?") return [0, 1];
  const [, least = repeat === "+" ? "1" : "0", comma, most] = /^\{(\d+)(,?)(\d*)\}$/.exec(repeat) ?? [];
  if (most !== undefined && most !== "") return [Number(least), Number(most)];
  return comma === "" ? [Number(least), Number(least)] : [Number(least)];
}

/** The longest word of ASCII, lower case, that stands in each match; empty where none surely does. */
function requiredWord(source: string): string {
  const words = [""];
  const tokens = [...source.matchAll(TOKEN)];
  if (tokens.some(([token]) => token === "|")) return "";
  for (const [token, escaped, , , repeat, , literal] of tokens) {
    // A group may match nothing; behind `\\c` stands no letter of the text.
    if (token === "(" || token.startsWith("(?") || escaped === "c") break;
    const character = literal ?? (escaped !== undefined && /^\W$/.test(escaped) ? escaped : undefined);
    // What a repeat follows may not be there.
    if (repeat !== undefined) words.push(words.pop()?.slice(0, -1) ?? "", "");
    else if (character === undefined || character === "." || character > "~") words.push("");
    else words.push((words.pop() ?? "") + character.toLowerCase());
  }
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), "");
}

// Whether a pattern runs too long on hostile text, found by running it. The text grows by small steps and the trial ends at
// the first that says enough: even a pattern that doubles its time with each character is given up after some milliseconds.
//
// A linear pattern takes some 0.05 ms for a window, one that is quadratic 5 ms and more: the limit lies far from both,
// and a measurement over it is repeated, so that a slow or busy machine gives the same answer.

const FIRST = 8;
const GROWTH = 1.4;
/** What is said to be too much: milliseconds for 100,000 characters. */
const MOST_MS = 50;
const TRIES = 8;
/** So far over the limit, a few tries are enough. */
const FAR_OVER = 20;
const FEW_TRIES = 2;

/** As it is applied: to windows of a text, and from one place to a longer piece. */
function runsTooLong(pattern: RegExp): boolean {
  const windows = Math.ceil(100_000 / (WINDOW - OVERLAP));
  const flags = pattern.ignoreCase ? "i" : "";
  const everywhere = new RegExp(pattern.source, `${flags}g`);
  const sticky = new RegExp(pattern.source, `${flags}y`);
  return hostileTexts(pattern.source).some((hostile) => {
    const write = (length: number) => writeHostile(hostile, length);
    return (
      exceeds(write, WINDOW, MOST_MS / windows, (text) => findAll(everywhere, text)) ||
      exceeds(write, LONGEST_MATCH, MOST_MS, (text) => testOnce(sticky, text))
    );
  });
}

function exceeds(
  write: (length: number) => string,
  longest: number,
  limit: number,
  run: (text: string) => unknown,
): boolean {
  for (let length = FIRST; ; length = Math.min(longest, Math.ceil(length * GROWTH))) {
    if (shortestTime(write(length), limit, run) > limit) return true;
    if (length >= longest) return false;
  }
}

/** The first runs of an expression are slow, and others use the machine: only a time that stays counts. */
function shortestTime(text: string, limit: number, run: (text: string) => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES && best > limit; attempt++) {
    if (attempt >= FEW_TRIES && best > limit * FAR_OVER) break;
    const started = performance.now();
    run(text);
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

/** Without the matches themselves: making them costs more than finding them, and no pattern is at fault for that. */
function findAll(pattern: RegExp, text: string): void {
  pattern.lastIndex = 0;
  // The same place again: the match there is empty, and the next one is looked for behind it.
  for (let last = -1; pattern.test(text); last = pattern.lastIndex) {
    if (pattern.lastIndex === last) pattern.lastIndex++;
  }
}

function testOnce(sticky: RegExp, text: string): boolean {
  sticky.lastIndex = 0;
  return sticky.test(text);
}

/** `\\b` or `(?=q)`: wherever it matches, there is nothing that could be replaced. */
function matchesNothing(pattern: RegExp): boolean {
  const matches = hostileTexts(pattern.source).flatMap((hostile) => [...writeHostile(hostile, 200).matchAll(pattern)]);
  return matches.length > 0 && matches.every(([whole]) => whole === "");
}

// Texts that a pattern is likely to run long on, made from the pattern itself: its characters over and over, its
// beginning with the next character over and over, all of it over and over, always broken off before the end.

/** A text is `start`, then `unit` again and again. */
interface HostileText {
  readonly start: string;
  readonly unit: string;
}

const COMMON = ["a", "A", "0", " ", "\n", '"', "a.", "a "];
const MOST_PIECES = 24;
const MOST_TEXTS = 60;
const MOST_BROKEN = 6;

function hostileTexts(source: string): readonly HostileText[] {
  const pieces = piecesOf(source).slice(0, MOST_PIECES);
  const whole = pieces.join("");
  const texts: HostileText[] = [...COMMON, ...pieces].map((unit) => ({ start: "", unit }));
  if (whole !== "") texts.push({ start: "", unit: whole }, { start: "", unit: whole.slice(0, -1) || whole });
  for (const [index, unit] of pieces.entries()) {
    const next = pieces[index + 1];
    if (next !== undefined) texts.push({ start: "", unit: unit + next });
    texts.push({ start: pieces.slice(0, index).join(""), unit });
  }
  // Runs that end again and again: what is tried at each end adds up.
  for (const unit of new Set(pieces.slice(0, MOST_BROKEN)))
    texts.unshift({ start: "", unit: `${unit.repeat(30)}\u0001` });
  const distinct = new Map(texts.map((text) => [`${text.start}\0${text.unit}`, text]));
  return [...distinct.values()].slice(0, MOST_TEXTS);
}

/** Of about `length` characters, the last of which fits nothing. */
function writeHostile({ start, unit }: HostileText, length: number): string {
  return `${`${start}${unit.repeat(Math.ceil(length / unit.length))}`.slice(0, length)}\u0001`;
}

const TOKEN =
  /\\([dDwWsSbBnrtfv0]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|[\s\S])|\[(\^?)((?:\\[\s\S]|[^\]\\])*)\]|\(\?(?:[:=!]|<[=!]|<\w{1,60}>)|([*+?]|\{\d{1,5},?\d{0,5}\})|([()|^$])|([\s\S])/g;
const CLASSES: Readonly<Record<string, string>> = {
  d: "0",
  D: "a",
  w: "a",
  W: " ",
  s: " ",
  S: "a",
  n: "\n",
  r: "\r",
  t: "\t",
  b: "",
  B: "",
};

/** A character for each place of the pattern; repeats, groups and what follows a `|` in a group are not told apart. */
function piecesOf(source: string): readonly string[] {
  const pieces: string[] = [];
  for (const match of source.matchAll(TOKEN)) {
    const [, character, negated, members, , , literal] = match;
    const piece =
      character !== undefined
        ? escaped(character)
        : members !== undefined
          ? memberOf(members, negated === "^")
          : literal === "."
            ? "a"
            : literal;
    if (piece !== undefined && piece !== "") pieces.push(piece);
  }
  return pieces;
}

function escaped(character: string): string {
  const code = /^[xu]([\da-fA-F]+)$/.exec(character)?.[1];
  return code === undefined ? (CLASSES[character] ?? character) : String.fromCharCode(Number.parseInt(code, 16));
}

function memberOf(members: string, isNegated: boolean): string {
  if (isNegated) return ["a", "0", " ", "-"].find((candidate) => !members.includes(candidate)) ?? "\u00e9";
  return members.startsWith("\\") ? escaped(members.slice(1, 2)) : members.slice(0, 1);
}

// Exact values that always go, whatever stands around them: looked for as they are and as JSON strings and addresses
// write them. Never read as patterns.

/** A shorter text stands in too many words that are no secret. */
const SHORTEST = 4;

/**
 * Each value with its other spellings, longest first. Empty ones are left out, so that an unset variable may be passed.
 * @throws CompactError `InvalidConfig` naming `redaction.literals[i]` (never the value) when one has under 4 characters.
 */
export function spellLiterals(literals: readonly string[]): readonly string[] {
  const spelled = literals.flatMap((literal, index) => {
    const path = `redaction.literals[${index}]`;
    const fault = (what: string, hint: string) => invalid("INVALID_LITERAL", path, what, hint);
    if (typeof literal !== "string") throw fault("must be a string", "Write the value as text.");
    if (literal.trim() === "") return [];
    if (literal.length < SHORTEST)
      throw fault(`is shorter than ${SHORTEST} characters`, "It would mangle ordinary words: use a pattern.");
    const inJson = asJson(literal);
    return [literal, inJson, asJson(inJson), inAddress(literal)];
  });
  return [...new Set(spelled)].sort((left, right) => right.length - left.length);
}

export function findLiterals(text: string, spelled: readonly string[]): readonly Find[] {
  const finds: Find[] = [];
  for (const literal of spelled) {
    for (let start = text.indexOf(literal); start !== -1; start = text.indexOf(literal, start + literal.length)) {
      finds.push({ rule: "literal", start, end: start + literal.length });
    }
  }
  return finds;
}

function asJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function inAddress(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    // Half a surrogate pair has no such spelling.
    return text;
  }
}

/** The faults of a redactor's options, told before its rules are loaded. @throws as `createRedactor`. */
export function checkRedactorOptions({
  patterns = [],
  literals = [],
}: {
  readonly patterns?: readonly string[] | undefined;
  readonly literals?: readonly string[] | undefined;
} = {}): void {
  compilePatterns(patterns);
  spellLiterals(literals);
}

// JSON beyond `JSON.parse`: where a text goes wrong, where its values stand, JSON Lines as they are found on disk, depth.
// Nothing here recurses, so any depth is read.
import { parseJson } from "./parse-json.ts";

export interface JsonFault {
  /** In UTF-16 units. */
  readonly offset: number;
  /** The text ends before its value does, as when a download or a writer was cut off. */
  readonly isEnd: boolean;
  /** The innermost open thing: "a string", "an object", "a list", "a value". */
  readonly inside: string;
}

/** What may come next, a character for each kind of token; `0` stands for numbers, true, false and null. */
const VALUE = '{["0';
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has none in a string
const IN_STRING = /["\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})?/g;

/** Undefined when the text is one JSON value. `JSON.parse` cannot be asked: its messages quote the text. */
export function findJsonFault(source: string): JsonFault | undefined {
  const open: string[] = [];
  let expected = VALUE;
  let at = skipSpace(source, 0);
  while (at < source.length || expected !== "") {
    const character = source[at] ?? "";
    const kind = '{}[],:"'.includes(character) ? character : "0";
    const mayCome = kind !== "" && expected.includes(kind);
    const end = mayCome ? tokenEnd(source, at, kind) : undefined;
    if (end === undefined) return faultAt(source, at, containerName(open.at(-1)));
    if (typeof end !== "number") return end;
    if (kind === "{" || kind === "[") open.push(kind);
    if (kind === "}" || kind === "]") open.pop();
    expected = expectedAfter(kind, expected, open.at(-1));
    at = skipSpace(source, end);
  }
  return undefined;
}

function containerName(open: string | undefined): string {
  if (open === undefined) return "a value";
  return open === "{" ? "an object" : "a list";
}

function faultAt(source: string, offset: number, inside: string): JsonFault {
  return { offset, isEnd: offset >= source.length, inside };
}

function expectedAfter(kind: string, expected: string, container: string | undefined): string {
  if (kind === "{") return '"}';
  if (kind === "[") return `${VALUE}]`;
  if (kind === ":") return VALUE;
  if (kind === ",") return container === "{" ? '"' : VALUE;
  const isKey = kind === '"' && !expected.includes("0");
  if (isKey) return ":";
  return container === undefined ? "" : container === "{" ? ",}" : ",]";
}

/** Undefined where no token begins. */
function tokenEnd(source: string, at: number, kind: string): number | JsonFault | undefined {
  if (kind === '"') return stringEnd(source, at);
  if (kind !== "0") return at + 1;
  SCALAR.lastIndex = at;
  if (SCALAR.test(source)) return SCALAR.lastIndex;
  const isCut = ["true", "false", "null", "-"].some(
    (word) => word.startsWith(source.slice(at, at + 5)) && word.length >= source.length - at,
  );
  return isCut ? faultAt(source, source.length, "a value") : undefined;
}

function stringEnd(source: string, start: number): number | JsonFault {
  IN_STRING.lastIndex = start + 1;
  for (let match = IN_STRING.exec(source); match !== null; match = IN_STRING.exec(source)) {
    const { 0: found, index } = match;
    if (found === '"') return index + 1;
    if (found.length > 1) continue;
    const isCutEscape = /^\\(?:u[0-9a-fA-F]{0,3})?$/.test(source.slice(index, index + 7));
    return faultAt(source, isCutEscape ? source.length : index, "a string");
  }
  return faultAt(source, source.length, "a string");
}

// Where values stand in a JSON text, so that some can be replaced and the rest copied byte for byte.

export interface Slice {
  /** Offsets in UTF-16 units, as for `source.slice(start, end)`. */
  readonly start: number;
  readonly end: number;
}

export interface ArraySlices extends Slice {
  readonly elements: readonly Slice[];
}

/**
 * The array found at `path` (object keys from the outside in) and each of its elements. The last of several
 * equal keys counts, as in `JSON.parse`. Undefined when there is no array, or the text is not JSON.
 */
export function sliceArray(source: string, path: readonly string[]): ArraySlices | undefined {
  let start = skipSpace(source, source.charCodeAt(0) === 0xfeff ? 1 : 0);
  for (const key of path) {
    const value =
      source[start] === "{" ? membersOf(source, start)?.elements.findLast((member) => member.key === key) : undefined;
    if (value === undefined) return undefined;
    start = value.start;
  }
  return source[start] === "[" ? membersOf(source, start) : undefined;
}

interface Member extends Slice {
  /** Of an object's member. */
  readonly key?: unknown;
}

/** The members of the object or array at `start`. */
function membersOf(source: string, start: number): (Slice & { readonly elements: readonly Member[] }) | undefined {
  const close = source[start] === "{" ? "}" : "]";
  const elements: Member[] = [];
  let at = skipSpace(source, start + 1);
  while (source[at] !== close) {
    if (elements.length > 0 && source[at] !== ",") return undefined;
    const from = elements.length > 0 ? skipSpace(source, at + 1) : at;
    const member = close === "]" ? { start: from } : keyAt(source, from);
    const end = member === undefined ? undefined : skipValue(source, member.start);
    if (member === undefined || end === undefined) return undefined;
    elements.push({ ...member, end });
    at = skipSpace(source, end);
  }
  return { start, end: at + 1, elements };
}

/** A key, and where its value starts. */
function keyAt(source: string, at: number): { readonly key: unknown; readonly start: number } | undefined {
  const end = source[at] === '"' ? skipString(source, at) : undefined;
  const colon = skipSpace(source, end ?? source.length);
  if (end === undefined || source[colon] !== ":") return undefined;
  return { key: parse(source.slice(at, end))?.value, start: skipSpace(source, colon + 1) };
}

/**
 * One past the value that starts at `start`, or undefined when it does not end. Trusts what is inside: only
 * brackets and strings are followed.
 */
export function skipValue(source: string, start: number): number | undefined {
  const first = source[start];
  if (first === '"') return skipString(source, start);
  if (first !== "{" && first !== "[") return skipScalar(source, start);
  let depth = 0;
  let at = start;
  while (at < source.length) {
    const character = source[at];
    if (character === '"') {
      const end = skipString(source, at);
      if (end === undefined) return undefined;
      at = end;
      continue;
    }
    if (character === "{" || character === "[") depth += 1;
    if (character === "}" || character === "]") depth -= 1;
    at += 1;
    if (depth === 0) return at;
  }
  return undefined;
}

/** The first offset from `at` on that is not JSON white space. */
export function skipSpace(source: string, at: number): number {
  let position = at;
  while (" \n\r\t".includes(source[position] ?? "x")) position += 1;
  return position;
}

/** One past the closing quote of the string that starts at `start`. */
function skipString(source: string, start: number): number | undefined {
  let at = start + 1;
  for (;;) {
    const quote = source.indexOf('"', at);
    if (quote < 0) return undefined;
    let slash = quote;
    while (slash > at && source[slash - 1] === "\\") slash -= 1;
    if ((quote - slash) % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

function skipScalar(source: string, start: number): number | undefined {
  let at = start;
  while (at < source.length && !',]}{[": \n\r\t'.includes(source[at] ?? "")) at += 1;
  return at === start ? undefined : at;
}

// Reads JSON Lines as they are found on disk: several values on a line, a torn last line, lines of garbage.
// Nothing is fatal; what could not be read is reported by line.

export interface JsonLineValue {
  readonly value: unknown;
  /** Offsets of the value in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** 1-based. */
  readonly line: number;
}

export interface JsonLineFault {
  /** 1-based. */
  readonly line: number;
  /** `torn`: the text ends inside a value, as when its writer was stopped. */
  readonly reason: "torn" | "unreadable";
}

interface JsonLines {
  readonly values: readonly JsonLineValue[];
  readonly faults: readonly JsonLineFault[];
}

/** All values of a JSON Lines text, in order, and the lines that could not be read. */
export function readJsonValues(text: string): JsonLines {
  const values: JsonLineValue[] = [];
  const faults: JsonLineFault[] = [];
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (let line = 1; start < text.length; line += 1) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const isRead = readLine(text, start, end, line, values);
    if (!isRead) faults.push({ line, reason: isTorn(text, end) ? "torn" : "unreadable" });
    start = end + 1;
  }
  return { values, faults };
}

/** Only the last line can be torn: what comes before it was written to its end. */
function isTorn(text: string, end: number): boolean {
  return skipSpace(text, end) >= text.length;
}

function readLine(text: string, from: number, to: number, line: number, values: JsonLineValue[]): boolean {
  const source = text.slice(from, to);
  let at = skipSpace(source, 0);
  if (at >= source.length) return true;
  const whole = parse(source);
  if (whole !== undefined) {
    values.push({ value: whole.value, start: from + at, end: from + source.trimEnd().length, line });
    return true;
  }
  while (at < source.length) {
    const end = skipValue(source, at);
    const found = end === undefined ? undefined : parse(source.slice(at, end));
    if (end === undefined || found === undefined) return false;
    values.push({ value: found.value, start: from + at, end: from + end, line });
    at = skipSpace(source, end);
  }
  return true;
}

function parse(json: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseJson(json) };
  } catch {
    return undefined;
  }
}

// Says whether a JSON value is nested deeper than the program's recursions, and those of `JSON.stringify`, can go.
// `JSON.parse` reads any depth, so a file can hold what nothing after it could write.

/** Deeper than any message means to be, and far from where a stack ends. */
export const DEEPEST_NESTING = 1000;

/** True when there are objects and arrays in one another more than `limit` levels deep. Never throws. */
export function isNestedDeeper(value: unknown, limit = DEEPEST_NESTING): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = [...new Set(level.flatMap((container) => Object.values(container).filter(isContainer)))];
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

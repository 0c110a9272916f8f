// Says where a text stops being JSON and inside of what. `JSON.parse` cannot be asked: its messages quote the text,
// and some have no place. One pass, no recursion.

export interface JsonFault {
  /** In UTF-16 units. */
  readonly offset: number;
  /** The text ends before its value does, as when a download or a writer was cut off. */
  readonly isEnd: boolean;
  /** The innermost open thing: "a string", "an object", "a list", "a value". */
  readonly inside: string;
}

/** What may come next, besides white space. */
type Expected = "value" | "value or ]" | "key" | "key or }" | "colon" | "comma" | "nothing";

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS = ["true", "false", "null"];

interface Scan {
  readonly source: string;
  readonly open: ("{" | "[")[];
  at: number;
  expected: Expected;
}

/** Undefined when the text is one JSON value. */
export function findJsonFault(source: string): JsonFault | undefined {
  const scan: Scan = { source, open: [], at: 0, expected: "value" };
  for (;;) {
    scan.at = skipBlank(source, scan.at);
    const character = source[scan.at];
    if (character === undefined) return scan.expected === "nothing" ? undefined : faultAt(scan);
    const fault = advance(scan, character);
    if (fault !== undefined) return fault;
  }
}

/** Past the next bracket, comma, colon or scalar. */
function advance(scan: Scan, character: string): JsonFault | undefined {
  if (closes(scan, character)) return close(scan);
  switch (scan.expected) {
    case "nothing":
      return faultAt(scan);
    case "comma":
      return separate(scan, character, ",", scan.open.at(-1) === "{" ? "key" : "value");
    case "colon":
      return separate(scan, character, ":", "value");
    case "key":
    case "key or }":
      return character === '"' ? readScalar(scan, "colon") : faultAt(scan);
    default:
      if (character === "{" || character === "[") return open(scan, character);
      return readScalar(scan, scan.open.length === 0 ? "nothing" : "comma");
  }
}

function closes({ open, expected }: Scan, character: string): boolean {
  if (open.at(-1) === "{") return character === "}" && (expected === "comma" || expected === "key or }");
  return open.at(-1) === "[" && character === "]" && (expected === "comma" || expected === "value or ]");
}

function close(scan: Scan): undefined {
  scan.open.pop();
  scan.at += 1;
  scan.expected = scan.open.length === 0 ? "nothing" : "comma";
}

function open(scan: Scan, bracket: "{" | "["): undefined {
  scan.open.push(bracket);
  scan.at += 1;
  scan.expected = bracket === "{" ? "key or }" : "value or ]";
}

function separate(scan: Scan, character: string, wanted: string, next: Expected): JsonFault | undefined {
  if (character !== wanted) return faultAt(scan);
  scan.at += 1;
  scan.expected = next;
  return undefined;
}

function readScalar(scan: Scan, next: Expected): JsonFault | undefined {
  const end = scalarEnd(scan.source, scan.at);
  if (end === -1) return faultAt(scan);
  if (end < -1) return faultAt(scan, -end - 2, scan.source[scan.at] === '"' ? "a string" : "a value");
  scan.at = end;
  scan.expected = next;
  return undefined;
}

function faultAt({ source, open, at }: Scan, offset = at, inside = nameOf(open.at(-1))): JsonFault {
  return { offset, isEnd: offset >= source.length, inside };
}

function nameOf(open: "{" | "[" | undefined): string {
  return open === undefined ? "a value" : open === "{" ? "an object" : "a list";
}

/** One past the scalar at `at`; -1 when none begins there; -2 - offset when it goes wrong at `offset`. */
function scalarEnd(source: string, at: number): number {
  if (source[at] === '"') return stringEnd(source, at);
  NUMBER.lastIndex = at;
  if (NUMBER.test(source)) return NUMBER.lastIndex;
  const word = WORDS.find((candidate) => candidate[0] === source[at]);
  if (word === undefined) return -1;
  if (source.startsWith(word, at)) return at + word.length;
  return word.startsWith(source.slice(at)) ? -2 - source.length : -1;
}

function stringEnd(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return -2 - at;
    if (code !== 0x5c) continue;
    const length = escapeLength(source, at);
    if (length === 0) return -2 - (source.length - at < 6 ? endOfEscape(source, at) : at);
    at += length - 1;
  }
  return -2 - source.length;
}

function escapeLength(source: string, at: number): number {
  if (source[at + 1] !== "u") return '"\\/bfnrt'.includes(source[at + 1] ?? "?") ? 2 : 0;
  return /^[0-9a-fA-F]{4}$/.test(source.slice(at + 2, at + 6)) ? 6 : 0;
}

/** An escape that only lacks its end was cut off: the fault is the end of the text. */
function endOfEscape(source: string, at: number): number {
  return /^\\(?:u[0-9a-fA-F]{0,3})?$/.test(source.slice(at)) ? source.length : at;
}

function skipBlank(source: string, from: number): number {
  let at = from;
  while (" \n\r\t".includes(source[at] ?? "x")) at += 1;
  return at;
}

// Finds where values stand in a JSON text, so that a part of it can be replaced and the rest copied byte for
// byte: numbers, escapes and spacing stay as they were. One pass, no recursion, any depth.

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
    const value = source[start] === "{" ? findMember(source, start, key) : undefined;
    if (value === undefined) return undefined;
    start = value.start;
  }
  if (source[start] !== "[") return undefined;
  const elements: Slice[] = [];
  const end = walkMembers(source, start, "]", (at) => {
    const valueEnd = skipValue(source, at);
    if (valueEnd !== undefined) elements.push({ start: at, end: valueEnd });
    return valueEnd;
  });
  return end === undefined ? undefined : { start, end, elements };
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

function findMember(source: string, start: number, key: string): Slice | undefined {
  let found: Slice | undefined;
  const end = walkMembers(source, start, "}", (at) => {
    const keyEnd = source[at] === '"' ? skipString(source, at) : undefined;
    if (keyEnd === undefined) return undefined;
    const colon = skipSpace(source, keyEnd);
    if (source[colon] !== ":") return undefined;
    const valueStart = skipSpace(source, colon + 1);
    const valueEnd = skipValue(source, valueStart);
    if (valueEnd !== undefined && readString(source.slice(at, keyEnd)) === key) {
      found = { start: valueStart, end: valueEnd };
    }
    return valueEnd;
  });
  return end === undefined ? undefined : found;
}

/** Visits the members between brackets; `visit` gives the end of the member at an offset. Gives the end of all. */
function walkMembers(
  source: string,
  start: number,
  close: "]" | "}",
  visit: (at: number) => number | undefined,
): number | undefined {
  let at = skipSpace(source, start + 1);
  if (source[at] === close) return at + 1;
  for (;;) {
    const end = visit(at);
    if (end === undefined) return undefined;
    at = skipSpace(source, end);
    if (source[at] === close) return at + 1;
    if (source[at] !== ",") return undefined;
    at = skipSpace(source, at + 1);
  }
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

function readString(json: string): string | undefined {
  try {
    return JSON.parse(json) as string;
  } catch {
    return undefined;
  }
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
    return { value: JSON.parse(json) };
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

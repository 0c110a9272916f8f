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
    scan.at = skipSpace(source, scan.at);
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

function skipSpace(source: string, from: number): number {
  let at = from;
  while (" \n\r\t".includes(source[at] ?? "x")) at += 1;
  return at;
}

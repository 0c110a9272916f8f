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

/** Undefined when the text is one JSON value. */
export function findJsonFault(source: string): JsonFault | undefined {
  const open: ("{" | "[")[] = [];
  let expected: Expected = "value";
  let at = 0;
  const fault = (offset: number, inside = nameOf(open.at(-1))): JsonFault => ({ offset, isEnd: offset >= source.length, inside });
  for (;;) {
    at = skipSpace(source, at);
    const character = source[at];
    if (character === undefined) return expected === "nothing" ? undefined : fault(at);
    const closes = closing(open.at(-1), expected, character);
    if (closes) {
      open.pop();
      at += 1;
    } else if (expected === "colon" || expected === "comma" || expected === "nothing") {
      if (expected === "nothing" || character !== (expected === "colon" ? ":" : ",")) return fault(at);
      expected = expected === "colon" ? "value" : open.at(-1) === "{" ? "key" : "value";
      at += 1;
      continue;
    } else if (expected.startsWith("value") && (character === "{" || character === "[")) {
      open.push(character);
      expected = character === "{" ? "key or }" : "value or ]";
      at += 1;
      continue;
    } else {
      const end = expected.startsWith("key") && character !== '"' ? -1 : scalarEnd(source, at);
      if (end < 0) return end === -1 ? fault(at) : fault(-end - 2, character === '"' ? "a string" : "a value");
      at = end;
      if (expected.startsWith("key")) {
        expected = "colon";
        continue;
      }
    }
    expected = open.length === 0 ? "nothing" : "comma";
  }
}

function closing(innermost: "{" | "[" | undefined, expected: Expected, character: string): boolean {
  if (innermost === "{") return character === "}" && (expected === "comma" || expected === "key or }");
  return innermost === "[" && character === "]" && (expected === "comma" || expected === "value or ]");
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

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

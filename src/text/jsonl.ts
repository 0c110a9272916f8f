// Reads JSON Lines as they are found on disk: several values on a line, a torn last line, lines of garbage.
// Nothing is fatal; what could not be read is reported by line.
import { skipSpace, skipValue } from "./json-slices.ts";

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

export interface JsonLines {
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

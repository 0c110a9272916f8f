// The JSON values of a text, however they stand in it: lines, one array, arrays one after another as paginated answers
// come, an object spread over lines. What is broken is told by line, and everything else is read.
import { skipSpace, skipValue } from "../../text/json-slices.ts";
import { readJsonValues } from "../../text/jsonl.ts";

export interface JsonItem {
  readonly value: unknown;
  /** 1-based. */
  readonly line: number;
}

export interface JsonItems {
  readonly items: readonly JsonItem[];
  readonly faults: readonly { readonly line: number; readonly isTorn: boolean }[];
}

/** Arrays are opened, one level. */
export function readJsonItems(text: string): JsonItems {
  const start = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  const whole = text[start] === "[" || text[start] === "{" ? parse(text.slice(start)) : undefined;
  if (whole !== undefined) return { items: opened(whole.value, lineOf(text, start)), faults: [] };
  return text[start] === "[" || isSpread(text, start) ? readInARow(text, start) : readLines(text);
}

function readLines(text: string): JsonItems {
  const { values, faults } = readJsonValues(text);
  return {
    items: values.flatMap(({ value, line }) => opened(value, line)),
    faults: faults.map(({ line, reason }) => ({ line, isTorn: reason === "torn" })),
  };
}

/** An object whose first line is none by itself. */
function isSpread(text: string, start: number): boolean {
  const end = text.indexOf("\n", start);
  return text[start] === "{" && end >= 0 && text.slice(start + 1, end).trim() === "";
}

/** Values one after another, those of arrays one by one: what a torn array holds whole is read. */
function readInARow(text: string, start: number): JsonItems {
  const items: JsonItem[] = [];
  const faults: { line: number; isTorn: boolean }[] = [];
  const lines = createLineCounter(text);
  for (let at = start; at < text.length; at = skipSpace(text, at)) {
    if ("[],".includes(text[at] ?? "")) {
      at += 1;
      continue;
    }
    const end = skipValue(text, at);
    const found = end === undefined ? undefined : parse(text.slice(at, end));
    if (found !== undefined) items.push(...opened(found.value, lines(at)));
    else faults.push({ line: lines(at), isTorn: end === undefined });
    // What follows a value that does not end, or no value at all, cannot be told apart: on with the next line.
    const next = end ?? nextLine(text, at);
    at = next > at ? next : at + 1;
  }
  return { items, faults };
}

function nextLine(text: string, at: number): number {
  const newline = text.indexOf("\n", at);
  return newline < 0 ? text.length : newline + 1;
}

/** Of offsets that only grow: each line is counted once. */
function createLineCounter(text: string): (offset: number) => number {
  let line = 1;
  let from = 0;
  return (offset) => {
    for (let at = text.indexOf("\n", from); at >= 0 && at < offset; at = text.indexOf("\n", from)) {
      line += 1;
      from = at + 1;
    }
    return line;
  };
}

/** Answers wrap their list: `{"issues": […]}`, `{"items": […]}`, `{"decisions": […]}`. */
const WRAPPERS = ["issues", "items", "decisions", "data"] as const;

function opened(value: unknown, line: number): readonly JsonItem[] {
  if (Array.isArray(value)) return value.map((item: unknown) => ({ value: item, line }));
  const list = wrappedList(value);
  return list === undefined ? [{ value, line }] : list.map((item) => ({ value: item, line }));
}

function wrappedList(value: unknown): readonly unknown[] | undefined {
  if (typeof value !== "object" || value === null || "id" in value || "title" in value) return undefined;
  for (const key of WRAPPERS) {
    const list = (value as Readonly<Record<string, unknown>>)[key];
    if (Array.isArray(list)) return list;
  }
  return undefined;
}

function lineOf(text: string, offset: number): number {
  return createLineCounter(text)(offset);
}

function parse(json: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(json) };
  } catch {
    return undefined;
  }
}

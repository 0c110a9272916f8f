// Lines of a section that stand in it twice and mean the same at both places: items of one list, paragraphs of one line,
// a line of a paragraph written twice in a row. What only looks repeated stays: the same item below two labels, steps of
// a procedure, fields of records, code, tables, quotes.
import type { Outline } from "../../../text/markdown/outline.ts";
import { splitSections } from "../../../text/markdown/sections.ts";
import { listEntries } from "./list-entries.ts";

const FIELD = /^[ \t]{0,99}(?:[-*+][ \t]{1,9})?([^:：]{1,40}?)(?::(?:[ \t]|\*\*|__)|：)/u;

/** In order. The first of equal ones stays; where the last line has no end, that one does, so the file ends as before. */
export function findRepeatedLines(texts: readonly string[], outline: Outline, isUnended: boolean): readonly number[] {
  const keep = isUnended ? texts.length - 1 : undefined;
  const found = new Set<number>();
  for (const group of groupBy(listEntries(texts, outline, sectionStarts(texts, outline)), (entry) => entry.group)) {
    const lines = group.map(({ line }) => line);
    const areRecords = holdRecords(lines.map((line) => texts[line] ?? ""));
    const before = new Map(lines.map((line, at) => [line, lines[at - 1]]));
    for (const equal of groupBy(lines, (line) => texts[line] ?? "")) {
      for (const line of repeatsOf(equal, keep)) {
        const isField = areRecords && FIELD.test(texts[line] ?? "");
        if (!isField || equal.includes(before.get(line) ?? -1)) found.add(line);
      }
    }
  }
  return [...found].sort((left, right) => left - right);
}

function repeatsOf(equal: readonly number[], keep: number | undefined): readonly number[] {
  return keep !== undefined && equal.at(-1) === keep ? equal.slice(0, -1) : equal.slice(1);
}

/** First lines of sections at any level, by line: what stands in one has the same. */
function sectionStarts(texts: readonly string[], outline: Outline): readonly number[] {
  return splitSections(outline, texts.length).flatMap(({ from, to }) => Array<number>(to - from).fill(from));
}

/** Fields of several things below each other: the same value twice is said of two things. */
function holdRecords(texts: readonly string[]): boolean {
  const values = new Map<string, Set<string>>();
  for (const text of texts) {
    const [all, name] = FIELD.exec(text) ?? [];
    if (all === undefined || name === undefined) continue;
    const known = values.get(name);
    if (known === undefined) values.set(name, new Set([text]));
    else known.add(text);
  }
  return values.size > 1 && [...values.values()].some(({ size }) => size > 1);
}

function groupBy<Value>(values: readonly Value[], keyOf: (value: Value) => string): Iterable<readonly Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [value]);
    else known.push(value);
  }
  return groups.values();
}

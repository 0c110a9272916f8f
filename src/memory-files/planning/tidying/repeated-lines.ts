// Lines of a section that stand in it twice and mean the same at both places: items of one list, paragraphs of one line
// one after the other, a line of a paragraph written twice in a row. What only looks repeated stays: the same item below two
// labels, steps of a procedure, fields of records, code, tables, quotes.
import type { Outline } from "../../../text/markdown/outline.ts";
import { type Section, splitSections } from "../../../text/markdown/sections.ts";
import { listEntries, type Surroundings } from "./list-entries.ts";
import { speaksOfRepeating, speaksOfSteps } from "./step-cues.ts";

const FIELD = /^[ \t]{0,99}(?:[-*+][ \t]{1,9})?([^:：]{1,40}?)(?::(?:[ \t]|\*\*|__)|：)/u;

/** In order. The first of equal ones stays; where the last line has no end, that one does, so the file ends as before. */
export function findRepeatedLines(texts: readonly string[], outline: Outline, isUnended: boolean): readonly number[] {
  const keep = isUnended ? texts.length - 1 : undefined;
  const found: number[] = [];
  const repeating = countRepeating(texts);
  for (const group of groupBy(listEntries(texts, outline, surroundings(texts, outline)), (entry) => entry.group)) {
    const lines = group.map(({ line }) => line);
    const isFree = fieldTest(texts, lines);
    for (const equal of groupBy(lines, (line) => texts[line] ?? "")) {
      // From the first to the last of them: what one of those between them says is said of all.
      if ((repeating[(equal.at(-1) ?? 0) + 1] ?? 0) > (repeating[equal[0] ?? 0] ?? 0)) continue;
      found.push(...repeatsOf(equal, keep).filter(isFree));
    }
  }
  return found.sort((left, right) => left - right);
}

/** Is a line no field of a record, or does it repeat the one before? */
function fieldTest(texts: readonly string[], lines: readonly number[]): (line: number) => boolean {
  const areRecords = holdRecords(lines.map((line) => texts[line] ?? ""));
  const before = new Map(lines.map((line, at) => [line, lines[at - 1]]));
  const textOf = (line: number | undefined) => (line === undefined ? undefined : texts[line]);
  return (line) => !areRecords || !FIELD.test(texts[line] ?? "") || textOf(before.get(line)) === texts[line];
}

/** Of each line: how many above it say that something is done again. */
function countRepeating(texts: readonly string[]): readonly number[] {
  const counts = [0];
  for (const text of texts) counts.push((counts.at(-1) ?? 0) + (speaksOfRepeating(text) ? 1 : 0));
  return counts;
}

function repeatsOf(equal: readonly number[], keep: number | undefined): readonly number[] {
  return keep !== undefined && equal.at(-1) === keep ? equal.slice(0, -1) : equal.slice(1);
}

/** Sections at any level; a heading that speaks of steps does so for all that stands below it. */
function surroundings(texts: readonly string[], outline: Outline): Surroundings {
  const sections: number[] = [];
  const procedure: boolean[] = [];
  let end = 0;
  for (const section of splitSections(outline, texts.length)) {
    if (speaksOfSteps(headingOf(section))) end = Math.max(end, section.whole);
    for (let line = section.from; line < section.to; line += 1) {
      sections.push(section.from);
      procedure.push(line < end);
    }
  }
  return { sections, isProcedure: (line) => procedure[line] === true };
}

function headingOf({ heading }: Section): string {
  return heading?.text ?? "";
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

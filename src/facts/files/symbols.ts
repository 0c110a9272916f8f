// Which functions, classes, tables, headings or keys a change touched: those that changed lines define, and those
// that changed lines stand in.
import type { ChangedLine } from "./changes.ts";
import { definitionOf, type Family, familyOf } from "./definitions.ts";

/** Of one file. */
export const MOST_SYMBOLS = 8;
const LONGEST_LINE = 400;
/** Definitions collected before the most telling ones are taken. */
const MOST_CANDIDATES = 200;

const CALLED = /(?<![\w$.])([A-Za-z_$][\w$]{1,60}(?:\.[A-Za-z_$][\w$]{1,60}){0,2})\(/g;
const MOST_CALLED = 3;

interface Definition {
  readonly name: string;
  readonly indent: number;
}

/** At most `MOST_SYMBOLS`, the outer ones first when there are more, each in the order of the file. */
export function symbolsOf(path: string, lines: readonly ChangedLine[]): readonly string[] {
  const family = familyOf(path);
  if (family === "none") return [];
  const found = new Map<string, number>();
  let around: Definition | undefined;
  for (const { mark, text } of lines) {
    const line = text.trim();
    if (line === "" || text.length > LONGEST_LINE) continue;
    const indent = text.length - text.trimStart().length;
    const name = definitionOf(line, indent, family);
    const own = name === undefined ? undefined : { name, indent };
    const touched = own ?? (isInside(around, indent, family) ? around : undefined);
    if (mark !== " " && touched !== undefined && !found.has(touched.name)) found.set(touched.name, touched.indent);
    if (found.size >= MOST_CANDIDATES) break;
    around = own ?? (isEnd(around, line, indent, family) ? undefined : around);
  }
  return found.size === 0 && family === "code" ? calledNames(lines) : pickOuter(found);
}

/** What new lines call and old ones did not: for an edit in the middle of something, the interface it uses. */
function calledNames(lines: readonly ChangedLine[]): readonly string[] {
  const before = new Set<string>();
  const called = new Set<string>();
  for (const { mark, text } of lines) {
    if (text.length > LONGEST_LINE) continue;
    for (const [, name = ""] of text.matchAll(CALLED)) {
      if (mark === "+") called.add(name);
      else before.add(name);
    }
  }
  return [...called].filter((name) => !before.has(name) && /[a-z][A-Z]|[._]/.test(name)).slice(0, MOST_CALLED);
}

/** Back at the left of the definition, and not the last line of a head of many lines. */
function isEnd(around: Definition | undefined, line: string, indent: number, family: Family): boolean {
  return family !== "markdown" && indent <= (around?.indent ?? 0) && !/[{:(]$/.test(line);
}

function isInside(around: Definition | undefined, indent: number, family: Family): boolean {
  return around !== undefined && (family === "markdown" || indent > around.indent);
}

function pickOuter(found: ReadonlyMap<string, number>): readonly string[] {
  const names = [...found.keys()];
  if (names.length <= MOST_SYMBOLS) return names;
  const outer = [...found].sort((one, other) => one[1] - other[1]).slice(0, MOST_SYMBOLS);
  const picked = new Set(outer.map(([name]) => name));
  return names.filter((name) => picked.has(name));
}

// Which functions, classes, tables, headings or keys a change touched: those that changed lines define, and those
// that changed lines stand in.
import type { ChangedLine } from "./changes.ts";
import { definitionOf, type Family, familyOf } from "./definitions.ts";

/** Of one file. */
const MOST_SYMBOLS = 8;
const LONGEST_LINE = 400;
/** Definitions collected before the most telling ones are taken. */
const MOST_CANDIDATES = 200;

interface Definition {
  readonly name: string;
  readonly indent: number;
}

/** At most `MOST_SYMBOLS`, the outer ones first when there are more, each in the order of the file; `+` before what came, `-` before what went. */
export function symbolsOf(path: string, lines: readonly ChangedLine[]): readonly string[] {
  const family = familyOf(path);
  if (family === "none") return [];
  const found = new Map<string, { readonly indent: number; readonly mark: Mark }>();
  let around: Definition | undefined;
  for (const { mark, text } of lines.filter(isReadable)) {
    const line = text.trim();
    const indent = text.length - text.trimStart().length;
    const name = definitionOf(line, indent, family);
    const own = name === undefined ? undefined : { name, indent };
    const touched = own ?? (isInside(around, indent, family) ? around : undefined);
    if (mark !== " " && touched !== undefined)
      note(found, touched, own !== undefined && makes(line, family) ? mark : "");
    if (found.size >= MOST_CANDIDATES) break;
    around = own ?? (isEnd(around, line, indent, family) ? undefined : around);
  }
  return pickOuter(found).map((name) => `${found.get(name)?.mark ?? ""}${name}`);
}

function isReadable({ text }: ChangedLine): boolean {
  return text.length <= LONGEST_LINE && text.trim() !== "";
}

/** A statement about a table is a new line, but no new table. */
function makes(line: string, family: Family): boolean {
  return family !== "sql" || /\bcreate\b/i.test(line);
}

type Mark = "+" | "-" | "";

/** Defined by lines that came and by lines that went: changed. What stands in it says nothing of either. */
function note(
  found: Map<string, { readonly indent: number; readonly mark: Mark }>,
  { name, indent }: Definition,
  mark: Mark,
): void {
  const known = found.get(name);
  if (known === undefined) found.set(name, { indent, mark });
  else if (mark !== "" && known.mark !== mark) found.set(name, { indent, mark: "" });
}

/** What came and went again is no change; of one that came and was changed then, it counts that it came. */
export function joinSymbols(before: readonly string[], after: readonly string[]): readonly string[] {
  const marks = new Map(after.map(splitMark));
  for (const [name, earlier] of before.map(splitMark)) {
    const later = marks.get(name);
    if (later === undefined || later === "") marks.set(name, earlier);
    else if (earlier === "+" && later === "-") marks.delete(name);
    else if (earlier === "-" && later === "+") marks.set(name, "");
  }
  return [...marks].map(([name, mark]) => `${mark}${name}`).slice(0, MOST_SYMBOLS);
}

function splitMark(symbol: string): readonly [name: string, mark: Mark] {
  const mark = symbol.charAt(0);
  return mark === "+" || mark === "-" ? [symbol.slice(1), mark] : [symbol, ""];
}

/** Back at the left of the definition, and not the last line of a head of many lines. */
function isEnd(around: Definition | undefined, line: string, indent: number, family: Family): boolean {
  return family !== "markdown" && indent <= (around?.indent ?? 0) && !/[{:(]$/.test(line);
}

function isInside(around: Definition | undefined, indent: number, family: Family): boolean {
  return around !== undefined && (family === "markdown" || indent > around.indent);
}

function pickOuter(found: ReadonlyMap<string, { readonly indent: number }>): readonly string[] {
  const names = [...found.keys()];
  if (names.length <= MOST_SYMBOLS) return names;
  const outer = [...found].sort((one, other) => one[1].indent - other[1].indent).slice(0, MOST_SYMBOLS);
  const picked = new Set(outer.map(([name]) => name));
  return names.filter((name) => picked.has(name));
}

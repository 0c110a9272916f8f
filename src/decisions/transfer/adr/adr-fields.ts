// The short facts at the head of a record: lines such as `* Status: accepted`, tables with a row for each, tables with a
// column for each. Keys in English, whatever language they are in.
import { englishTitle } from "./adr-words.ts";

const MOST_LINES = 60;
/** `**Key:** value`, `- Key: value`, `📅 Key: value`. */
const LINE =
  /^[\s>*+-]{0,8}(?:\p{Extended_Pictographic}\uFE0F?\s{0,3})?\**_{0,2}(\p{L}[\p{L} -]{0,30}?)_{0,2}\**\s{0,3}[:：]\s{0,3}\**\s{0,5}(\S.{0,2000})$/u;
const SEPARATOR = /^\s{0,3}\|?(?:\s{0,20}:?-{1,200}:?\s{0,20}\|?){1,20}\s{0,20}$/;

/** The value of the first of `names` that the text has, as written. */
export function fieldIn(text: string, names: readonly string[]): string | undefined {
  const lines = text.split("\n").slice(0, MOST_LINES);
  const fields = lines.flatMap((line, at) => fieldsAt(line, lines[at + 1] ?? "", lines[at + 2] ?? ""));
  for (const name of names) {
    const found = fields.find(([key, value]) => key === name && value !== "");
    if (found !== undefined) return found[1];
  }
  return undefined;
}

type Field = readonly [key: string, value: string];

function fieldsAt(line: string, next: string, afterNext: string): readonly Field[] {
  const cells = cellsOf(line);
  if (cells === undefined) {
    const [, key, value] = LINE.exec(line) ?? [];
    return key === undefined || value === undefined ? [] : [[keyOf(key), value.trim()]];
  }
  if (SEPARATOR.test(line)) return [];
  const values = SEPARATOR.test(next) ? cellsOf(afterNext) : undefined;
  if (values !== undefined) return cells.map((key, at) => [keyOf(key), values[at] ?? ""]);
  const [key = "", value = ""] = cells;
  return cells.length < 2 ? [] : [[keyOf(key), value]];
}

/** The cells of a table's row; undefined for any other line. */
export function cellsOf(line: string): readonly string[] | undefined {
  const bare = line.slice(0, 4000).trim();
  if (!bare.startsWith("|") || bare.length < 3) return undefined;
  return bare
    .replace(/^\|/, "")
    .replace(/\|$/, "")
    .split("|")
    .map((cell) => cell.trim());
}

export function isSeparator(line: string): boolean {
  return line.includes("-") && SEPARATOR.test(line);
}

export function keyOf(written: string): string {
  return englishTitle(written.replace(/[*_`:：]/g, ""));
}

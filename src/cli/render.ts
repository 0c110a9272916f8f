// How a terminal shows things: tables without a grid, figures to the right, bars, and texts broken into lines.
import { figure } from "../text/figures.ts";
import { type UnknownName, unknownNameText } from "../text/nearest-name.ts";
import { printable } from "../text/printable.ts";
import { toWellFormed } from "../text/well-formed.ts";
import { type Colors, loadPackage } from "./terminal.ts";

/** A column's title, or more of it. */
export type Column = string | ColumnParts;

interface ColumnParts {
  readonly title: string;
  readonly isNumber?: boolean;
  /** Widest this column gets; longer text is cut. */
  readonly width?: number;
}

/** Of figures, which stand to the right. */
export function right(title: string): Column {
  return { title, isNumber: true };
}

export function atMost(title: string, width: number): Column {
  return { title, width };
}

/** A cell in a colour: what it says is made safe first, which would take a colour that is in it already. */
interface PaintedCell {
  readonly text: string;
  readonly paint: (text: string) => string;
}

export type Cell = string | number | PaintedCell;

/** Lines without a newline at the end. */
export function renderTable(given: readonly Column[], rows: readonly (readonly Cell[])[], colors: Colors): string {
  const columns: readonly ColumnParts[] = given.map((each) => (typeof each === "string" ? { title: each } : each));
  const head = columns.map(({ title }) => renderCell({ text: title, paint: colors.dim }));
  const body = rows.map((cells) => columns.map(({ width }, index) => renderCell(cells[index] ?? "", width)));
  const lines = [head, ...body];
  const widths = columns.map((_, index) => lines.reduce((most, line) => Math.max(most, line[index]?.width ?? 0), 0));
  const aligned = lines.map((line) =>
    line.map(({ text, width }, index) => {
      const blank = " ".repeat((widths[index] ?? 0) - width);
      return `  ${columns[index]?.isNumber === true ? blank + text : text + blank}`;
    }),
  );
  return aligned.map((line) => line.join("").trimEnd()).join("\n");
}

/** As it is shown, and how many cells of the terminal it takes. */
function renderCell(cell: Cell, width?: number): { readonly text: string; readonly width: number } {
  if (typeof cell === "number") return { text: figure(cell), width: figure(cell).length };
  const { text, paint } = typeof cell === "object" ? cell : { text: cell, paint: String };
  const line = oneLine(text);
  const kept = width === undefined ? line : firstCells(line.slice(0, MOST_UNITS), width);
  const shown = kept === line ? line : `${kept}…`;
  return { text: paint(shown), width: cellsOf(shown) };
}

/** Text from outside on one line, and as wide as it is printed. */
export function oneLine(text: string): string {
  return printable(text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ")).trim();
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Three digits at most, of a thousand bytes each. */
export function sizeText(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)));
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? value.toFixed(0) : value.toFixed(1)} ${units[power]}`;
}

const LONGEST_NAME = 40;

/** What to say of a name that nothing has. */
export function unknownName(names: UnknownName): string {
  return unknownNameText(names, (name) => cutToCells(name, LONGEST_NAME));
}

/** Of an ISO time; empty for any other text. */
export function minuteOf(time: string): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(time) ? time.slice(0, 16).replace("T", " ") : "";
}

const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** `size` as a bar of up to `width` cells, where `most` fills them all. Anything above nothing shows. */
export function bar(size: number, most: number, width: number): string {
  const eighths = most <= 0 ? 0 : Math.max(size > 0 ? 1 : 0, Math.round((size / most) * width * 8));
  return "█".repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? "");
}

/** Before and after, one line each. */
export function renderBars(before: number, after: number, width: number, colors: Colors): readonly string[] {
  const most = Math.max(before, after);
  const digits = Math.max(figure(before).length, figure(after).length);
  const line = (name: string, size: number, paint: (text: string) => string) =>
    `  ${name}  ${figure(size).padStart(digits)}  ${paint(bar(size, most, width))}`;
  return [line("before", before, colors.dim), line("after ", after, colors.green)];
}

// Texts as lines of a terminal, measured in its cells: a Chinese character takes two.

const WIDEST = 100;
const PLAIN = /^[ -~]*$/;

/** How many cells of a terminal a line takes. */
export function cellsOf(line: string): number {
  if (PLAIN.test(line)) return line.length;
  return (loadPackage("string-width") as typeof import("string-width")).default(line);
}

/** A line of a few hundred cells never needs more of a text than this. */
const MOST_UNITS = 4000;

/** White space of any kind is one space, and no control is left. */
function cleanLine(text: string): string {
  return oneLine(toWellFormed(text).replace(/\s{1,4000}/g, " "));
}

/** One line of at most `most` cells, `…` at its end where something is left out. */
export function cutToCells(text: string, most: number): string {
  const line = cleanLine(text.slice(0, MOST_UNITS));
  const kept = firstCells(line, most);
  if (kept === line) return text.length > MOST_UNITS ? `${line}…` : line;
  return `${kept.trimEnd()}…`;
}

/** The text, or as much of it as leaves a cell for `…`. Whole characters only. */
function firstCells(text: string, most: number): string {
  if (cellsOf(text) <= most) return text;
  let [kept, cells] = ["", 0];
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    cells += cellsOf(segment);
    if (cells > most - 1) break;
    kept += segment;
  }
  return kept;
}

interface WrapOptions {
  /** Cells of a line, indent included. */
  readonly width: number;
  readonly indent: string;
  /** The text begins with it. */
  readonly head?: string;
  /** Stands before the first line in place of the indent. */
  readonly hanging?: string;
  /** Most lines; what is left out is marked. */
  readonly lines?: number;
}

/** Broken at spaces, line ends among them. A word longer than a line stands on one of its own. */
export function wrapText(
  text: string,
  { width, indent, head = "", hanging = indent, lines = Number.POSITIVE_INFINITY }: WrapOptions,
): string[] {
  const room = Math.max(20, Math.min(WIDEST, width) - indent.length);
  const wrapped: string[] = [];
  let line = head;
  let cells = cellsOf(head);
  for (const word of cleanLine(text).split(" ")) {
    const isFirst = line === "" || line === head;
    const width = cellsOf(word);
    if (!isFirst && cells + 1 + width > room) {
      wrapped.push(line);
      [line, cells] = [word, width];
      if (wrapped.length >= lines) {
        line = `${wrapped.pop()} …`;
        break;
      }
    } else {
      line += isFirst ? word : ` ${word}`;
      cells += width + (isFirst ? 0 : 1);
    }
  }
  return [...wrapped, line].map((each, index) => (index === 0 ? hanging : indent) + each);
}

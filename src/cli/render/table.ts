// Tables and figures as a person likes to read them: no grid, figures to the right, thousands apart.
import Table from "cli-table3";
import type { Colors } from "../terminal.ts";

export interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
  /** Widest this column gets; longer text is cut. */
  readonly width?: number;
}

/** A cell in a colour: what it says is made safe first, which would take a colour that is in it already. */
export interface PaintedCell {
  readonly text: string;
  readonly paint: (text: string) => string;
}

export type Cell = string | number | PaintedCell;

const NO_LINES = Object.fromEntries(
  [
    "top",
    "top-mid",
    "top-left",
    "top-right",
    "bottom",
    "bottom-mid",
    "bottom-left",
    "bottom-right",
    "left",
    "left-mid",
    "mid",
    "mid-mid",
    "right",
    "right-mid",
    "middle",
  ].map((name) => [name, ""]),
);

/** Lines without a newline at the end. */
export function renderTable(columns: readonly Column[], rows: readonly (readonly Cell[])[], colors: Colors): string {
  const table = new Table({
    head: columns.map(({ title }) => colors.dim(title)),
    colAligns: columns.map(({ isNumber }) => (isNumber === true ? "right" : "left")),
    chars: NO_LINES,
    style: { head: [], border: [], "padding-left": 2, "padding-right": 0, compact: true },
  });
  for (const row of rows) table.push(row.map((cell, index) => renderCell(cell, columns[index]?.width)));
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

function renderCell(cell: Cell, width: number | undefined): string {
  if (typeof cell === "number") return figure(cell);
  if (typeof cell === "object") return cell.paint(renderCell(cell.text, width));
  const clean = oneLine(cell);
  const characters = Array.from(clean);
  return width === undefined || characters.length <= width ? clean : `${characters.slice(0, width - 1).join("")}…`;
}

/** Text from outside, safe to print: no control characters, so none that a terminal obeys. */
export function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ").trim();
}

export function figure(value: number): string {
  return value.toLocaleString("en-US");
}

export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${figure(count)} ${count === 1 ? noun : many}`;
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

/** Of an ISO time; empty for what is none. */
export function minuteOf(time: string): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(time) ? time.slice(0, 16).replace("T", " ") : "";
}

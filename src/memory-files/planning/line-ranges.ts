// From lines to the ranges of a plan, and what a file comes to without them. Ranges are whole lines, so no byte that stays
// is decoded.
import { cutAt } from "../../text/cut.ts";
import { endsLine } from "../analysis/measure-file.ts";
import type { MemoryFile } from "../memory-file.ts";
import type { PlannedRange } from "../plan.ts";

export interface LineRange {
  readonly from: number;
  /** Line after its last. */
  readonly to: number;
  readonly heading?: string;
  /** Lines that come in its place, without ends. */
  readonly insert?: readonly string[];
}

const PREVIEW = 120;
const PREVIEW_LINES = 20;

export function plannedRange(file: MemoryFile, { from, to, heading, insert }: LineRange): PlannedRange {
  const written = insert === undefined ? undefined : writeLines(file, insert, to);
  return {
    byte_from: startOf(file, from),
    byte_to: startOf(file, to),
    line_from: from + 1,
    line_to: to,
    preview: previewOf(file, from, to),
    ...(heading === undefined ? {} : { heading }),
    ...(written === undefined ? {} : { insert: written }),
  };
}

/** With the line ends of the file. Where the last line of the file leaves, its own end, or lack of one, stays. */
function writeLines(file: MemoryFile, insert: readonly string[], to: number): string {
  const isUnended = to === file.lines.length && !endsLine(file);
  return insert.join(file.lineEnd) + (isUnended ? "" : file.lineEnd);
}

/** Of a line, or the end of the file. */
export function startOf({ lines, bytes }: MemoryFile, line: number): number {
  return lines[line]?.start ?? lines.at(-1)?.end ?? bytes.length;
}

function previewOf({ lines }: MemoryFile, from: number, to: number): string {
  const text = lines.slice(from, Math.min(to, from + PREVIEW_LINES)).map((line) => cutAt(line.text, PREVIEW * 4));
  return cutAt(text.join(" ").replace(/\s+/gu, " ").trim(), PREVIEW);
}

/** Lines in order as ranges of neighbours. */
export function rangesOfLines(lines: readonly number[]): readonly LineRange[] {
  const ranges: { from: number; to: number }[] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last?.to === line) last.to += 1;
    else ranges.push({ from: line, to: line + 1 });
  }
  return ranges;
}

/**
 * The text that stays, its final line end included, with what comes in the place of the rest; ranges in order, apart. As the
 * file will be read once they have left.
 */
export function textWithout(file: MemoryFile, ranges: readonly LineRange[]): string {
  const { lines } = file;
  const kept = keptLines(lines.length, ranges);
  const text = kept.map((line) => (typeof line === "string" ? line : (lines[line]?.text ?? ""))).join("\n");
  const last = kept.at(-1);
  const isOwnLast = typeof last === "string" || last === lines.length - 1;
  return last === undefined || (isOwnLast && !endsLine(file)) ? text : `${text}\n`;
}

/** Positions of the lines that stay and texts of those that are put in, in order. */
export function keptLines(lineCount: number, ranges: readonly LineRange[]): readonly (number | string)[] {
  const kept: (number | string)[] = [];
  let line = 0;
  for (const { from, to, insert = [] } of ranges) {
    for (; line < from; line += 1) kept.push(line);
    for (const inserted of insert) kept.push(inserted);
    line = to;
  }
  for (; line < lineCount; line += 1) kept.push(line);
  return kept;
}

/** Bytes by which a file shrinks; below 0 where more is put in than leaves. */
export function savedBytes(ranges: readonly PlannedRange[]): number {
  const encoder = new TextEncoder();
  return ranges.reduce(
    (sum, { byte_from, byte_to, insert = "" }) => sum + byte_to - byte_from - encoder.encode(insert).length,
    0,
  );
}

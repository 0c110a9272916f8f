// What the planners hand over: changes without their number, which the whole plan gives them.
import { cutAt, flat } from "../../text/quote.ts";
import { endsLine } from "../analysis/file-report.ts";
import type { HeldChange, PlannedChange, PlannedEdit, PlannedRange } from "../plan.ts";
import type { MemoryFile } from "../workspace.ts";

type WithoutId<Change> = Change extends PlannedChange ? Omit<Change, "id"> : never;
export type Draft<Change extends PlannedChange = PlannedChange> = WithoutId<Change>;

export interface Drafts {
  readonly changes: readonly Draft[];
  readonly held: readonly HeldChange[];
}

export const NOTHING: Drafts = { changes: [], held: [] };

export function join(...all: readonly Drafts[]): Drafts {
  return { changes: all.flatMap(({ changes }) => changes), held: all.flatMap(({ held }) => held) };
}

interface EditOf {
  readonly kind: PlannedEdit["kind"];
  readonly apply: boolean;
  readonly reason: string;
  readonly ranges: readonly LineRange[];
  /** Ranges of a change that is made before this one, in the same file. */
  readonly before?: readonly LineRange[];
  /** Besides the file itself. */
  readonly restsOn?: Readonly<Record<string, string>>;
}

/** Its figures are those of the file as it stands after `before`. */
export function draftEdit(file: MemoryFile, count: (text: string) => number, edit: EditOf): Draft<PlannedEdit> {
  const { kind, apply, reason, ranges, before = [], restsOn = {} } = edit;
  const planned = ranges.map((range) => plannedRange(file, range));
  const all = [...before, ...ranges].sort((left, right) => left.from - right.from);
  const bytes = file.bytes.length - savedBytes(before.map((range) => plannedRange(file, range)));
  return {
    kind,
    apply,
    reason,
    file: file.file,
    bytes_before: bytes,
    bytes_after: bytes - savedBytes(planned),
    tokens_before: count(textWithout(file, before)),
    tokens_after: count(textWithout(file, all)),
    rests_on: { ...restsOn, [file.file]: file.sha256 },
    ranges: planned,
  };
}

export function plural(count: number, one: string): string {
  return `${count.toLocaleString("en-US")} ${one}${count === 1 ? "" : "s"}`;
}

// From lines to the ranges of a plan, and what a file comes to without them. Ranges are whole lines, so no byte that stays
// is decoded.

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
  return cutAt(flat(text.join(" ")), PREVIEW);
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
function textWithout(file: MemoryFile, ranges: readonly LineRange[]): string {
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

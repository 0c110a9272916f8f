// What the planners hand over: changes without their number, which the whole plan gives them. From lines to the ranges of a
// plan, and what a file comes to without them: ranges are whole lines, so no byte that stays is decoded.
import { previewOf } from "../analysis/section-report.ts";
import type { HeldChange, PlannedChange, PlannedEdit, PlannedRange } from "../plan.ts";
import { endsLine, type MemoryFile, textOf } from "../workspace.ts";

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
  const all = [...before, ...ranges].sort((left, right) => left.from - right.from);
  const bytes = file.bytes.length - savedBytes(file, before);
  return {
    kind,
    apply,
    reason,
    file: file.file,
    bytes_before: bytes,
    bytes_after: bytes - savedBytes(file, ranges),
    tokens_before: count(textWithout(file, before)),
    tokens_after: count(textWithout(file, all)),
    rests_on: { ...restsOn, [file.file]: file.sha256 },
    ranges: ranges.map((range) => plannedRange(file, range)),
  };
}

export interface LineRange {
  readonly from: number;
  /** Line after its last. */
  readonly to: number;
  readonly heading?: string;
  /** Lines that come in its place, without ends. */
  readonly insert?: readonly string[];
}

export function plannedRange(file: MemoryFile, range: LineRange): PlannedRange {
  const { from, to, heading, insert } = range;
  return {
    byte_from: startOf(file, from),
    byte_to: startOf(file, to),
    line_from: from + 1,
    line_to: to,
    preview: previewOf(textOf(file, from, to)),
    ...(heading === undefined ? {} : { heading }),
    ...(insert === undefined ? {} : { insert: writtenFor(file, range) }),
  };
}

/** With the line ends of the file. Where the last line of the file leaves, its own end, or lack of one, stays. */
function writtenFor(file: MemoryFile, { insert, to }: LineRange): string {
  if (insert === undefined) return "";
  const isUnended = to === file.lines.length && !endsLine(file);
  return insert.join(file.lineEnd) + (isUnended ? "" : file.lineEnd);
}

/** Of a line, or the end of the file. */
export function startOf({ lines, bytes }: MemoryFile, line: number): number {
  return lines[line]?.start ?? lines.at(-1)?.end ?? bytes.length;
}

/** Lines in order as ranges of neighbours; `written`: lines that others take the place of. */
export function rangesOfLines(
  lines: readonly number[],
  written: ReadonlyMap<number, string> = new Map(),
): readonly LineRange[] {
  const ranges: { from: number; to: number; insert?: readonly string[] }[] = [];
  for (const line of [...lines, ...written.keys()].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    const text = written.get(line);
    if (text !== undefined) ranges.push({ from: line, to: line + 1, insert: [text] });
    else if (last?.to === line && last.insert === undefined) last.to += 1;
    else ranges.push({ from: line, to: line + 1 });
  }
  return ranges;
}

/**
 * The text that stays, its final line end included, with what comes in the place of the rest; ranges in order, apart. As the
 * file will be read once they have left.
 */
function textWithout(file: MemoryFile, ranges: readonly LineRange[]): string {
  const kept = keptLines(file.lines.length, ranges);
  const last = kept.at(-1);
  const isOwnLast = typeof last === "string" || last === file.lines.length - 1;
  return keptTexts(file, kept).join("\n") + (last === undefined || (isOwnLast && !endsLine(file)) ? "" : "\n");
}

/** A line of the file by its position, or one that is put in. */
export type KeptLine = number | string;

/** What stays and what is put in, in order. */
export function keptLines(lineCount: number, ranges: readonly LineRange[]): readonly KeptLine[] {
  const kept: KeptLine[] = [];
  let line = 0;
  for (const { from, to, insert = [] } of ranges) {
    for (; line < from; line += 1) kept.push(line);
    for (const inserted of insert) kept.push(inserted);
    line = to;
  }
  for (; line < lineCount; line += 1) kept.push(line);
  return kept;
}

export function keptTexts({ lines }: MemoryFile, kept: readonly KeptLine[]): readonly string[] {
  return kept.map((line) => (typeof line === "string" ? line : (lines[line]?.text ?? "")));
}

/** Bytes by which a file shrinks; below 0 where more is put in than leaves. */
export function savedBytes(file: MemoryFile, ranges: readonly LineRange[]): number {
  const saved = ranges.map((range) => {
    const inserted = new TextEncoder().encode(writtenFor(file, range)).length;
    return startOf(file, range.to) - startOf(file, range.from) - inserted;
  });
  return saved.reduce((sum, bytes) => sum + bytes, 0);
}

interface HalfOf {
  /** Of the file as it is, and what left it in earlier runs: many runs together take no more than one. */
  readonly size: number;
  readonly taken: number;
  /** That may leave any file, however small it is. */
  readonly least?: number;
}

/** Of what may leave a file, from the first on, as much as half of what it was before the first run. */
export function withinHalfOf<Item>(
  items: readonly Item[],
  weigh: (item: Item) => number,
  { size, taken, least = 0 }: HalfOf,
): readonly Item[] {
  const most = Math.max(0, Math.max(least, (size + taken) / 2) - taken);
  let weight = 0;
  const end = items.findIndex((item) => {
    weight += weigh(item);
    return weight > most;
  });
  return end < 0 ? items : items.slice(0, end);
}

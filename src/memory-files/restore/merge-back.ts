// Puts lines that left back into a file that was edited since. A section whose place is gone goes to the end; other lines whose
// place is gone stay in the archive.
import { isHeading } from "../../text/markdown/outline.ts";
import { groupBy } from "../../text/words.ts";
import type { JournalEdit, JournalRange } from "../journal/journal.ts";
import { linesIn } from "../splice.ts";
import type { MemoryFile } from "../workspace.ts";

export interface Merged {
  readonly content: Uint8Array;
  /** Positions of the ranges that are back in it. */
  readonly back: readonly number[];
  /** Of those, how many stand at the end. */
  readonly atEnd: number;
}

interface Insertion {
  readonly line: number;
  readonly replaces: number;
  readonly piece: Uint8Array;
  /** Its surroundings have changed, and it is a section: it needs a blank line above. */
  readonly isApart: boolean;
}

const LF = 0x0a;
const CR = 0x0d;
const encoder = new TextEncoder();

/** `removed` holds the bytes of all ranges. */
export function mergeBack(file: MemoryFile, { ranges }: JournalEdit, removed: Uint8Array): Merged {
  const lines = file.lines.map(({ text }) => text);
  const index: LineIndex = { lines, places: groupBy(lines.keys(), (line) => lines[line] ?? "") };
  const insertions: Insertion[] = [];
  const back: number[] = [];
  let atEnd = 0;
  let from = 0;
  for (const [number, range] of ranges.entries()) {
    const piece = removed.subarray(from, from + range.byte_to - range.byte_from);
    from += piece.length;
    if (range.restored) continue;
    const place = rangePlace(file, index, range);
    if (place === undefined) continue;
    back.push(number);
    if (standsAt(file, place.line, piece)) continue;
    if (place.isEnd) atEnd += 1;
    insertions.push({ ...place, piece });
  }
  return { content: withInsertions(file, insertions), back, atEnd };
}

function rangePlace(file: MemoryFile, index: LineIndex, range: JournalRange) {
  const found = findPlace(index, range, linesIn(range.inserted ?? ""));
  const isSection = range.heading !== undefined;
  const end = { line: file.lines.length, replaces: 0, isApart: true, isEnd: true };
  if (found === undefined) return isSection ? end : undefined;
  const { line, replaces, by } = found;
  const at = isSection && by === "before" ? belowWhatWasWritten(file, line) : line;
  return { line: at, replaces, isApart: isSection && by !== "whole", isEnd: false };
}

/** Else what was written where a section stood would come to stand in it. Blank lines are no writing. */
function belowWhatWasWritten({ outline, lines }: MemoryFile, line: number): number {
  const next = outline.blocks.find((block) => isHeading(block) && block.container === undefined && block.from >= line);
  const end = next?.from ?? lines.length;
  return lines.slice(line, end).every(({ text }) => text.trim() === "") ? line : end;
}

/** It is back already: a person put it there, or a restore that was not noted. */
function standsAt({ bytes, lines }: MemoryFile, line: number, piece: Uint8Array): boolean {
  const start = lines[line]?.start;
  if (start === undefined) return false;
  const body = piece.subarray(0, piece.findLastIndex((byte) => !isEnd(byte)) + 1);
  return body.length > 0 && body.every((byte, offset) => bytes[start + offset] === byte);
}

function withInsertions(file: MemoryFile, insertions: readonly Insertion[]): Uint8Array {
  const { bytes, lines } = file;
  const startOf = (line: number) => lines[line]?.start ?? lines.at(-1)?.end ?? bytes.length;
  const lineEnd = encoder.encode(file.lineEnd);
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { line, replaces, piece, isApart } of insertions.toSorted((a, b) => a.line - b.line)) {
    parts.push(bytes.subarray(at, Math.max(at, startOf(line))));
    at = Math.max(at, startOf(line + replaces));
    if (needsEnd(parts, bytes)) parts.push(lineEnd);
    if (isApart && needsBlank(file, line, piece)) parts.push(lineEnd);
    parts.push(piece);
    if (at < bytes.length && !isEnd(piece.at(-1))) parts.push(lineEnd);
  }
  parts.push(bytes.subarray(at));
  return Buffer.concat(parts);
}

/** The last line so far lacks its end. A byte order mark is no line. */
function needsEnd(parts: readonly Uint8Array[], bytes: Uint8Array): boolean {
  const last = parts.findLast(({ length }) => length > 0);
  const isMark = last !== undefined && last.length === 3 && last.byteOffset === bytes.byteOffset && last[0] === 0xef;
  return last !== undefined && !isMark && !isEnd(last.at(-1));
}

function needsBlank({ lines }: MemoryFile, line: number, piece: Uint8Array): boolean {
  return (lines[line - 1]?.text ?? "").trim() !== "" && !isEnd(piece[0]);
}

function isEnd(byte: number | undefined): boolean {
  return byte === LF || byte === CR;
}

// Where lines that left a file belong in it now that it was edited: by the lines that stood around them, as a patch finds its
// place. A place counts only where it is the only one.

interface FoundPlace {
  /** Line before which they belong. */
  readonly line: number;
  /** Lines after that which came in their place, and go. */
  readonly replaces: number;
  /** `whole`: all stands there as it was left. */
  readonly by: "whole" | "inserted" | "after" | "before";
}

/** What the lines of a file are, to be looked up many times. */
interface LineIndex {
  readonly lines: readonly string[];
  readonly places: ReadonlyMap<string, readonly number[]>;
}

const CONTEXT = 3;

/** `inserted` are the lines that came in its place. */
function findPlace(index: LineIndex, range: JournalRange, inserted: readonly string[]): FoundPlace | undefined {
  const { before, after, heading } = range;
  const whole = onlyMatch(index, [...before, ...inserted, ...after], {
    start: before.length < CONTEXT,
    end: after.length < CONTEXT,
  });
  if (whole !== undefined) return { line: whole + before.length, replaces: inserted.length, by: "whole" };
  const pointer = onlyMatch(index, inserted);
  if (pointer !== undefined) return { line: pointer, replaces: inserted.length, by: "inserted" };
  const above = onlyMatch(index, before);
  const below = onlyMatch(index, after);
  const behind =
    above === undefined ? undefined : ({ line: above + before.length, replaces: 0, by: "before" } as const);
  const ahead = below === undefined ? undefined : ({ line: below, replaces: 0, by: "after" } as const);
  // What was written since where a section stood belongs to the section above it; what stood below a line still does.
  return heading === undefined ? (behind ?? ahead) : (ahead ?? behind);
}

/** First line of the one place where the pattern stands. A pattern of blank lines alone stands nowhere. */
function onlyMatch(
  { lines, places }: LineIndex,
  pattern: readonly string[],
  edges: { readonly start?: boolean; readonly end?: boolean } = {},
): number | undefined {
  if (!pattern.some((line) => line.trim() !== "")) return undefined;
  const rarest = pattern.reduce(
    (best, line, at) => ((places.get(line)?.length ?? 0) < (places.get(pattern[best] ?? "")?.length ?? 0) ? at : best),
    0,
  );
  let found: number | undefined;
  for (const place of places.get(pattern[rarest] ?? "") ?? []) {
    const from = place - rarest;
    if (from < 0 || (edges.start && from !== 0) || (edges.end && from + pattern.length !== lines.length)) continue;
    if (!pattern.every((line, offset) => lines[from + offset] === line)) continue;
    if (found !== undefined) return undefined;
    found = from;
  }
  return found;
}

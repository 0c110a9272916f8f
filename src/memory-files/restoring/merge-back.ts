// Puts lines that left back into a file that was edited since. A section whose place is gone goes to the end; other lines whose
// place is gone stay in the archive.

import { isHeading } from "../../text/markdown/outline.ts";
import { linesIn } from "../applying/context-lines.ts";
import { join } from "../applying/splice.ts";
import type { JournalEdit, JournalRange } from "../journal/journal.ts";
import type { MemoryFile } from "../memory-file.ts";
import { findPlace, indexLines, type LineIndex } from "./find-place.ts";

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
  const index = indexLines(file.lines.map(({ text }) => text));
  const insertions: Insertion[] = [];
  const back: number[] = [];
  let atEnd = 0;
  let from = 0;
  for (const [number, range] of ranges.entries()) {
    const piece = removed.subarray(from, from + range.byte_to - range.byte_from);
    from += piece.length;
    if (range.restored) continue;
    const place = placeOf(file, index, range);
    if (place === undefined) continue;
    back.push(number);
    if (standsAt(file, place.line, piece)) continue;
    if (place.isEnd) atEnd += 1;
    insertions.push({ ...place, piece });
  }
  return { content: withInsertions(file, insertions), back, atEnd };
}

function placeOf(file: MemoryFile, index: LineIndex, range: JournalRange) {
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
  const body = piece.subarray(0, withoutEnd(piece));
  return body.length > 0 && body.every((byte, offset) => bytes[start + offset] === byte);
}

function withoutEnd(piece: Uint8Array): number {
  let length = piece.length;
  while (length > 0 && isEnd(piece[length - 1])) length--;
  return length;
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
  return join(parts);
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

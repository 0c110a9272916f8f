// What leaves a memory file in aggressive mode: lines that its section holds already, and blank runs. Half of the file at
// most; the rest waits for a person's word.
import type { MemoryFile } from "../memory-file.ts";
import type { PlannedRange } from "../plan.ts";
import { keepsOutline } from "./leaving/keeps-outline.ts";
import { type LineRange, plannedRange, rangesOfLines } from "./line-ranges.ts";
import { findTidyLines } from "./tidying/tidy-lines.ts";

/** Ranges of whole lines, in order, without regard to how much they are. A second call on the result gives none. */
export function tidyRanges(file: MemoryFile): readonly PlannedRange[] {
  return rangesOfLines(tidyLines(file)).map((range) => plannedRange(file, range));
}

/** The same as positions of lines, in order. */
export function tidyLines({ lines, bytes }: MemoryFile): readonly number[] {
  const last = bytes[(lines.at(-1)?.end ?? 0) - 1];
  return findTidyLines(
    lines.map(({ text }) => text),
    last !== 0x0a && last !== 0x0d,
  );
}

/**
 * Those of the lines, from the first on, that may leave: half of what the file was before the first run. Blank lines weigh
 * nothing. `taken`: bytes that left it in earlier runs.
 */
export function withinHalf(file: MemoryFile, lines: readonly number[], taken = 0): readonly number[] {
  const body = file.lines.reduce((sum, _, line) => sum + weightOf(file, line), 0);
  const most = Math.max(0, (body + taken) / 2 - taken);
  let weight = 0;
  const within = lines.filter((line) => {
    weight += weightOf(file, line);
    return weight <= most;
  });
  return within.length === lines.length ? lines : withSameOutline(file, within);
}

/** Front matter is no part of the body. */
function weightOf({ lines, outline }: MemoryFile, line: number): number {
  const found = lines[line];
  const [first] = outline.blocks;
  const isFront = first?.kind === "front_matter" && line < first.to;
  return found === undefined || isFront || found.text.trim() === "" ? 0 : found.end - found.start;
}

/** A beginning of what leaves may join what the whole would not; then less of it leaves. */
function withSameOutline(file: MemoryFile, lines: readonly number[]): readonly number[] {
  const texts = file.lines.map(({ text }) => text);
  for (let ranges = rangesOfLines(lines); ranges.length > 0; ranges = ranges.slice(0, -1 - (ranges.length >> 3))) {
    const gone = new Set(ranges.flatMap(linesOf));
    if (
      keepsOutline(
        texts,
        file.outline,
        [...texts.keys()].filter((line) => !gone.has(line)),
      )
    )
      return [...gone];
  }
  return [];
}

function linesOf({ from, to }: LineRange): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

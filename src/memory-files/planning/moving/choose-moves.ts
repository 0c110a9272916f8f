// How many of the least used sections move so that a file comes under its limit, and what comes in their place. Neighbours
// share one pointer.
import type { MemoryFile } from "../../memory-file.ts";
import { type LineRange, plannedRange, savedBytes } from "../line-ranges.ts";
import type { Movable } from "./find-movable.ts";
import { pointerLine } from "./pointer.ts";

export interface MoveTarget {
  readonly day: string;
  readonly movedTo: string;
  /** Bytes that have to go. */
  readonly excess: number;
  /** Bytes of lines that leave the file anyway, by line. */
  readonly goneAnyway: (range: LineRange) => number;
}

/** `byUse`: least used first. As few as suffice; all that help where none do. In the order in which they stand. */
export function chooseMoves(file: MemoryFile, byUse: readonly Movable[], target: MoveTarget): readonly LineRange[] {
  const saves = (count: number) => savedBy(file, rangesFor(file, byUse.slice(0, count), target), target);
  let [low, high] = [0, byUse.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (saves(middle) >= target.excess) high = middle;
    else low = middle + 1;
  }
  return worthwhile(file, rangesFor(file, byUse.slice(0, low), target), target);
}

/** The pointer comes in the place of the last of each group. */
function rangesFor(
  { lines }: MemoryFile,
  chosen: readonly Movable[],
  { day, movedTo }: MoveTarget,
): readonly LineRange[] {
  const groups: Movable[][] = [];
  for (const section of [...chosen].sort((left, right) => left.from - right.from)) {
    const last = groups.at(-1);
    if (last?.at(-1)?.to === section.from) last.push(section);
    else groups.push([section]);
  }
  return groups.flatMap((group) => {
    const from = group[0]?.from ?? 0;
    const to = group.at(-1)?.to ?? 0;
    const isBlank = (line: number) => (lines[line]?.text ?? "").trim() === "";
    const pointer = pointerLine(
      day,
      movedTo,
      group.map(({ heading }) => heading),
    );
    const before = from > 0 && !isBlank(from - 1) ? [""] : [];
    const after = to < lines.length && !isBlank(to) ? [""] : [];
    return group.map(({ heading, ...section }, index) => ({
      from: section.from,
      to: section.to,
      heading,
      ...(index === group.length - 1 ? { insert: [...before, pointer, ...after] } : {}),
    }));
  });
}

function savedBy(file: MemoryFile, ranges: readonly LineRange[], { goneAnyway }: MoveTarget): number {
  const anyway = ranges.reduce((sum, range) => sum + goneAnyway(range), 0);
  return savedBytes(ranges.map((range) => plannedRange(file, range))) - anyway;
}

/** A group that is hardly longer than its pointer stays. */
function worthwhile(file: MemoryFile, ranges: readonly LineRange[], target: MoveTarget): readonly LineRange[] {
  const kept: LineRange[] = [];
  let group: LineRange[] = [];
  for (const range of ranges) {
    group.push(range);
    if (range.insert === undefined) continue;
    if (savedBy(file, group, target) > 0) kept.push(...group);
    group = [];
  }
  return kept;
}

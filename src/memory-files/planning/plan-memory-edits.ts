// What becomes of the memory files themselves: repeated lines leave them, and sections of the main one move until it is
// under its limit. Files that they take in are never edited.
import type { MemoryFile } from "../memory-file.ts";
import type { HeldChange } from "../plan.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type Drafts, draftEdit, join, plural } from "./draft.ts";
import type { EditsContext } from "./edits-context.ts";
import { leaveSafely } from "./leaving/leave-safely.ts";
import { type LineRange, rangesOfLines } from "./line-ranges.ts";
import { planMoves } from "./plan-moves.ts";
import { tidyLines, withinHalf } from "./tidy-ranges.ts";

export async function planMemoryEdits(workspace: Workspace, context: EditsContext): Promise<Drafts> {
  const all: Drafts[] = [];
  for (const [index, file] of workspace.memory.entries()) {
    context.signal?.throwIfAborted();
    const due = context.aggressive ? tidyLines(file) : [];
    const within = (lines: readonly number[]) =>
      context.moreThanHalf ? lines : withinHalf(file, lines, context.taken(file.file));
    const moves = index === 0 ? await planMoves(workspace, file, rangesOfLines(within(due)), context) : undefined;
    const moved = context.move ? (moves?.ranges ?? []) : [];
    const staying = due.filter((line) => !moved.some(({ from, to }) => line >= from && line < to));
    const tidied = besides(file, moved, rangesOfLines(within(staying)));
    all.push(draftTidy(file, tidied, staying.length - within(staying).length, context));
    if (moves === undefined) continue;
    const before = context.move ? tidied : [];
    all.push({ changes: moves.draft === undefined ? [] : [moves.draft(before)], held: moves.held });
  }
  return join(...all);
}

/** Lines that leave a file of which other sections move: none where the two together would change what the rest means. */
function besides(file: MemoryFile, moved: readonly LineRange[], tidied: readonly LineRange[]): readonly LineRange[] {
  if (moved.length === 0 || tidied.length === 0) return tidied;
  const all = [...moved, ...tidied].sort((left, right) => left.from - right.from);
  const { ranges } = leaveSafely(file, all);
  return ranges.length === all.length && ranges.every((range, index) => range === all[index]) ? tidied : [];
}

function draftTidy(file: MemoryFile, ranges: readonly LineRange[], left: number, { count }: EditsContext): Drafts {
  const held: HeldChange = {
    file: file.file,
    code: "more_than_half",
    message: `${plural(left, "more line")} could leave, but no more than half of a file does, earlier runs counted.`,
  };
  const lines = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  const reason = `${lines === 1 ? "This line is blank or stands" : "These lines are blank or stand"} in the same section already.`;
  const changes = ranges.length === 0 ? [] : [draftEdit(file, count, { kind: "tidy", apply: true, reason, ranges })];
  return { changes, held: left === 0 ? [] : [held] };
}

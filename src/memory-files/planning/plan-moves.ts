// Which sections of the main memory file move to an archive file so that it comes under its limit, and what is said where it
// does not.
import { splitSections } from "../../text/markdown/sections.ts";
import { isoTime } from "../../time.ts";
import { overLimitBytes } from "../analysis/limits.ts";
import type { MemoryFile } from "../memory-file.ts";
import type { HeldChange, PlannedEdit } from "../plan.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type Draft, draftEdit } from "./draft.ts";
import type { EditsContext } from "./edits-context.ts";
import { freeArchiveName } from "./free-archive-name.ts";
import { leaveSafely } from "./leaving/leave-safely.ts";
import { type LineRange, plannedRange, savedBytes, startOf } from "./line-ranges.ts";
import { chooseMoves } from "./moving/choose-moves.ts";
import { findMovable, RECENT_DAYS } from "./moving/find-movable.ts";
import { type Mentions, watchMentions } from "./moving/last-use.ts";

export interface Moves {
  readonly ranges: readonly LineRange[];
  /** Given what leaves the file before. Undefined where nothing moves. */
  readonly draft: ((before: readonly LineRange[]) => Draft<PlannedEdit>) | undefined;
  readonly held: readonly HeldChange[];
}

const DEEPEST = 3;
const LARGEST = 3;

/** Watches for what the notes say of sections that may have to move; undefined where none may. */
export function watchMoves(file: MemoryFile | undefined, { maxMemoryKb, now }: Limits): Mentions | undefined {
  if (file === undefined || overLimitBytes(file.bytes.length, maxMemoryKb) === 0) return undefined;
  const { sections } = findMovable(file, now, new Set());
  return sections.length === 0 ? undefined : watchMentions(file, sections);
}

type Limits = Pick<EditsContext, "maxMemoryKb" | "now">;

/** `tidied`: what leaves the file anyway. Nothing where the file is at or below its limit without. */
export async function planMoves(
  workspace: Workspace,
  file: MemoryFile,
  tidied: readonly LineRange[],
  context: EditsContext,
): Promise<Moves> {
  const { maxMemoryKb, now, count, move } = context;
  const size = file.bytes.length - bytesOf(file, tidied);
  const excess = overLimitBytes(size, maxMemoryKb);
  if (excess === 0) return { ranges: [], draft: undefined, held: [] };
  if (file.encoding !== "utf-8")
    return { ranges: [], draft: undefined, held: [heldOf(file, { left: excess }, [], context), heldAsNotUtf8(file)] };
  const day = isoTime(now).slice(0, "2031-02-03".length);
  const movedTo = await freeArchiveName(workspace, `${stemOf(file.file)}.${day}`, ".md");
  const { sections: found, recent } = findMovable(file, now, linesThatStay(file, context));
  const uses = context.mentions?.lastUses(found) ?? [];
  const order = [...found.keys()].sort((a, b) => compare(uses[a], uses[b]) || a - b);
  const byUse = order.flatMap((index) => found[index] ?? []);
  const chosen = chooseMoves(file, byUse, {
    day,
    movedTo,
    excess,
    goneAnyway: (range) => bytesWithin(file, tidied, range),
  });
  const { ranges } = leaveSafely(file, chosen);
  const saved = bytesOf(file, ranges) - ranges.reduce((sum, range) => sum + bytesWithin(file, tidied, range), 0);
  const left = excess - saved;
  const over = move ? { left } : { left: excess, saved };
  // What is recent matters where the rest does not suffice.
  const held = move && left <= 0 ? [] : [heldOf(file, { ...over, recent: left > 0 ? recent : 0 }, ranges, context)];
  if (ranges.length === 0) return { ranges, draft: undefined, held };
  const reason = reasonOf(ranges.length, size - saved, context);
  const draft = (before: readonly LineRange[]) => ({
    ...draftEdit(file, count, { kind: "move_sections", apply: move, reason, ranges, before }),
    moved_to: movedTo,
  });
  return { ranges, draft, held };
}

function reasonOf(sections: number, size: number, { maxMemoryKb, move }: EditsContext): string {
  const [what, them] = sections === 1 ? ["this entry of its log is", "it"] : ["these entries of its log are", "them"];
  const brings = `${size.toLocaleString("en-US")} bytes`;
  return `The file is over ${maxMemoryKb} KB, and ${what} used least: without ${them} it ${move ? "has" : "would have"} ${brings}.`;
}

function heldAsNotUtf8({ file }: MemoryFile): HeldChange {
  return {
    file,
    code: "not_utf8",
    message: "No section can move: the line in its place would be UTF-8, and the file is not.",
  };
}

/** Sections by which a note was shortened in this plan. */
function linesThatStay(file: MemoryFile, { removals }: EditsContext): ReadonlySet<number> {
  const places = removals.flatMap(({ held_by = [] }) => held_by);
  return new Set(places.flatMap((place) => (place.file === file.file ? [place.line_from - 1] : [])));
}

interface Over {
  /** Bytes over the limit. */
  readonly left: number;
  /** That the proposed ranges would save. */
  readonly saved?: number;
  readonly recent?: number;
}

/** How far it is over, and what would bring it under. */
function heldOf(
  file: MemoryFile,
  { left, saved = 0, recent = 0 }: Over,
  ranges: readonly LineRange[],
  context: EditsContext,
): HeldChange {
  const sentences = [`The file is ${left.toLocaleString("en-US")} bytes over ${context.maxMemoryKb} KB.`];
  if (ranges.length > 0 && saved > 0) {
    const entries = ranges.length === 1 ? "1 entry" : `${ranges.length.toLocaleString("en-US")} entries`;
    sentences.push(`Moving ${entries} of its log would take ${saved.toLocaleString("en-US")} bytes out.`);
  }
  if (recent > 0) sentences.push(`The last ${RECENT_DAYS} days of its log never move.`);
  const staying = largestSections(file, ranges);
  if (staying.length > 0) sentences.push(`The largest sections that stay: ${staying.join("; ")}.`);
  return { file: file.file, code: "still_over_limit", message: sentences.join(" ") };
}

function largestSections(file: MemoryFile, ranges: readonly LineRange[]): readonly string[] {
  return splitSections(file.outline, file.lines.length, DEEPEST)
    .filter(({ from }) => !ranges.some((range) => from >= range.from && from < range.to))
    .map(({ heading, from, to }) => ({
      name: heading?.text ?? "the beginning",
      bytes: startOf(file, to) - startOf(file, from),
    }))
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, LARGEST)
    .map(({ name, bytes }) => `${name} (${bytes.toLocaleString("en-US")} bytes)`);
}

function bytesOf(file: MemoryFile, ranges: readonly LineRange[]): number {
  return savedBytes(ranges.map((range) => plannedRange(file, range)));
}

function bytesWithin(file: MemoryFile, tidied: readonly LineRange[], { from, to }: LineRange): number {
  return bytesOf(
    file,
    tidied.filter((range) => range.from >= from && range.to <= to),
  );
}

function stemOf(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1).replace(/\.[^.]{1,20}$/, "");
}

function compare(a = "", b = ""): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

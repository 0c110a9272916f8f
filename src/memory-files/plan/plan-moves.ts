// Which sections of the main memory file move to an archive file so that it comes under its limit, and what is said where it
// does not.
import { figure } from "../../text/figures.ts";
import { compareTexts } from "../../text/words.ts";
import { isoTime } from "../../time.ts";
import { createPacer, runInTurns } from "../../tokens/stepwise.ts";
import { createRedundancyFinder } from "../analysis/redundancy.ts";
import { sectionsOf } from "../analysis/section-report.ts";
import type { CrossFileIssue, MemoryAnalysis, RedundantSection } from "../analysis.ts";
import type { TakenSoFar } from "../journal/journal-files.ts";
import type { Lever, PlanOptions } from "../options.ts";
import { overLimitBytes } from "../options.ts";
import type { HeldChange, PlannedEdit, PlannedRange } from "../plan.ts";
import { linesIn, without } from "../splice.ts";
import { readMemoryFile } from "../workspace/read-memory-file.ts";
import type { MemoryFile, Workspace } from "../workspace.ts";
import { type Draft, draftEdit, type LineRange, savedBytes, startOf } from "./drafts.ts";
import { findMovable, type Movable, RECENT_DAYS, STAY_REASONS, type StayReason } from "./movable-sections.ts";
import { archiveNameFor, pointerLines } from "./pointers.ts";
import { leaveSafely } from "./safe-ranges.ts";

/** What the planners work with besides the files. */
export interface PlanContext extends PlanOptions {
  readonly maxMemoryKb: number;
  readonly aggressive: boolean;
  readonly moreThanHalf: boolean;
  readonly levers: ReadonlySet<Lever>;
  readonly taken: TakenSoFar;
  /** SHA-256 of the files as they were analysed, by name. */
  readonly hashes: ReadonlyMap<string, string>;
}

interface Moves {
  readonly ranges: readonly LineRange[];
  /** Given what leaves the file before. Undefined where nothing moves. */
  readonly draft?: (before: readonly LineRange[]) => Draft<PlannedEdit>;
  readonly held: readonly HeldChange[];
  /** Why each section that no range takes stays, by the line of its heading; empty where none has to move. */
  readonly stays: ReadonlyMap<number, StayReason>;
}

const LARGEST = 3;
const NO_REASONS: ReadonlyMap<number, StayReason> = new Map();

/**
 * Without the lever `move` they are only proposed. `tidied`: what leaves the file anyway; `removals`: what leaves the notes.
 * Nothing where the file is at or below its limit without.
 */
export async function planMoves(
  workspace: Workspace,
  file: MemoryFile,
  tidied: readonly LineRange[],
  removals: readonly Draft<PlannedEdit>[],
  context: PlanContext,
): Promise<Moves> {
  const { maxMemoryKb, now, count } = context;
  const move = context.levers.has("move");
  const size = file.bytes.length - savedBytes(file, tidied);
  const excess = overLimitBytes(size, maxMemoryKb);
  if (excess === 0) return { ranges: [], held: [], stays: NO_REASONS };
  if (file.encoding !== "utf-8") {
    const message = "No section can move: the line in its place would be UTF-8, and the file is not.";
    const notUtf8 = { file: file.file, code: "not_utf8", message };
    return { ranges: [], held: [heldOf(file, { left: excess }, [], maxMemoryKb), notUtf8], stays: NO_REASONS };
  }
  const day = isoTime(now).slice(0, "2031-02-03".length);
  const movedTo = await archiveNameFor(workspace, file.file, day);
  const { sections: found, stays: why } = findMovable(file, now, linesThatStay(file, removals));
  const byDate = found.toSorted((a, b) => compareTexts(a.date, b.date));
  // What of a range leaves the file anyway is not saved by moving it.
  const savedBy = (ranges: readonly LineRange[]) => {
    const anyway = tidied.filter((gone) => ranges.some(({ from, to }) => gone.from >= from && gone.to <= to));
    return savedBytes(file, ranges) - savedBytes(file, anyway);
  };
  const { ranges } = leaveSafely(file, chooseMoves(file, byDate, { day, movedTo, excess, savedBy }));
  const spared = found.filter(({ from }) => !ranges.some((range) => from >= range.from && from < range.to));
  const stays = new Map([...why, ...spared.map(({ from }) => [from, "enough"] as const)]);
  const recent = [...why.values()].filter((reason) => reason === "recent").length;
  const saved = savedBy(ranges);
  const left = excess - saved;
  const over = move ? { left } : { left: excess, saved };
  // Recent entries are only mentioned when moving the older ones is not enough.
  const held =
    move && left <= 0 ? [] : [heldOf(file, { ...over, recent: left > 0 ? recent : 0, stays }, ranges, maxMemoryKb)];
  if (ranges.length === 0) return { ranges, held, stays };
  const [what, them] =
    ranges.length === 1 ? ["this entry of its log is", "it"] : ["these entries of its log are", "them"];
  const brings = `it ${move ? "has" : "would have"} ${figure(size - saved)} bytes`;
  const reason = `The file is over ${maxMemoryKb} KB, and ${what} the oldest: without ${them} ${brings}.`;
  const draft = (before: readonly LineRange[]) => ({
    ...draftEdit(file, count, { kind: "move_sections", apply: move, reason, ranges, before }),
    moved_to: movedTo,
  });
  return { ranges, draft, held, stays };
}

/** Sections by which a note was shortened in this plan. */
function linesThatStay(file: MemoryFile, removals: readonly Draft<PlannedEdit>[]): ReadonlySet<number> {
  const places = removals.flatMap(({ held_by = [] }) => held_by);
  return new Set(places.flatMap((place) => (place.file === file.file ? [place.line_from - 1] : [])));
}

interface Over {
  /** Bytes over the limit. */
  readonly left: number;
  /** That the proposed ranges would save. */
  readonly saved?: number;
  readonly recent?: number;
  readonly stays?: ReadonlyMap<number, StayReason>;
}

/** How far it is over, and what would bring it under. */
function heldOf(
  file: MemoryFile,
  { left, saved = 0, recent = 0, stays = NO_REASONS }: Over,
  ranges: readonly LineRange[],
  maxMemoryKb: number,
): HeldChange {
  const sentences = [`The file is ${figure(left)} bytes over ${maxMemoryKb} KB.`];
  if (ranges.length > 0 && saved > 0) {
    const entries = ranges.length === 1 ? "1 entry" : `${figure(ranges.length)} entries`;
    sentences.push(`Moving ${entries} of its log would take ${figure(saved)} bytes out.`);
  }
  if (recent > 0) sentences.push(`The last ${RECENT_DAYS} days of its log never move.`);
  const staying = largestSections(file, ranges, stays);
  if (staying.length > 0) sentences.push(`The largest sections that stay: ${staying.join("; ")}.`);
  return { file: file.file, code: "still_over_limit", message: sentences.join(" ") };
}

function largestSections(
  file: MemoryFile,
  ranges: readonly LineRange[],
  stays: ReadonlyMap<number, StayReason>,
): readonly string[] {
  return sectionsOf(file)
    .filter(({ from }) => !ranges.some((range) => from >= range.from && from < range.to))
    .map(({ heading, from, to }) => ({
      name: heading?.text ?? "the beginning",
      why: STAY_REASONS[stays.get(from) ?? "lasting"],
      bytes: startOf(file, to) - startOf(file, from),
    }))
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, LARGEST)
    .map(({ name, bytes, why }) => `${name} (${figure(bytes)} bytes, ${why})`);
}

// How many of the oldest sections move so that a file comes under its limit, and what comes in their place. Neighbours
// share one pointer.

interface MoveTarget {
  readonly day: string;
  readonly movedTo: string;
  /** Bytes that have to go. */
  readonly excess: number;
  /** Bytes by which moving these ranges shortens the file. */
  readonly savedBy: (ranges: readonly LineRange[]) => number;
}

/** `byDate`: the oldest first. As few as suffice; all that help where none do. In the order in which they stand. */
function chooseMoves(file: MemoryFile, byDate: readonly Movable[], target: MoveTarget): readonly LineRange[] {
  const saves = (count: number) => target.savedBy(rangesFor(file, byDate.slice(0, count), target));
  let [low, high] = [0, byDate.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (saves(middle) >= target.excess) high = middle;
    else low = middle + 1;
  }
  // A group that is hardly longer than its pointer stays.
  const kept: LineRange[] = [];
  let group: LineRange[] = [];
  for (const range of rangesFor(file, byDate.slice(0, low), target)) {
    group.push(range);
    if (range.insert === undefined) continue;
    if (target.savedBy(group) > 0) kept.push(...group);
    group = [];
  }
  return kept;
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
    const pointer = pointerLines(day, movedTo, group);
    const before = from > 0 && !isBlank(from - 1) ? [""] : [];
    const after = to < lines.length && !isBlank(to) ? [""] : [];
    return group.map(({ heading, ...section }, index) => ({
      from: section.from,
      to: section.to,
      heading,
      ...(index === group.length - 1 ? { insert: [...before, ...pointer, ...after] } : {}),
    }));
  });
}

// What is redundant once sections of the memory have moved: what they contained the notes must keep, and a second run must find
// nothing. Places are given by the lines of the file as it is.

/** The analysis as it will be, but for the figures, which are those of now. */
export async function analyzeMoved(
  workspace: Workspace,
  now: MemoryAnalysis,
  ranges: readonly PlannedRange[],
  context: PlanContext,
): Promise<{ readonly analysis: MemoryAnalysis; readonly held: readonly HeldChange[] }> {
  const [main, ...others] = workspace.memory;
  if (main === undefined || ranges.length === 0) return { analysis: now, held: [] };
  const after = readMemoryFile(main.file, without(main.bytes, ranges));
  if ("code" in after) return { analysis: now, held: [] };
  const memory = [after, ...others, ...workspace.imported];
  const finder = createRedundancyFinder(memory, context.now, context.count);
  const lines = linesBefore(after, ranges);
  const issues: CrossFileIssue[] = [];
  const contained: RedundantSection[] = [];
  const pacer = createPacer();
  for await (const note of workspace.readNotes(() => undefined)) {
    const found = await runInTurns(finder.find(note), { pacer, signal: context.signal });
    issues.push(...found.issues.map((issue) => atPlaceBefore(issue, main.file, lines)));
    contained.push(...found.contained.map((section) => atPlaceBefore(section, main.file, lines)));
  }
  return {
    analysis: { ...now, cross_file_issues: issues, contained_sections: contained },
    held: heldByMoved(now.cross_file_issues, issues),
  };
}

/** For each line of `after` the line in which it stands now, both counted from 1. */
function linesBefore(after: MemoryFile, ranges: readonly PlannedRange[]): readonly number[] {
  const lines: number[] = [];
  let line = 1;
  for (const { line_from, line_to, insert = "" } of ranges) {
    for (; line < line_from; line += 1) lines.push(line);
    // A pointer says nothing that a note could be held by.
    for (const _ of linesIn(insert)) lines.push(line_from);
    line = line_to + 1;
  }
  for (; lines.length < after.lines.length; line += 1) lines.push(line);
  return lines;
}

function atPlaceBefore<Section extends RedundantSection>(
  section: Section,
  file: string,
  lines: readonly number[],
): Section {
  const place = section.memory_section;
  if (place === undefined || place.file !== file) return section;
  return { ...section, memory_section: { ...place, line_from: lines[place.line_from - 1] ?? place.line_from } };
}

function heldByMoved(now: readonly CrossFileIssue[], after: readonly CrossFileIssue[]): readonly HeldChange[] {
  const keyOf = ({ file, line_from }: CrossFileIssue) => `${file}:${line_from}`;
  const leaving = new Set(after.filter(({ removable, severity }) => removable && severity === "high").map(keyOf));
  const message = "It stays, since the section of the memory that says the same moves to the archive.";
  return now
    .filter((issue) => issue.severity === "high" && issue.removable && !leaving.has(keyOf(issue)))
    .map(({ file, section }) => ({ file, section, code: "moves", message }));
}

// Which sections of the main memory file move to an archive file so that it comes under its limit, and what is said where it
// does not.
import { splitSections } from "../../text/markdown/outline.ts";
import { compareTexts } from "../../text/words.ts";
import { isoTime } from "../../time.ts";
import { createPacer } from "../../tokens/stepwise.ts";
import { overLimitBytes } from "../analysis/file-report.ts";
import { createRedundancyFinder } from "../analysis/redundancy.ts";
import type { CrossFileIssue, MemoryAnalysis, RedundantSection } from "../analysis.ts";
import { type AnalysisSettings, type AnalyzedWorkspace, withPauses } from "../analyze-memory-files.ts";
import type { TakenSoFar } from "../journal/journal-files.ts";
import type { HeldChange, PlannedEdit, PlannedRange } from "../plan.ts";
import { without } from "../splice.ts";
import { isUnread, readMemoryFile } from "../workspace/read-memory-file.ts";
import type { MemoryFile, Workspace } from "../workspace.ts";
import { type Draft, draftEdit, type LineRange, plannedRange, savedBytes, startOf } from "./drafts.ts";
import { type Mentions, watchMentions } from "./last-use.ts";
import { findMovable, type Movable, RECENT_DAYS } from "./movable-sections.ts";
import { freeArchiveName, pointerLine } from "./pointers.ts";
import { leaveSafely } from "./safe-ranges.ts";

interface Moves {
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
  const order = [...found.keys()].sort((a, b) => compareTexts(uses[a] ?? "", uses[b] ?? "") || a - b);
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

// What the edits of memory files depend on besides the files.

export interface EditsContext {
  readonly now: number;
  readonly count: (text: string) => number;
  readonly aggressive: boolean;
  readonly moreThanHalf: boolean;
  readonly taken: TakenSoFar;
  /** Sections move; else they are only proposed to. */
  readonly move: boolean;
  readonly maxMemoryKb: number;
  /** What the notes say of the sections of the main file; undefined where none of them may move. */
  readonly mentions: Mentions | undefined;
  /** What leaves the notes, and which places of the memory hold it. */
  readonly removals: readonly Draft<PlannedEdit>[];
  readonly signal?: AbortSignal | undefined;
}

// How many of the least used sections move so that a file comes under its limit, and what comes in their place. Neighbours
// share one pointer.

interface MoveTarget {
  readonly day: string;
  readonly movedTo: string;
  /** Bytes that have to go. */
  readonly excess: number;
  /** Bytes of lines that leave the file anyway, by line. */
  readonly goneAnyway: (range: LineRange) => number;
}

/** `byUse`: least used first. As few as suffice; all that help where none do. In the order in which they stand. */
function chooseMoves(file: MemoryFile, byUse: readonly Movable[], target: MoveTarget): readonly LineRange[] {
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

// What is redundant once sections of the memory have moved: what they contained the notes must keep, and a second run must find
// nothing. Places are given by the lines of the file as it is.

type MovedSettings = Pick<AnalysisSettings, "now" | "count" | "signal">;

/**
 * The analysis as it will be, but for the figures, which are those of now. Only notes that may have something in common with
 * what stays are read again.
 */
export async function analyzeMoved(
  workspace: Workspace,
  { analysis: now, reach }: AnalyzedWorkspace,
  ranges: readonly PlannedRange[],
  settings: MovedSettings,
): Promise<{ readonly analysis: MemoryAnalysis; readonly held: readonly HeldChange[] }> {
  const [main, ...others] = workspace.memory;
  if (main === undefined || ranges.length === 0) return { analysis: now, held: [] };
  const after = readMemoryFile(main.file, without(main.bytes, ranges));
  if (isUnread(after)) return { analysis: now, held: [] };
  const memory = [after, ...others, ...workspace.imported];
  const finder = createRedundancyFinder(memory, settings.now, settings.count);
  const near = workspace.notes.filter(({ file }) => reach.mayMatch(file, finder.tokens));
  const lines = linesBefore(main, after, ranges);
  const issues: CrossFileIssue[] = [];
  const contained: RedundantSection[] = [];
  const pacer = createPacer();
  for (const { file, date } of near) {
    const note = await workspace.read(file);
    if (note === undefined) continue;
    const found = await withPauses(finder.find({ ...note, date }), pacer, settings);
    issues.push(...found.issues.map((issue) => atPlaceBefore(issue, main.file, lines)));
    contained.push(...found.contained.map((section) => atPlaceBefore(section, main.file, lines)));
  }
  return {
    analysis: { ...now, cross_file_issues: issues, contained_sections: contained },
    held: heldByMoved(now.cross_file_issues, issues),
  };
}

/** For each line of `after` the line in which it stands now, both counted from 1. */
function linesBefore(main: MemoryFile, after: MemoryFile, ranges: readonly PlannedRange[]): readonly number[] {
  const lines: number[] = [];
  let [line, range] = [1, 0];
  while (lines.length < after.lines.length && line <= main.lines.length + 1) {
    const next = ranges[range];
    if (next === undefined || line < next.line_from) {
      lines.push(line);
      line += 1;
      continue;
    }
    // A pointer says nothing that a note could be held by.
    const inserted = (next.insert ?? "").split(/\r\n|\n|\r/);
    if (inserted.at(-1) === "") inserted.pop();
    for (const _ of inserted) lines.push(next.line_from);
    line = next.line_to + 1;
    range += 1;
  }
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

// Plans a compaction of memory files: what leaves which file, why, and what that comes to. Reads only. What is redundant the
// analysis decides, and each planner what may be done about it; this puts them in order and adds them up.
import { attempt, clockOf, emitDone } from "../engine/attempt.ts";
import { findDates } from "../language/dates.ts";
import { plural } from "../text/figures.ts";
import { compareTexts, groupBy } from "../text/words.ts";
import { isoTime } from "../time.ts";
import { startWatch, type Times } from "../trace/emit.ts";
import { sectionsOf } from "./analysis/section-report.ts";
import type { MemoryAnalysis, SectionReport } from "./analysis.ts";
import { analyzeWorkspace } from "./analyze-memory-files.ts";
import { isOver } from "./dates.ts";
import { readTaken } from "./journal/journal-files.ts";
import type { PlanOptions, PlanRequest } from "./options.ts";
import { overLimitBytes, readMaxMemoryKb } from "./options.ts";
import { removableLines, withinHalf } from "./plan/dedupe-lines.ts";
import { type Draft, type Drafts, draftEdit, join, type LineRange, rangesOfLines } from "./plan/drafts.ts";
import type { StayReason } from "./plan/movable-sections.ts";
import { planDigests } from "./plan/plan-digests.ts";
import { analyzeMoved, type PlanContext, planMoves } from "./plan/plan-moves.ts";
import { planNotes } from "./plan/plan-notes.ts";
import { leaveSafely } from "./plan/safe-ranges.ts";
import { collapseSeries } from "./plan/series.ts";
import {
  type HeldChange,
  MEMORY_FILES,
  type MemoryFilesPlan,
  type PlannedChange,
  type PlannedEdit,
  sealPlan,
} from "./plan.ts";
import { openWorkspace } from "./workspace/open-workspace.ts";
import type { MemoryFile, Workspace } from "./workspace.ts";

export interface PlannedCompaction {
  readonly plan: MemoryFilesPlan;
  readonly analysis: MemoryAnalysis;
}

/**
 * Plain data for `applyMemoryFilesCompaction`, and the analysis that it is made from; nothing is written.
 * @throws InvalidInput for a request that makes no sense; NotFound; StoreFailed; SummarizationFailed under the lever
 * `digest`; the signal's reason.
 */
export function planMemoryFilesCompaction(request: PlanRequest, options: PlanOptions): Promise<PlannedCompaction> {
  return attempt(MEMORY_FILES, options, () => makePlan(request, options));
}

/** Emits what it planned, but no failure: for those who emit their own. */
export async function makePlan(request: PlanRequest, options: PlanOptions): Promise<PlannedCompaction> {
  const watch = startWatch(clockOf(options));
  const maxMemoryKb = readMaxMemoryKb(request.maxMemoryKb);
  const workspace = await openWorkspace(request);
  const { now } = options;
  const { analysis, hashes } = await analyzeWorkspace(workspace, { ...options, maxMemoryKb });
  const { changes, held, stays } = await planChanges(workspace, analysis, {
    ...options,
    maxMemoryKb,
    hashes,
    taken: await readTaken(workspace, hashes),
    aggressive: request.aggressive === true,
    moreThanHalf: request.moreThanHalf === true,
    levers: new Set(request.levers),
  });
  const after = memorySizeAfter(analysis, changes);
  const plan = sealPlan({
    created_at: isoTime(now),
    workspace: workspace.real,
    options: {
      aggressive: request.aggressive === true,
      max_memory_kb: maxMemoryKb,
      ...(request.memoryFile === undefined ? {} : { memory_file: request.memoryFile }),
      ...(request.notesGlob === undefined ? {} : { notes_glob: request.notesGlob }),
    },
    changes,
    held,
    memory_size_before: analysis.memory_size,
    memory_size_after: after,
    over_limit_bytes: overLimitBytes(after, maxMemoryKb),
    totals: totalsOf(changes),
  });
  emitPlanned(plan, analysis, watch(), options);
  return {
    plan,
    analysis: { ...analysis, sections: analysis.sections.map((each) => withReason(each, stays, analysis)) },
  };
}

function withReason(section: SectionReport, stays: Reasons, { memory_file }: MemoryAnalysis): SectionReport {
  const why = section.file === memory_file ? stays.get(section.line_from - 1) : undefined;
  return why === undefined ? section : { ...section, stays_because: why };
}

type Reasons = ReadonlyMap<number, StayReason>;

interface Planned {
  readonly changes: readonly PlannedChange[];
  readonly held: readonly HeldChange[];
  /** Of sections of the main memory file. */
  readonly stays: Reasons;
}

/** Memory files first, as they come; then what is of notes, by name. */
async function planChanges(workspace: Workspace, analysis: MemoryAnalysis, context: PlanContext): Promise<Planned> {
  const digests = context.levers.has("digest") ? await planDigests(workspace, context) : undefined;
  const inDigests = new Set(digests?.changes.flatMap(({ notes }) => notes));
  const { ofMemory, ofNotes } = context.levers.has("move")
    ? await movingFirst(workspace, analysis, inDigests, context)
    : await removingFirst(workspace, analysis, inDigests, context);
  // Stable, so what is to be applied stays before what is proposed for the same file.
  const others = [...ofNotes.changes, ...(digests?.changes ?? [])].sort((a, b) => compareTexts(a.file, b.file));
  return {
    changes: [...ofMemory.changes, ...others].map((change, index) => ({ ...change, id: index + 1 })),
    held: [...ofMemory.held, ...ofNotes.held, ...(digests?.held ?? digestsAvailable(analysis, context.now))],
    stays: ofMemory.stays,
  };
}

type Digested = ReadonlySet<string>;

/** What moves the memory contains no more, so the notes are compared with what stays of it. */
async function movingFirst(workspace: Workspace, now: MemoryAnalysis, inDigests: Digested, context: PlanContext) {
  const ofMemory = await planMemoryEdits(workspace, [], context);
  const ranges = ofMemory.changes.flatMap((change) => (change.kind === "move_sections" ? change.ranges : []));
  const { analysis, held } = await analyzeMoved(workspace, now, ranges, context);
  const ofNotes = await planNotes(workspace, analysis, inDigests, context);
  return { ofMemory, ofNotes: join(ofNotes, { changes: [], held }) };
}

/** What a note loses must stay in the memory, even if a person then chooses to apply what is only proposed. */
async function removingFirst(workspace: Workspace, now: MemoryAnalysis, inDigests: Digested, context: PlanContext) {
  const ofNotes = await planNotes(workspace, now, inDigests, context);
  const removals = ofNotes.changes.flatMap((change) => (change.kind === "remove_sections" ? [change] : []));
  return { ofMemory: await planMemoryEdits(workspace, removals, context), ofNotes };
}

function emitPlanned(
  { changes, totals }: MemoryFilesPlan,
  { secrets }: MemoryAnalysis,
  times: Times,
  options: PlanOptions,
): void {
  const ids = [...new Set(changes.filter(({ apply }) => apply).map(({ file }) => file))];
  const counts = {
    ...totals,
    proposed: changes.filter(({ apply }) => !apply).length,
    ...(secrets.length === 0 ? {} : { secrets: secrets.length }),
  };
  emitDone("compact.plan", MEMORY_FILES, { ids, counts }, options, times);
}

// What becomes of the memory files themselves: repeated lines leave them, and sections of the main one move until it is
// under its limit. Files that they take in are never edited.

async function planMemoryEdits(
  workspace: Workspace,
  removals: readonly Draft<PlannedEdit>[],
  context: PlanContext,
): Promise<Drafts & { readonly stays: Reasons }> {
  const move = context.levers.has("move");
  const all: Drafts[] = [];
  let stays: Reasons = new Map();
  for (const [index, file] of workspace.memory.entries()) {
    context.signal?.throwIfAborted();
    const due = context.aggressive ? removableLines(file) : [];
    const within = (lines: readonly number[]) =>
      context.moreThanHalf ? lines : withinHalf(file, lines, context.taken(file.file));
    // Series wait until what stands twice has left.
    const rangesWithin = (lines: readonly number[], moved: readonly LineRange[]): readonly LineRange[] => {
      const leaving = within(lines);
      if (!context.aggressive || leaving.length < lines.length) return rangesOfLines(leaving);
      const isMoved = (line: number) => moved.some(({ from, to }) => line >= from && line < to);
      const series = collapseSeries(file, lines, isMoved, context.now);
      const all = [...lines, ...series.lines.filter((line) => !isMoved(line))].sort((a, b) => a - b);
      return within(all).length < all.length ? rangesOfLines(leaving) : rangesOfLines(all, series.written);
    };
    const before = move ? rangesOfLines(within(due)) : rangesWithin(due, []);
    const moves = index === 0 ? await planMoves(workspace, file, before, removals, context) : undefined;
    const moved = move ? (moves?.ranges ?? []) : [];
    const staying = due.filter((line) => !moved.some(({ from, to }) => line >= from && line < to));
    const tidied = besides(file, moved, rangesWithin(staying, moved));
    all.push({ changes: [], held: daysTwice(file) });
    all.push(draftDedupe(file, tidied, staying.length - within(staying).length, context));
    if (moves === undefined) continue;
    stays = moves.stays;
    all.push({ changes: moves.draft === undefined ? [] : [moves.draft(move ? tidied : [])], held: moves.held });
  }
  return { ...join(...all), stays };
}

/** Lines that leave a file of which other sections move: none where the two together would change what the rest means. */
function besides(file: MemoryFile, moved: readonly LineRange[], tidied: readonly LineRange[]): readonly LineRange[] {
  if (moved.length === 0 || tidied.length === 0) return tidied;
  const all = [...moved, ...tidied].sort((left, right) => left.from - right.from);
  const { ranges } = leaveSafely(file, all);
  return ranges.length === all.length && ranges.every((range, index) => range === all[index]) ? tidied : [];
}

function draftDedupe(file: MemoryFile, ranges: readonly LineRange[], left: number, { count }: PlanContext): Drafts {
  const held: HeldChange = {
    file: file.file,
    code: "more_than_half",
    message: `${plural(left, "more line")} could leave, but no more than half of a file does, earlier runs counted.`,
  };
  const reason = tidyReason(ranges);
  const changes = ranges.length === 0 ? [] : [draftEdit(file, count, { kind: "tidy", apply: true, reason, ranges })];
  return { changes, held: left === 0 ? [] : [held] };
}

function tidyReason(ranges: readonly LineRange[]): string {
  const series = ranges.filter(({ insert }) => insert !== undefined).length;
  const lines = ranges.reduce((sum, { from, to }) => sum + to - from, 0) - series;
  if (series === 0)
    return `${lines === 1 ? "This line is blank or stands" : "These lines are blank or stand"} in the same section already.`;
  return `${plural(lines, "line is", "lines are")} blank, in the same section already, or of ${plural(series, "series", "series")} of which the last line stays, with its count.`;
}

/** Two sections of one day under one heading: what stands between them decides how they are one, so it is only said. */
function daysTwice(file: MemoryFile): readonly HeldChange[] {
  const above: string[] = [];
  const groups = groupBy(sectionsOf(file), ({ heading, from }) => {
    const { level = 0, text = "" } = heading ?? {};
    above.splice(level);
    above[level] = `${from}`;
    return findDates(text).length === 0
      ? `${from}`
      : `${text.trim().toLowerCase()}\n${above.slice(0, level).join(" ")}`;
  });
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first?.heading === undefined || group.length < 2) return [];
    const lines = group.map(({ from }) => from + 1).join(", ");
    const message = `${plural(group.length, "section")} have this heading, at the lines ${lines}: one would do.`;
    return [{ file: file.file, section: first.heading.text, code: "same_date", message }];
  });
}

// Says that notes of past months may become digests. Writing them only to propose it would cost what the proposal is to
// save, so they are counted; a month may yet turn out not to be worth one.

const MONTH = "2031-02".length;

/** Of the notes that could be read. */
function digestsAvailable({ notes }: MemoryAnalysis, now: number): readonly HeldChange[] {
  const months = groupBy(notes, ({ date }) => date?.slice(0, MONTH));
  const several = [...months].filter(([month, each]) => month !== undefined && isOver(month, now) && each.length > 1);
  if (several.length === 0) return [];
  const count = several.reduce((sum, [, each]) => sum + each.length, 0);
  const message = `${plural(count, "note")} of ${plural(several.length, "past month")} may become ${plural(several.length, "digest")}.`;
  const first = notes.find(({ date }) => date !== undefined)?.file ?? "";
  return [{ file: first, code: "digest_available", message }];
}

// What the changes of a plan come to. Of several edits of one file each begins where the last ended, so a file counts once.

/** Of those that are to be applied. */
function totalsOf(all: readonly PlannedChange[]): MemoryFilesPlan["totals"] {
  const changes = all.filter(({ apply }) => apply);
  const byFile = [...groupBy(changes, ({ file }) => file).values()];
  const sum = (figure: (changes: readonly PlannedChange[]) => number | undefined) =>
    byFile.reduce((total, each) => total + (figure(each) ?? 0), 0);
  return {
    changes: changes.length,
    files: new Set(changes.flatMap((change) => (change.kind === "digest" ? change.notes : [change.file]))).size,
    bytes_before: sum(([first]) => first?.bytes_before),
    bytes_after: sum((each) => each.at(-1)?.bytes_after),
    tokens_before: sum(([first]) => first?.tokens_before),
    tokens_after: sum((each) => each.at(-1)?.tokens_after),
  };
}

/** Of the main memory file, in bytes. */
function memorySizeAfter({ memory_file, memory_size }: MemoryAnalysis, changes: readonly PlannedChange[]): number {
  const last = changes.findLast(({ apply, file }) => apply && file === memory_file);
  return last?.bytes_after ?? memory_size;
}

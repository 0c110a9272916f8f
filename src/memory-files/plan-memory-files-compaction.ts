// Plans a compaction of memory files: what leaves which file, why, and what that comes to. Reads only. What is redundant the
// analysis decides, and each planner what may be done about it; this puts them in order and adds them up.
import { attempt, clockOf, emitDone } from "../engine/attempt.ts";
import { compareTexts } from "../text/words.ts";
import { isoTime } from "../time.ts";
import { startWatch, type Times } from "../trace/emit.ts";
import { overLimitBytes, readMaxMemoryKb } from "./analysis/file-report.ts";
import type { MemoryAnalysis } from "./analysis.ts";
import { type AnalyzedWorkspace, analyzeWorkspace } from "./analyze-memory-files.ts";
import { isOver } from "./dates.ts";
import { readTaken } from "./journal/journal-files.ts";
import type { Lever, PlanOptions, PlanRequest } from "./options.ts";
import { removableLines, withinHalf } from "./plan/dedupe-lines.ts";
import { type Drafts, draftEdit, join, type LineRange, plural, rangesOfLines } from "./plan/drafts.ts";
import { planDigests } from "./plan/plan-digests.ts";
import { analyzeMoved, type EditsContext, planMoves, watchMoves } from "./plan/plan-moves.ts";
import { type NotesContext, planNotes } from "./plan/plan-notes.ts";
import { leaveSafely } from "./plan/safe-ranges.ts";
import { type HeldChange, MEMORY_FILES, type MemoryFilesPlan, type PlannedChange, sealPlan } from "./plan.ts";
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
  const { now, count, findSecrets, signal } = options;
  const mentions = watchMoves(workspace.memory[0], { maxMemoryKb, now });
  const onNote = mentions?.add;
  const analyzed = await analyzeWorkspace(workspace, { maxMemoryKb, now, count, findSecrets, signal, onNote });
  const { analysis } = analyzed;
  const { changes, held } = await planChanges(workspace, analyzed, request, { ...options, maxMemoryKb, mentions });
  const after = memorySizeAfter(analysis, changes);
  const plan = sealPlan({
    created_at: isoTime(now),
    workspace: workspace.root,
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
  return { plan, analysis };
}

interface Planned {
  readonly changes: readonly PlannedChange[];
  readonly held: readonly HeldChange[];
}

/** Memory files first, as they come; then what is of notes, by name. */
async function planChanges(
  workspace: Workspace,
  analyzed: AnalyzedWorkspace,
  request: PlanRequest,
  options: PlanOptions & Pick<EditsContext, "maxMemoryKb" | "mentions">,
): Promise<Planned> {
  const { hashes } = analyzed;
  const levers = new Set<Lever>(request.levers ?? []);
  const moreThanHalf = request.moreThanHalf === true;
  const digests = levers.has("digest") ? await digestsOf(workspace, hashes, options) : undefined;
  const inDigests = new Set(digests?.changes.flatMap(({ notes }) => notes) ?? []);
  const taken = await readTaken(workspace, hashes);
  const notes = { ...options, moreThanHalf, taken, contained: levers.has("contained"), hashes, inDigests };
  const edits = { ...options, aggressive: request.aggressive === true, moreThanHalf, taken };
  const { ofMemory, ofNotes } = levers.has("move")
    ? await movingFirst(workspace, analyzed, edits, notes)
    : await removingFirst(workspace, analyzed.analysis, edits, notes);
  const others = [...ofNotes.changes, ...(digests?.changes ?? [])].sort((a, b) => compareTexts(a.file, b.file));
  return {
    changes: [...ofMemory.changes, ...others].map((change, index) => ({ ...change, id: index + 1 })),
    held: [...ofMemory.held, ...ofNotes.held, ...(digests?.held ?? digestsAvailable(analyzed.analysis, options.now))],
  };
}

type Edits = Omit<EditsContext, "move" | "removals">;

/** What moves the memory contains no more, so the notes are compared with what stays of it. */
async function movingFirst(workspace: Workspace, now: AnalyzedWorkspace, edits: Edits, notes: NotesContext) {
  const ofMemory = await planMemoryEdits(workspace, { ...edits, move: true, removals: [] });
  const ranges = ofMemory.changes.flatMap((change) => (change.kind === "move_sections" ? change.ranges : []));
  const { analysis, held } = await analyzeMoved(workspace, now, ranges, edits);
  const ofNotes = await planNotes(workspace, analysis, notes);
  return { ofMemory, ofNotes: { changes: ofNotes.changes, held: [...ofNotes.held, ...held] } };
}

/** What a note loses must stay in the memory, even if a person then chooses to apply what is only proposed. */
async function removingFirst(workspace: Workspace, analysis: MemoryAnalysis, edits: Edits, notes: NotesContext) {
  const ofNotes = await planNotes(workspace, analysis, notes);
  const removals = ofNotes.changes.flatMap((change) => (change.kind === "remove_sections" ? [change] : []));
  return { ofMemory: await planMemoryEdits(workspace, { ...edits, move: false, removals }), ofNotes };
}

function digestsOf(workspace: Workspace, hashes: ReadonlyMap<string, string>, options: PlanOptions) {
  const { strategy = "brief", redact = (text: string) => text } = options;
  return planDigests(workspace, { ...options, strategy, redact, hashes, firstId: 1, apply: true });
}

/** Stable, so what is to be applied stays before what is proposed for the same file. */
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

export async function planMemoryEdits(workspace: Workspace, context: EditsContext): Promise<Drafts> {
  const all: Drafts[] = [];
  for (const [index, file] of workspace.memory.entries()) {
    context.signal?.throwIfAborted();
    const due = context.aggressive ? removableLines(file) : [];
    const within = (lines: readonly number[]) =>
      context.moreThanHalf ? lines : withinHalf(file, lines, context.taken(file.file));
    const moves = index === 0 ? await planMoves(workspace, file, rangesOfLines(within(due)), context) : undefined;
    const moved = context.move ? (moves?.ranges ?? []) : [];
    const staying = due.filter((line) => !moved.some(({ from, to }) => line >= from && line < to));
    const tidied = besides(file, moved, rangesOfLines(within(staying)));
    all.push(draftDedupe(file, tidied, staying.length - within(staying).length, context));
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

function draftDedupe(file: MemoryFile, ranges: readonly LineRange[], left: number, { count }: EditsContext): Drafts {
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

// Says that notes of past months may become digests. Writing them only to propose it would cost what the proposal is to
// save, so they are counted; a month may yet turn out not to be worth one.

const MONTH = "2031-02".length;

/** Of the notes that could be read. */
export function digestsAvailable({ notes }: MemoryAnalysis, now: number): readonly HeldChange[] {
  const months = new Map<string, number>();
  for (const { date } of notes) {
    const month = date?.slice(0, MONTH);
    if (month !== undefined && isOver(month, now)) months.set(month, (months.get(month) ?? 0) + 1);
  }
  const several = [...months.values()].filter((count) => count > 1);
  if (several.length === 0) return [];
  const count = several.reduce((sum, each) => sum + each, 0);
  const message = `${plural(count, "note")} of ${plural(several.length, "past month")} may become ${plural(several.length, "digest")}.`;
  const first = notes.find(({ date }) => date !== undefined)?.file ?? "";
  return [{ file: first, code: "digest_available", message }];
}

// What the changes of a plan come to. Of several edits of one file each begins where the last ended, so a file counts once.

/** Of those that are to be applied. */
export function totalsOf(all: readonly PlannedChange[]): MemoryFilesPlan["totals"] {
  const changes = all.filter(({ apply }) => apply);
  const firsts = new Map<string, PlannedChange>();
  const lasts = new Map<string, PlannedChange>();
  for (const change of changes) {
    if (!firsts.has(change.file)) firsts.set(change.file, change);
    lasts.set(change.file, change);
  }
  const sum = (from: ReadonlyMap<string, PlannedChange>, read: (change: PlannedChange) => number) =>
    [...from.values()].reduce((total, change) => total + read(change), 0);
  return {
    changes: changes.length,
    files: new Set(changes.flatMap((change) => (change.kind === "digest" ? change.notes : [change.file]))).size,
    bytes_before: sum(firsts, ({ bytes_before }) => bytes_before),
    bytes_after: sum(lasts, ({ bytes_after }) => bytes_after),
    tokens_before: sum(firsts, ({ tokens_before }) => tokens_before),
    tokens_after: sum(lasts, ({ tokens_after }) => tokens_after),
  };
}

/** Of the main memory file, in bytes. */
export function memorySizeAfter(
  { memory_file, memory_size }: MemoryAnalysis,
  changes: readonly PlannedChange[],
): number {
  const last = changes.findLast(({ apply, file }) => apply && file === memory_file);
  return last?.bytes_after ?? memory_size;
}

// Plans a compaction of memory files: what leaves which file, why, and what that comes to. Reads only. What is redundant the
// analysis decides, and each planner what may be done about it; this puts them in order and adds them up.
import { clockFrom, isoTime } from "../time.ts";
import { startWatch, type Times } from "../trace/watch.ts";
import { type AnalyzedWorkspace, analyzeWorkspace } from "./analysis/analyze-workspace.ts";
import { overLimitBytes, readMaxMemoryKb } from "./analysis/limits.ts";
import type { MemoryAnalysis } from "./analysis.ts";
import { planDigests } from "./digest/plan-digests.ts";
import { MEMORY_FILES_SESSION, MOST_TOLD, tellingFailure } from "./journal/tell-failure.ts";
import type { Lever, PlanOptions, PlanRequest } from "./memory-files-options.ts";
import type { HeldChange, MemoryFilesPlan, PlannedChange } from "./plan.ts";
import { digestsAvailable } from "./planning/digests-available.ts";
import type { Draft } from "./planning/draft.ts";
import type { EditsContext } from "./planning/edits-context.ts";
import { analyzeMoved } from "./planning/moving/analyze-moved.ts";
import { planMemoryEdits } from "./planning/plan-memory-edits.ts";
import { watchMoves } from "./planning/plan-moves.ts";
import { type NotesContext, planNotes } from "./planning/plan-notes.ts";
import { sealPlan } from "./planning/seal-plan.ts";
import { readTaken } from "./planning/taken-so-far.ts";
import { memorySizeAfter, totalsOf } from "./planning/totals.ts";
import { openWorkspace } from "./workspace/open-workspace.ts";
import type { Workspace } from "./workspace/workspace.ts";

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
  return tellingFailure(options, () => makePlan(request, options));
}

/** Tells what it planned, but no failure: for those who tell their own. */
export async function makePlan(request: PlanRequest, options: PlanOptions): Promise<PlannedCompaction> {
  const watch = startWatch(clockFrom(options.now));
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
    version: 1,
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
  tell(plan, analysis, watch(), options);
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
  const others = [...ofNotes.changes, ...(digests?.changes ?? [])].sort((a, b) => byName(a, b));
  return {
    changes: [...ofMemory.changes, ...others].map((change, index) => ({ ...change, id: index + 1 })),
    held: [...ofMemory.held, ...ofNotes.held, ...(digests?.held ?? digestsAvailable(analyzed.analysis, options.now))],
  };
}

type Edits = Omit<EditsContext, "move" | "removals">;

/** What moves is held by the memory no more, so the notes are compared with what stays of it. */
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
function byName(a: Draft, b: Draft): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : 0;
}

function tell(
  { changes, totals }: MemoryFilesPlan,
  { secrets }: MemoryAnalysis,
  times: Times,
  { trace }: PlanOptions,
): void {
  trace?.emit({
    event: "compact.plan",
    part: "memory_files",
    session_id: MEMORY_FILES_SESSION,
    ids: [...new Set(changes.filter(({ apply }) => apply).map(({ file }) => file))].slice(0, MOST_TOLD),
    counts: {
      ...totals,
      proposed: changes.filter(({ apply }) => !apply).length,
      ...(secrets.length === 0 ? {} : { secrets: secrets.length }),
    },
    ...times,
  });
}

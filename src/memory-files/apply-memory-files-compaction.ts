// Applies the plan of a compaction of memory files: the only writer besides restore. Under the lock of the workspace it
// recovers what died before it, checks every change against the files as they are, archives, and then changes them.
import { attempt, clockOf, emitDone } from "../engine/attempt.ts";
import { CompactError } from "../errors.ts";
import type { FolderLock } from "../storage/folder-lock.ts";
import type { Clock } from "../time.ts";
import { startWatch, type Times } from "../trace/emit.ts";
import { createSurvey, inOrder, type Prepared, prepareChanges } from "./apply/prepare-changes.ts";
import { type PreparedChange, runChanges } from "./apply/run-changes.ts";
import { underLock } from "./journal/archive-files.ts";
import { archivesOf, idOf } from "./journal/journal.ts";
import { nextRun } from "./journal/journal-files.ts";
import { needsRecovery, recoverRuns } from "./journal/recovery.ts";
import type { MemoryFilesOptions } from "./options.ts";
import { MEMORY_FILES, type PlannedChange, readPlan } from "./plan.ts";
import { type AppliedChange, type MemoryFilesReport, storeFailure } from "./report.ts";
import { readNow } from "./workspace/guards.ts";
import { openWorkspace } from "./workspace/open-workspace.ts";
import type { Root, Workspace, WorkspaceRequest } from "./workspace.ts";

/**
 * `root` is the absolute path of the workspace, `plan` one of `planMemoryFilesCompaction`, or what was read back from its
 * JSON. Changes with `apply: true` are made; one that cannot be is in `refused` with the reason (`STALE_PLAN`,
 * `INVALID_CHANGE`, `IN_USE`, `READ_ONLY`, or the code of what failed), its file is as it was, and the others are made. A plan with nothing
 * to apply writes nothing, unless an earlier run died in the middle.
 * @throws InvalidInput (`INVALID_PLAN`, `OTHER_WORKSPACE`, `OUTSIDE_WORKSPACE`) before anything is written; NotFound; Conflict
 * (`WORKSPACE_BUSY` after half a minute of waiting, `LOCK_LOST`); StoreFailed; the reason of an aborted `signal`: what was
 * done by then is in the journal.
 */
export function applyMemoryFilesCompaction(
  root: string,
  plan: unknown,
  options: MemoryFilesOptions,
): Promise<MemoryFilesReport> {
  return attempt(MEMORY_FILES, options, () => applyPlan(root, plan, options));
}

/** Emits what it did, but no failure: for those who emit their own. `clock`: where other work came before it. */
export async function applyPlan(
  root: string,
  plan: unknown,
  options: MemoryFilesOptions,
  clock: Clock = clockOf(options),
): Promise<MemoryFilesReport> {
  const watch = startWatch(clock);
  options.signal?.throwIfAborted();
  const { changes, workspace: planned, options: asked } = readPlan(plan);
  const request: WorkspaceRequest = { root, memoryFile: asked.memory_file, notesGlob: asked.notes_glob };
  const workspace = await openWorkspace(request);
  if (workspace.real !== planned) throw otherWorkspace(workspace.real);
  try {
    const wanted = inOrder(changes.filter(({ apply }) => apply));
    const refused = (await needsRecovery(workspace))
      ? undefined
      : await withNothingToDo(workspace, wanted, options.now);
    const report =
      refused === undefined
        ? await underLock(workspace, (lock) => applyUnderLock(workspace, request, wanted, options, lock))
        : reportOf(workspace, workspace.memory[0]?.bytes.length ?? 0, { refused });
    emitApplied(report, watch(), options);
    return report;
  } catch (cause) {
    throw storeFailure("change the workspace", workspace.real, cause);
  }
}

/** Undefined where at least one change can be made: then the lock is worth taking. Writes nothing. */
async function withNothingToDo(
  workspace: Workspace,
  wanted: readonly PlannedChange[],
  now: number,
): Promise<Prepared["refused"] | undefined> {
  const survey = createSurvey(workspace, now);
  const refused: Prepared["refused"][number][] = [];
  for (const change of wanted) {
    const looked = await prepareChanges([change], survey, 1);
    if (looked.prepared.length > 0) return undefined;
    refused.push(...looked.refused);
  }
  return refused;
}

async function applyUnderLock(
  root: Root,
  request: WorkspaceRequest,
  wanted: readonly PlannedChange[],
  { now, signal }: MemoryFilesOptions,
  lock: FolderLock,
): Promise<MemoryFilesReport> {
  const known = await nextRun(root);
  const settled = await recoverRuns(root, lock);
  // Another may have been at work until the lock was free.
  const workspace = await openWorkspace(request);
  const run = Math.max(known, await nextRun(root));
  const { prepared, refused } = await prepareChanges(wanted, createSurvey(workspace, now), run);
  const main = workspace.memory[0];
  if (prepared.length === 0) return reportOf(workspace, main?.bytes.length ?? 0, { refused, settled });
  const outcome = await runChanges(prepared, { root, lock, run, now, signal, changed: new Set() });
  if (outcome.made.length + outcome.refused.length < prepared.length) signal?.throwIfAborted();
  const after = main === undefined ? undefined : await readNow(workspace, main.file).catch(() => undefined);
  return reportOf(workspace, after?.content.length ?? 0, {
    refused: [...refused, ...outcome.refused],
    settled,
    run: outcome.made.length === 0 ? null : run,
    applied: outcome.made.map((change) => appliedChange(run, change)),
    rotated_files: rotatedFiles(outcome.made),
  });
}

function reportOf({ memory }: Workspace, sizeAfter: number, done: Partial<MemoryFilesReport>): MemoryFilesReport {
  const rotated = done.rotated_files ?? [];
  return {
    run: null,
    applied: [],
    refused: [],
    settled: [],
    memory_size_before: memory[0]?.bytes.length ?? 0,
    memory_size_after: sizeAfter,
    rotated: rotated.length > 0,
    rotated_count: rotated.length,
    rotated_files: rotated,
    ...done,
  };
}

function otherWorkspace(path: string): CompactError {
  return new CompactError("InvalidInput", `the plan is of another workspace than ${path}`, {
    code: "OTHER_WORKSPACE",
    hint: "Name the workspace that the plan was made of, or make a plan of this one.",
    data: { path },
  });
}

// What an apply says it did, for callers and for the trace.

function appliedChange(run: number, { planned, noted, content }: PreparedChange): AppliedChange {
  const isOne = noted.kind !== "digest";
  return {
    id: idOf({ run }, noted),
    kind: noted.kind,
    file: noted.file,
    what: noted.what,
    archived: archivesOf(noted).map(({ file }) => file),
    bytes_before: isOne ? noted.before.bytes : noted.notes.reduce((sum, { bytes }) => sum + bytes, 0),
    bytes_after: content.length,
    tokens_before: planned.tokens_before,
    tokens_after: planned.tokens_after,
  };
}

function rotatedFiles(made: readonly PreparedChange[]): MemoryFilesReport["rotated_files"] {
  return made.flatMap(({ noted, content }) => {
    if (noted.kind !== "rotate") return [];
    const { file, before, archive } = noted;
    return [{ file, original_size: before.bytes, archive_path: archive.file, summary_size: content.length }];
  });
}

/** An event names files, never what is in them. */
function emitApplied(
  { applied, refused, settled, rotated_count }: MemoryFilesReport,
  times: Times,
  options: Pick<MemoryFilesOptions, "trace">,
): void {
  const sum = (figure: (change: AppliedChange) => number) => applied.reduce((total, each) => total + figure(each), 0);
  const counts = {
    applied: applied.length,
    refused: refused.length,
    settled: settled.length,
    rotated: rotated_count,
    bytes_before: sum(({ bytes_before }) => bytes_before),
    bytes_after: sum(({ bytes_after }) => bytes_after),
    tokens_before: sum(({ tokens_before }) => tokens_before),
    tokens_after: sum(({ tokens_after }) => tokens_after),
  };
  emitDone("compact.applied", MEMORY_FILES, { ids: applied.map(({ file }) => file), counts }, options, times);
}

// Applies the plan of a compaction of memory files: the only writer besides restore. Under the lock of the workspace it
// recovers what died before it, checks every change against the files as they are, archives, and then changes them.
import { attempt, clockOf, emitDone } from "../engine/attempt.ts";
import { CompactError } from "../errors.ts";
import { fileFailure } from "../storage/files.ts";
import type { FolderLock } from "../storage/folder-lock.ts";
import type { Clock } from "../time.ts";
import { startWatch, type Times } from "../trace/emit.ts";
import { createSurvey, inOrder, type Prepared, prepareChanges } from "./apply/prepare-changes.ts";
import { type PreparedChange, runChanges } from "./apply/run-changes.ts";
import { archivesOf } from "./journal/journal.ts";
import { nextRun } from "./journal/journal-files.ts";
import { needsRecovery, recoverRuns, underLock } from "./journal/recovery.ts";
import type { MemoryFilesOptions } from "./options.ts";
import { MEMORY_FILES, type MemoryFilesPlan, type PlannedChange, readPlan } from "./plan.ts";
import type { AppliedChange, MemoryFilesReport } from "./report.ts";
import { readNow } from "./workspace/guards.ts";
import { openWorkspace } from "./workspace/open-workspace.ts";
import { openRoot, type Root } from "./workspace/root.ts";
import type { Workspace, WorkspaceRequest } from "./workspace.ts";

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
  const read = readPlan(plan);
  const { memory_file: memoryFile, notes_glob: notesGlob } = read.options;
  const applying: Applying = { request: { root, memoryFile, notesGlob }, options };
  const workspace = await openWorkspace(applying.request);
  refuseOther(workspace, read);
  const place = await openRoot(workspace.root);
  try {
    const report = await applyTo(place, workspace, inOrder(read.changes.filter(({ apply }) => apply)), applying);
    emitApplied(report, watch(), options);
    return report;
  } catch (cause) {
    throw isOfTheSystem(cause) ? fileFailure("StoreFailed", "change the workspace", workspace.root, cause) : cause;
  }
}

interface Applying {
  readonly request: WorkspaceRequest;
  readonly options: MemoryFilesOptions;
}

async function applyTo(
  root: Root,
  workspace: Workspace,
  wanted: readonly PlannedChange[],
  applying: Applying,
): Promise<MemoryFilesReport> {
  if (!(await needsRecovery(root))) {
    const refused = await withNothingToDo(root, workspace, wanted, applying);
    if (refused !== undefined) return reportOf(workspace, workspace.memory[0]?.bytes.length ?? 0, { refused });
  }
  return underLock(root, async (lock) => {
    const known = await nextRun(root);
    const settled = await recoverRuns(root, lock);
    return { ...(await applyUnderLock(root, wanted, { ...applying, lock, known })), settled };
  });
}

/** Undefined where at least one change can be made: then the lock is worth taking. Writes nothing. */
async function withNothingToDo(
  root: Root,
  workspace: Workspace,
  wanted: readonly PlannedChange[],
  { options }: Applying,
): Promise<Prepared["refused"] | undefined> {
  const survey = createSurvey(root, workspace, options.now);
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
  wanted: readonly PlannedChange[],
  { request, options, lock, known }: Applying & { readonly lock: FolderLock; readonly known: number },
): Promise<MemoryFilesReport> {
  // Another may have been at work until the lock was free.
  const workspace = await openWorkspace(request);
  const run = Math.max(known, await nextRun(root));
  const { prepared, refused } = await prepareChanges(wanted, createSurvey(root, workspace, options.now), run);
  const main = workspace.memory[0];
  if (prepared.length === 0) return reportOf(workspace, main?.bytes.length ?? 0, { refused });
  const { now, signal } = options;
  const outcome = await runChanges(prepared, { root, lock, run, now, signal, changed: new Set() });
  if (outcome.made.length + outcome.refused.length < prepared.length) signal?.throwIfAborted();
  const after = main === undefined ? undefined : await readNow(root, main.file).catch(() => undefined);
  return reportOf(workspace, after?.content.length ?? 0, {
    refused: [...refused, ...outcome.refused],
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

function refuseOther(workspace: Workspace, plan: MemoryFilesPlan): void {
  if (workspace.root === plan.workspace) return;
  throw new CompactError("InvalidInput", `the plan is of another workspace than ${workspace.root}`, {
    code: "OTHER_WORKSPACE",
    hint: "Name the workspace that the plan was made of, or make a plan of this one.",
    data: { path: workspace.root },
  });
}

function isOfTheSystem(cause: unknown): boolean {
  return !CompactError.isInstance(cause) && cause instanceof Error && "code" in cause && "syscall" in cause;
}

// What an apply says it did, for callers and for the trace.

export function appliedChange(run: number, { planned, noted, content }: PreparedChange): AppliedChange {
  const isOne = noted.kind !== "digest";
  return {
    id: `${run}.${noted.change}`,
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

export function rotatedFiles(made: readonly PreparedChange[]): MemoryFilesReport["rotated_files"] {
  return made.flatMap(({ noted, content }) =>
    noted.kind !== "rotate"
      ? []
      : [
          {
            file: noted.file,
            original_size: noted.before.bytes,
            archive_path: noted.archive.file,
            summary_size: content.length,
          },
        ],
  );
}

/** An event names files, never what is in them. */
export function emitApplied(
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

// Carries out the plan of a compaction of memory files: the only writer besides restore. Under the lock of the workspace it
// settles what died before it, checks every change against the files as they are, archives, and then changes them.
import { CompactError } from "../errors.ts";
import { fileFailure } from "../storage/file-failure.ts";
import type { FolderLock } from "../storage/folder-lock.ts";
import { type Clock, clockFrom } from "../time.ts";
import { startWatch } from "../trace/watch.ts";
import { appliedChange, rotatedFiles, tellApplied } from "./applying/apply-report.ts";
import { inOrder, type Prepared, prepareChanges } from "./applying/prepare-changes.ts";
import { runChanges } from "./applying/run-changes.ts";
import { createSurvey } from "./applying/survey.ts";
import { readNow } from "./journal/file-bytes.ts";
import { nextRun } from "./journal/journal-files.ts";
import { isUnsettled, settleRuns } from "./journal/settle-runs.ts";
import { tellingFailure } from "./journal/tell-failure.ts";
import { underLock } from "./journal/workspace-lock.ts";
import type { MemoryFilesOptions } from "./memory-files-options.ts";
import type { MemoryFilesPlan, PlannedChange } from "./plan.ts";
import { readPlan } from "./planning/plan-schema.ts";
import type { MemoryFilesReport } from "./report.ts";
import { openRoot, type Root } from "./workspace/open-root.ts";
import { openWorkspace } from "./workspace/open-workspace.ts";
import type { Workspace, WorkspaceRequest } from "./workspace/workspace.ts";

/**
 * `root` is the absolute path of the workspace, `plan` one of `planMemoryFilesCompaction`, or what was read back from its
 * JSON. Changes with `apply: true` are carried out; one that cannot be is in `refused` with the reason (`STALE_PLAN`,
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
  return tellingFailure(options, () => carryOut(root, plan, options));
}

/** Tells what it did, but no failure: for those who tell their own. `clock`: where other work came before it. */
export async function carryOut(
  root: string,
  plan: unknown,
  options: MemoryFilesOptions,
  clock: Clock = clockFrom(options.now),
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
    tellApplied(report, watch(), options);
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
  if (!(await isUnsettled(root))) {
    const refused = await withNothingToDo(root, workspace, wanted, applying);
    if (refused !== undefined) return reportOf(workspace, workspace.memory[0]?.bytes.length ?? 0, { refused });
  }
  return underLock(root, async (lock) => {
    const known = await nextRun(root);
    const settled = await settleRuns(root, lock);
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

// `agent-compact/memory-files`: the Markdown that agents keep. The workspace's path comes first in every call, options come
// last. The code of the part is loaded at the first call. Node only.
import {
  type MemoryFilesCallOptions,
  type MemoryFilesPlanOptions,
  memoryFilesOptions,
  memoryFilesPlanOptions,
  runMemoryFilesCompaction,
} from "./factories/memory-files.ts";
import type { MemoryAnalysis } from "./memory-files/analysis.ts";
import type { MemoryFilesResult } from "./memory-files/compact-memory-files.ts";
import type { AnalyzeRequest, PlanRequest } from "./memory-files/options.ts";
import type { MemoryFilesPlan } from "./memory-files/plan.ts";
import type { ArchivedChange, MemoryFilesReport, RestoreReport } from "./memory-files/report.ts";
import type { JournalFault } from "./memory-files/restore-memory-files.ts";
import { createFinder } from "./redaction/redactor.ts";

export type {
  CrossFileIssue,
  DuplicateLine,
  MemoryFileReport,
  NearLines,
  NoteReport,
  RedundantSection,
  SecretPlace,
  SectionReport,
} from "./memory-files/analysis.ts";
export type { Lever } from "./memory-files/options.ts";
export type { HeldChange, PlannedChange } from "./memory-files/plan.ts";
export type { AppliedChange, RefusedChange, RestoredChange } from "./memory-files/report.ts";
export type {
  ArchivedChange,
  JournalFault,
  MemoryAnalysis,
  MemoryFilesCallOptions,
  MemoryFilesPlan,
  MemoryFilesPlanOptions,
  MemoryFilesReport,
  MemoryFilesResult,
  RestoreReport,
};

export type MemoryFilesAnalysisRequest = Omit<AnalyzeRequest, "root">;
export type MemoryFilesRequest = Omit<PlanRequest, "root">;

/**
 * What bloats the memory of a workspace. Reads only.
 * @throws NotFound, InvalidInput, StoreFailed.
 */
export async function analyzeMemoryFiles(
  root: string,
  request: MemoryFilesAnalysisRequest = {},
  options: MemoryFilesCallOptions = {},
): Promise<MemoryAnalysis> {
  const { analyzeMemoryFiles: analyze } = await import("./memory-files/analyze-memory-files.ts");
  return analyze({ ...request, root }, { findSecrets: createFinder({}), ...memoryFilesOptions(options) });
}

/**
 * What a compaction would do, as plain data for `applyMemoryFilesCompaction`, and the analysis that it rests on. Writes
 * nothing.
 * @throws NotFound, InvalidInput, InvalidConfig, StoreFailed, SummarizationFailed.
 */
export async function planMemoryFilesCompaction(
  root: string,
  request: MemoryFilesRequest = {},
  options: MemoryFilesPlanOptions = {},
): Promise<{ readonly plan: MemoryFilesPlan; readonly analysis: MemoryAnalysis }> {
  const { planMemoryFilesCompaction: plan } = await import("./memory-files/plan-memory-files-compaction.ts");
  return plan({ ...request, root }, memoryFilesPlanOptions(options));
}

/**
 * Carries out a plan. What leaves a file is in `memory/archive/` before.
 * @throws NotFound, InvalidInput (`INVALID_PLAN`), StoreFailed, Conflict.
 */
export async function applyMemoryFilesCompaction(
  root: string,
  made: unknown,
  options: MemoryFilesCallOptions = {},
): Promise<MemoryFilesReport> {
  const { applyMemoryFilesCompaction: apply } = await import("./memory-files/apply-memory-files-compaction.ts");
  return apply(root, made, memoryFilesOptions(options));
}

/**
 * Plans and applies.
 * @throws NotFound, InvalidInput, InvalidConfig, StoreFailed, SummarizationFailed, Conflict.
 */
export async function compactMemoryFiles(
  root: string,
  request: MemoryFilesRequest = {},
  options: MemoryFilesPlanOptions = {},
): Promise<MemoryFilesResult> {
  return runMemoryFilesCompaction({ ...request, root, dryRun: false }, options);
}

/**
 * Puts back what changes of earlier runs took away: changes (`3.1`), whole runs (`3`), or all.
 * @throws NotFound, InvalidInput, StoreFailed, Conflict.
 */
export async function restoreMemoryFiles(
  root: string,
  wanted: { readonly ids: readonly string[] } | { readonly all: true },
  options: MemoryFilesCallOptions = {},
): Promise<RestoreReport> {
  const { restoreMemoryFiles: restore } = await import("./memory-files/restore-memory-files.ts");
  return restore(root, wanted, memoryFilesOptions(options));
}

/**
 * What compactions took away, newest first. `root` is the absolute path of the workspace.
 * @throws NotFound (`WORKSPACE_NOT_FOUND`), InvalidInput (`OUTSIDE_WORKSPACE`), StoreFailed.
 */
export async function listArchivedChanges(root: string): Promise<readonly ArchivedChange[]> {
  const { listArchivedChanges: list } = await import("./memory-files/restore-memory-files.ts");
  return list(root);
}

/**
 * Runs in the journal of a workspace that cannot be read, oldest first. Reads only.
 * @throws NotFound (`WORKSPACE_NOT_FOUND`), InvalidInput (`OUTSIDE_WORKSPACE`, `INVALID_ROOT`), StoreFailed.
 */
export async function journalFaults(root: string): Promise<readonly JournalFault[]> {
  const { journalFaults: faults } = await import("./memory-files/restore-memory-files.ts");
  return faults(root);
}

// What a compaction of memory files is made of when nobody says otherwise: digests by code, tokens of o200k_base, the
// machine's clock. The code of the part is loaded at the first call, so that importing the package stays cheap.
import { isSummarizer, type SummarizerConfig } from "./config/summarizer-schema.ts";
import { readsRedacted, summarizerOf } from "./factories/summarizer.ts";
import type { MemoryAnalysis } from "./memory-files/analysis.ts";
import type { CompactMemoryFilesRequest, MemoryFilesResult } from "./memory-files/compact-memory-files.ts";
import type { AnalyzeRequest, MemoryFilesOptions, PlanOptions, PlanRequest } from "./memory-files/options.ts";
import type { MemoryFilesPlan } from "./memory-files/plan.ts";
import type { ArchivedChange, MemoryFilesReport, RestoreReport } from "./memory-files/report.ts";
import type { JournalFault, restoreMemoryFiles as restoreChanges } from "./memory-files/restore-memory-files.ts";
import { createFinder, createRedactor, type RedactorOptions } from "./redaction/redactor.ts";
import { counterFor } from "./tokens/create-token-counter.ts";
import { resolveModel } from "./tokens/models.ts";

export interface MemoryFilesPlanOptions extends Partial<Omit<PlanOptions, "summarizer" | "redact">> {
  /** As for `CompactManager`. Default: by code, no model. */
  readonly summarizer?: SummarizerConfig | undefined;
  /** Of what a model is sent. */
  readonly redaction?: RedactorOptions | undefined;
}

/**
 * What bloats the memory of a workspace. Reads only. Node only.
 * @throws NotFound, InvalidInput, StoreFailed.
 */
export async function analyzeMemoryFiles(
  request: AnalyzeRequest,
  options: Partial<MemoryFilesOptions> = {},
): Promise<MemoryAnalysis> {
  const { analyzeMemoryFiles: analyze } = await import("./memory-files/analyze-memory-files.ts");
  return analyze(request, { findSecrets: createFinder({}), ...withDefaults(options) });
}

/**
 * What a compaction would do, as plain data for `applyMemoryFilesCompaction`, and the analysis that it rests on. Writes
 * nothing. Node only.
 * @throws NotFound, InvalidInput, InvalidConfig, StoreFailed, SummarizationFailed.
 */
export async function planMemoryFilesCompaction(
  request: PlanRequest,
  options: MemoryFilesPlanOptions = {},
): Promise<{ readonly plan: MemoryFilesPlan; readonly analysis: MemoryAnalysis }> {
  const { planMemoryFilesCompaction: plan } = await import("./memory-files/plan-memory-files-compaction.ts");
  return plan(request, planOptions(options));
}

/**
 * Plans, and carries the plan out where `dryRun` is false. Node only.
 * @throws NotFound, InvalidInput, InvalidConfig, StoreFailed, SummarizationFailed, Conflict.
 */
export async function compactMemoryFiles(
  request: CompactMemoryFilesRequest,
  options: MemoryFilesPlanOptions = {},
): Promise<MemoryFilesResult> {
  const { compactMemoryFiles: compact } = await import("./memory-files/compact-memory-files.ts");
  return compact(request, planOptions(options));
}

/**
 * The only writer. What leaves a file is in `memory/archive/` before. Node only.
 * @throws NotFound, InvalidInput (`INVALID_PLAN`), StoreFailed, Conflict.
 */
export async function applyMemoryFilesCompaction(
  root: string,
  made: unknown,
  options: Partial<MemoryFilesOptions> = {},
): Promise<MemoryFilesReport> {
  const { applyMemoryFilesCompaction: apply } = await import("./memory-files/apply-memory-files-compaction.ts");
  return apply(root, made, withDefaults(options));
}

/**
 * Puts back what changes of earlier runs took away. Node only.
 * @throws NotFound, InvalidInput, StoreFailed, Conflict.
 */
export async function restoreMemoryFiles(
  root: string,
  wanted: Parameters<typeof restoreChanges>[1],
  options: Partial<MemoryFilesOptions> = {},
): Promise<RestoreReport> {
  const { restoreMemoryFiles: restore } = await import("./memory-files/restore-memory-files.ts");
  return restore(root, wanted, withDefaults(options));
}

/**
 * What compactions took away, newest first. `root` is the absolute path of the workspace. Node only.
 * @throws NotFound (`WORKSPACE_NOT_FOUND`), InvalidInput (`OUTSIDE_WORKSPACE`), StoreFailed.
 */
export async function listArchivedChanges(root: string): Promise<readonly ArchivedChange[]> {
  const { listArchivedChanges: list } = await import("./memory-files/restore-memory-files.ts");
  return list(root);
}

/**
 * Runs in the journal of a workspace that cannot be read, oldest first. Reads only. Node only.
 * @throws NotFound (`WORKSPACE_NOT_FOUND`), InvalidInput (`OUTSIDE_WORKSPACE`, `INVALID_ROOT`), StoreFailed.
 */
export async function journalFaults(root: string): Promise<readonly JournalFault[]> {
  const { journalFaults: faults } = await import("./memory-files/restore-memory-files.ts");
  return faults(root);
}

function planOptions({ summarizer, redaction, ...options }: MemoryFilesPlanOptions): PlanOptions {
  const redactor = createRedactor(redaction);
  return {
    findSecrets: createFinder(redaction ?? {}),
    ...withDefaults(options),
    summarizer: summarizerOf(summarizer, { redactor }),
    ...(isSentAway(summarizer) ? { redact: (text: string) => redactor.text(text) } : {}),
  };
}

/** What code makes of notes stays in the workspace, as the notes do. */
function isSentAway(summarizer: SummarizerConfig | undefined): boolean {
  if (
    summarizer === undefined ||
    (!isSummarizer(summarizer) && "type" in summarizer && summarizer.type === "extractive")
  )
    return false;
  return readsRedacted(summarizer);
}

function withDefaults<Options extends Partial<MemoryFilesOptions>>(options: Options): Options & MemoryFilesOptions {
  const counter = counterFor(resolveModel(undefined));
  return {
    ...options,
    now: options.now ?? Date.now(),
    count: options.count ?? ((text: string) => counter.count(text)),
  };
}

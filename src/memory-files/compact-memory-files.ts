// Memory files in one call: what they hold, what a compaction would do and, where that is asked for, doing it. The result
// has the fields of the spec under their names, and the plan and the report beside them.
import { attempt, clockOf } from "../engine/attempt.ts";
import { CompactError } from "../errors.ts";
import type { MemoryAnalysis } from "./analysis.ts";
import { analyzeMemoryFiles } from "./analyze-memory-files.ts";
import { applyPlan } from "./apply-memory-files-compaction.ts";
import { type DigestMade, digestsMade } from "./journal/journal-files.ts";
import type { PlanOptions, PlanRequest } from "./options.ts";
import { MEMORY_FILES, type MemoryFilesPlan, readPlan } from "./plan.ts";
import { makePlan } from "./plan-memory-files-compaction.ts";
import type { MemoryFilesReport } from "./report.ts";

export interface CompactMemoryFilesRequest extends PlanRequest {
  /** False: carries out what is to be applied. Default true, also beside `aggressive`; with a `plan`, false. */
  readonly dryRun?: boolean | undefined;
  /** A plan of `planMemoryFilesCompaction`, as an object or read back from JSON: the fields that make one are not looked at. */
  readonly plan?: unknown;
}

/** Of the analysis: how it was before the changes. */
export interface MemoryFilesResult extends MemoryAnalysis {
  readonly dry_run: boolean;
  /** Bytes of the main memory file on disk, before anything is changed. */
  readonly memory_size_before: number;
  /** On disk after the changes; in a dry run, what it would be. */
  readonly memory_size_after: number;
  /** False in a dry run: nothing moved. */
  readonly rotated: boolean;
  readonly rotated_count: number;
  readonly rotated_files: MemoryFilesReport["rotated_files"];
  /** Digests of earlier runs that are still there, oldest first. */
  readonly digests: readonly DigestMade[];
  readonly plan: MemoryFilesPlan;
  /** Absent in a dry run. */
  readonly report?: MemoryFilesReport;
}

/** Files and folders that are memory where none is named. */
export const KNOWN_MEMORY = "MEMORY.md, CLAUDE.md, AGENTS.md, memory-bank/ and memories/";

/**
 * Writes nothing unless `dryRun` is false or a plan is given. What cannot be carried out, as the change of a file that was
 * written since, is in `report.refused`; the others are made.
 * @throws NotFound for a workspace that is not there, or holds nothing of the kind (`NO_MEMORY_FILES`); InvalidInput for bad numbers, globs, links out of the workspace, or an
 * invalid plan; Conflict while another process changes the workspace; StoreFailed; SummarizationFailed; the reason of
 * an aborted `signal`.
 */
export function compactMemoryFiles(
  request: CompactMemoryFilesRequest,
  options: PlanOptions,
): Promise<MemoryFilesResult> {
  return attempt(MEMORY_FILES, options, () => planAndApply(request, options));
}

async function planAndApply(request: CompactMemoryFilesRequest, options: PlanOptions): Promise<MemoryFilesResult> {
  const { dryRun = request.plan === undefined, plan: given, ...asked } = request;
  // Goes on while the plan is made: the changes begin after it.
  const clock = clockOf(options);
  const { plan, analysis } =
    given === undefined ? await makePlan(asked, options) : await lookAgain(given, asked, options);
  const digests = await digestsMade(request.root);
  if (given === undefined && digests.length === 0) refuseNothing(analysis, plan);
  if (dryRun) return resultOf(analysis, plan, digests);
  return resultOf(analysis, plan, digests, inPlanOrder(await applyPlan(request.root, plan, options, clock)));
}

/** Most likely another folder was meant, and "nothing to do" would be believed. */
function refuseNothing(analysis: MemoryAnalysis, { options }: MemoryFilesPlan): void {
  if (analysis.memory_file !== null || analysis.notes.length + analysis.unread.length > 0) return;
  const notes = options.notes_glob ?? "memory/YYYY-MM-DD*.md";
  throw new CompactError(
    "NotFound",
    `no memory files in ${analysis.workspace}: looked for ${KNOWN_MEMORY}, and notes as ${notes}`,
    {
      code: "NO_MEMORY_FILES",
      hint: "Name the folder that MEMORY.md stands in, or other files by memory_file and notes_glob.",
      data: { path: analysis.workspace },
    },
  );
}

function inPlanOrder(report: MemoryFilesReport): MemoryFilesReport {
  return { ...report, refused: report.refused.toSorted((a, b) => a.change - b.change) };
}

/** The workspace as a given plan's changes find it, seen with the options that the plan was made with. */
async function lookAgain(given: unknown, { root }: PlanRequest, options: PlanOptions) {
  const plan = readPlan(given);
  const { max_memory_kb: maxMemoryKb, memory_file: memoryFile, notes_glob: notesGlob } = plan.options;
  return { plan, analysis: await analyzeMemoryFiles({ root, maxMemoryKb, memoryFile, notesGlob }, options) };
}

function resultOf(
  analysis: MemoryAnalysis,
  plan: MemoryFilesPlan,
  digests: readonly DigestMade[],
  report?: MemoryFilesReport,
): MemoryFilesResult {
  return {
    ...analysis,
    dry_run: report === undefined,
    memory_size_before: report?.memory_size_before ?? analysis.memory_size,
    memory_size_after: (report ?? plan).memory_size_after,
    rotated: report?.rotated ?? false,
    rotated_count: report?.rotated_count ?? 0,
    rotated_files: report?.rotated_files ?? [],
    digests,
    plan,
    ...(report === undefined ? {} : { report }),
  };
}

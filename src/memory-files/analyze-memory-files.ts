// Analyses the memory files of a workspace: opens it, reads everything once, writes nothing.
import { analyzeWorkspace } from "./analysis/analyze-workspace.ts";
import { readMaxMemoryKb } from "./analysis/limits.ts";
import type { MemoryAnalysis } from "./analysis.ts";
import type { AnalyzeRequest, MemoryFilesOptions } from "./memory-files-options.ts";
import { openWorkspace } from "./workspace/open-workspace.ts";

/**
 * Sizes in bytes and tokens, sections, sections of notes that the memory holds, repeated lines, notes too large.
 * @throws InvalidInput `INVALID_MAX_MEMORY_KB`, and what opening the workspace throws; StoreFailed
 */
export async function analyzeMemoryFiles(
  request: AnalyzeRequest,
  { now, count, findSecrets, signal }: MemoryFilesOptions,
): Promise<MemoryAnalysis> {
  const maxMemoryKb = readMaxMemoryKb(request.maxMemoryKb);
  const workspace = await openWorkspace(request);
  const { analysis } = await analyzeWorkspace(workspace, { maxMemoryKb, now, count, findSecrets, signal });
  return analysis;
}

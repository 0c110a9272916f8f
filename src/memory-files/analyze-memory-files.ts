// Analyses the memory files of a workspace: opens it, reads everything once, writes nothing.
import { createPacer, type Pacer, runInTurns } from "../tokens/stepwise.ts";
import { findDuplicateLines, findNearLines } from "./analysis/near-lines.ts";
import { createRedundancyFinder } from "./analysis/redundancy.ts";
import { measureMemoryFile, measureNote, reportSections, secretsIn } from "./analysis/section-report.ts";
import type { CrossFileIssue, MemoryAnalysis, NoteReport, RedundantSection, SecretPlace } from "./analysis.ts";
import type { AnalyzeRequest, FindSecrets, MemoryFilesOptions } from "./options.ts";
import { overLimitBytes, readMaxMemoryKb } from "./options.ts";
import { openWorkspace } from "./workspace/open-workspace.ts";
import type { Count, UnreadFile, Workspace } from "./workspace.ts";

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

// The five steps over a workspace that is open: sizes, sections, redundancy between files, repeated
// lines, notes. Reads only. Notes are read one at a time.

export interface AnalysisSettings {
  readonly maxMemoryKb: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly count: Count;
  readonly findSecrets?: FindSecrets | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface AnalyzedWorkspace {
  readonly analysis: MemoryAnalysis;
  /** SHA-256 of every file that was read, by its name. */
  readonly hashes: ReadonlyMap<string, string>;
}

/** @throws StoreFailed; the reason of the signal. */
export async function analyzeWorkspace(workspace: Workspace, settings: AnalysisSettings): Promise<AnalyzedWorkspace> {
  const { maxMemoryKb, count, findSecrets = () => [] } = settings;
  const pacer = createPacer();
  const hashes = new Map<string, string>();
  const all = [...workspace.memory, ...workspace.imported];
  for (const { file, sha256 } of all) hashes.set(file, sha256);
  const files = all.map((file) => measureMemoryFile(file, workspace.imported.includes(file), count));
  await rest(pacer, settings);
  const sections = all.flatMap((file) => reportSections(file, count));
  await rest(pacer, settings);
  const duplicates = all.flatMap(findDuplicateLines);
  const nearLines = workspace.memory.flatMap(findNearLines);
  await rest(pacer, settings);
  const secrets = all.flatMap((file) => secretsIn(file, findSecrets));
  const notes = await readNotes(workspace, settings, hashes, pacer);
  const main = files.find(({ imported }) => !imported);
  const analysis: MemoryAnalysis = {
    workspace: workspace.real,
    memory_file: main?.file ?? null,
    memory_size: main?.bytes ?? 0,
    memory_characters: main?.characters ?? 0,
    memory_tokens: main?.tokens ?? 0,
    memory_tokens_exact: main?.tokens_exact ?? 0,
    max_memory_kb: maxMemoryKb,
    over_limit_bytes: overLimitBytes(main?.bytes ?? 0, maxMemoryKb),
    memory_files: files,
    sections,
    cross_file_issues: notes.issues,
    high_severity_count: notes.issues.filter(({ severity }) => severity === "high").length,
    contained_sections: notes.contained,
    internal_duplicates: duplicates.length,
    duplicate_lines: duplicates,
    near_lines: nearLines,
    notes: notes.reports,
    unread: [...workspace.unread, ...notes.unread],
    secrets: [...secrets, ...notes.secrets],
  };
  return { analysis, hashes };
}

async function readNotes(workspace: Workspace, settings: AnalysisSettings, hashes: Map<string, string>, pacer: Pacer) {
  const { count, now, findSecrets = () => [] } = settings;
  const finder = createRedundancyFinder([...workspace.memory, ...workspace.imported], now, count);
  const reports: NoteReport[] = [];
  const issues: CrossFileIssue[] = [];
  const contained: RedundantSection[] = [];
  const unread: UnreadFile[] = [];
  const secrets: SecretPlace[] = [];
  for await (const note of workspace.readNotes((file) => unread.push(file))) {
    await rest(pacer, settings);
    hashes.set(note.file, note.sha256);
    reports.push(measureNote(note, count));
    secrets.push(...secretsIn(note, findSecrets));
    const found = await runInTurns(finder.find(note), { pacer, signal: settings.signal });
    issues.push(...found.issues);
    contained.push(...found.contained);
  }
  return { reports, issues, contained, unread, secrets };
}

async function rest(pacer: Pacer, { signal }: Pick<AnalysisSettings, "signal">): Promise<void> {
  signal?.throwIfAborted();
  if (pacer.isDue()) await pacer.pause();
}

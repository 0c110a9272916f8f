// A workspace in a temporary folder, analysed as it stands there.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { CrossFileIssue, MemoryAnalysis, RedundantSection } from "../../../src/memory-files/analysis.ts";
import { analyzeWorkspace } from "../../../src/memory-files/analyze-memory-files.ts";
import { openWorkspace } from "../../../src/memory-files/workspace/open-workspace.ts";

export type Files = Readonly<Record<string, string | Uint8Array>>;

export const NOTE = "memory/2031-02-03.md";
/** Weeks after the note. */
export const NOW = Date.UTC(2031, 2, 1);

export function writeWorkspace(files: Files): string {
  const root = mkdtempSync(join(tmpdir(), "analysis-"));
  for (const [name, content] of Object.entries(files)) {
    const file = join(root, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return root;
}

export async function analyze(files: Files, now = NOW): Promise<MemoryAnalysis> {
  const workspace = await openWorkspace({ root: writeWorkspace(files) });
  const settings = { maxMemoryKb: 15, now, count: (text: string) => text.length };
  return (await analyzeWorkspace(workspace, settings)).analysis;
}

export async function compare(memory: string, note: string, now = NOW): Promise<MemoryAnalysis> {
  return analyze({ "MEMORY.md": memory, [NOTE]: note }, now);
}

/** All that is redundant or contained, in either list, by heading. */
export function found(analysis: MemoryAnalysis, heading: string): RedundantSection | CrossFileIssue | undefined {
  return [...analysis.cross_file_issues, ...analysis.contained_sections].find(({ section }) => section === heading);
}

// A workspace that somebody really keeps, with its history. The oracle for what may leave is deliberately plain: every
// line of it must stand in the memory as it is.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { MemoryAnalysis } from "../../../src/memory-files/analysis.ts";
import { analyzeWorkspace } from "../../../src/memory-files/analyze-memory-files.ts";
import { openWorkspace } from "../../../src/memory-files/workspace/open-workspace.ts";
import { createTokenCounter } from "../../../src/tokens/create-token-counter.ts";
import { corpusFiles } from "../../corpus/corpus.ts";

const archives = corpusFiles("memory-md", /\.tar\.gz$/);

function unpack(archive: string): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), "real-workspace-"));
  execFileSync("tar", ["-xzf", archive, "-C", root]);
  const found = readdirSync(root, { recursive: true, encoding: "utf8" });
  return found.filter((name) => /(?:^|\/)MEMORY\.md$/.test(name)).map((name) => join(root, name, ".."));
}

async function analyzeReal(root: string): Promise<MemoryAnalysis> {
  const counter = createTokenCounter({ encoding: "o200k_base" });
  const settings = { maxMemoryKb: 15, now: Date.UTC(2040, 0, 1), count: (text: string) => counter.count(text) };
  return (await analyzeWorkspace(await openWorkspace({ root }), settings)).analysis;
}

describe.skipIf(archives.length === 0)("a real workspace and its history", () => {
  const roots = archives.flatMap(unpack);

  it("are there", () => expect(roots.length).toBeGreaterThan(10));

  it.each(roots)("state %#", async (root) => {
    const analysis = await analyzeReal(root);
    const memory = readFileSync(join(root, "MEMORY.md"), "utf8");
    expect(analysis.memory_size).toBe(statSync(join(root, "MEMORY.md")).size);
    expect(analysis.memory_characters).toBe([...memory].length);
    expect(analysis.over_limit_bytes).toBe(Math.max(0, analysis.memory_size - 15 * 1024));
    const headings = memory.split("\n").filter((line) => /^#{1,3} /.test(line)).length;
    expect(analysis.sections.length).toBeGreaterThan(20);
    expect(analysis.sections.length).toBeLessThanOrEqual(headings + 1);
    expect(analysis.sections.some(({ bloated }) => bloated)).toBe(true);
    expect(analysis.internal_duplicates).toBeGreaterThan(0);
    const lines = new Set(memory.split("\n").map((line) => line.trim()));
    for (const section of [...analysis.cross_file_issues, ...analysis.contained_sections]) {
      if (!section.removable) continue;
      const note = readFileSync(join(root, section.file), "utf8").split("\n");
      for (const line of note.slice(section.line_from, section.line_to)) expect([...lines]).toContain(line.trim());
    }
  });
});

// A workspace that people use, and what its memory was on other days: planned with everything that there is, applied, and
// restored to the very bytes.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  applyMemoryFilesCompaction,
  listArchivedChanges,
  planMemoryFilesCompaction,
  restoreMemoryFiles,
} from "../../../src/memory-files.ts";
import { filesOf, liveFiles } from "../applying/sample-plan.ts";

const FOLDER = join(process.env.AGENT_CORPUS ?? "", "memory-md");
/** Notes that are digested are neither cut nor rotated, so both are tried. */
const LEVERS = [
  ["contained", "move", "digest"],
  ["contained", "move"],
] as const;
const options = { now: () => Date.UTC(2026, 5, 15), count: (text: string) => Math.ceil(text.length / 4) };

function unpack(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), "agent-compact-corpus-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync("tar", ["-xzf", join(FOLDER, name), "-C", folder]);
  return folder;
}

/** Every folder that holds a MEMORY.md. */
function workspacesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /(?:^|\/)MEMORY\.md$/.test(name))
    .map((name) => join(folder, name, ".."));
}

describe.skipIf(!process.env.AGENT_CORPUS)("real workspaces", () => {
  it("are what they were once all is restored", { timeout: 600_000 }, async () => {
    const found = readdirSync(FOLDER)
      .filter((name) => name.endsWith(".tar.gz"))
      .flatMap((name) => workspacesIn(unpack(name)));
    const whole = found.find((folder) => existsSync(join(folder, "memory"))) ?? "";
    expect(found.length).toBeGreaterThan(17);
    const kinds = new Set<string>();
    for (const [index, folder] of found.entries()) {
      const root = mkdtempSync(join(tmpdir(), "agent-compact-real-"));
      onTestFinished(() => rmSync(root, { recursive: true, force: true }));
      cpSync(join(whole, "memory"), join(root, "memory"), { recursive: true });
      cpSync(join(folder, "MEMORY.md"), join(root, "MEMORY.md"));
      const before = liveFiles(root);
      const request = { aggressive: true, moreThanHalf: true, levers: LEVERS[index % 2], maxMemoryKb: 5 };
      const { plan } = await planMemoryFilesCompaction(root, request, options);
      const report = await applyMemoryFilesCompaction(root, plan, options);
      expect(report.refused).toEqual([]);
      expect(report.memory_size_after).toBe(plan.memory_size_after);
      for (const { kind } of report.applied) kinds.add(kind);
      expect(liveFiles(root)).not.toEqual(before);
      expect(await listArchivedChanges(root)).toHaveLength(report.applied.length);
      const again = await planMemoryFilesCompaction(root, request, options);
      expect(again.plan.changes.filter(({ apply }) => apply)).toEqual([]);
      const restored = await restoreMemoryFiles(root, { all: true }, {});
      expect([restored.refused, restored.restored.length]).toEqual([[], report.applied.length]);
      expect(restored.restored.every(({ how }) => how === "exact")).toBe(true);
      expect(liveFiles(root)).toEqual(before);
      expect(Object.keys(filesOf(root)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    }
    expect([...kinds].toSorted()).toEqual(expect.arrayContaining(["digest", "move_sections"]));
  });
});

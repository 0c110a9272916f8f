// What `memory-files` prints of the workspace of the examples, word for word. A change of wording shows as a difference in the
// file: read it, and update with `npx vitest run test/golden -u` when it is what you wanted.

import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import picocolors from "picocolors";
import { describe, expect, it, onTestFinished } from "vitest";
import { renderResult } from "../../src/cli/memory-files/plan-view.ts";
import { renderArchived, renderRestored } from "../../src/cli/memory-files/restore.ts";
import { runMemoryFilesCompaction } from "../../src/factories/memory-files.ts";
import { listArchivedChanges } from "../../src/memory-files/restore-memory-files.ts";
import { compactMemoryFiles, restoreMemoryFiles } from "../../src/memory-files.ts";

const example = fileURLToPath(new URL("../../examples/workspace", import.meta.url));
/** Later than every note. */
const now = Date.UTC(2032, 0, 15, 12);
const place = { shown: "examples/workspace", word: "examples/workspace", colors: picocolors.createColors(false) };

function copied(): string {
  const root = mkdtempSync(join(tmpdir(), "agent-compact-golden-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(example, root, { recursive: true });
  return root;
}

describe("golden views of memory files", () => {
  it("what would be done", async () => {
    const look = (aggressive: boolean) =>
      runMemoryFilesCompaction({ root: example, maxMemoryKb: 5, aggressive }, { now: () => now });
    const plain = renderResult(await look(false), { ...place, asked: "" });
    expect(renderResult(await look(false), { ...place, asked: "" })).toBe(plain);
    const aggressive = renderResult(await look(true), { ...place, asked: " --aggressive" });
    await expect(`${plain}\n======\n\n${aggressive}`).toMatchFileSnapshot("memory-files.view.txt");
  });

  it("what was done, what can be restored, and what was", async () => {
    const root = copied();
    const request = { maxMemoryKb: 5, aggressive: true, levers: ["contained", "move", "digest"] as const };
    const done = renderResult(await compactMemoryFiles(root, request, { now: () => now }), {
      ...place,
      asked: "",
    });
    const again = renderResult(await compactMemoryFiles(root, request, { now: () => now }), {
      ...place,
      asked: "",
    });
    const view = { ...place, restore: "agent-compact memory-files restore examples/workspace" };
    const listed = renderArchived(await listArchivedChanges(root), view);
    const restored = renderRestored(await restoreMemoryFiles(root, { all: true }), view);
    const parts = [done, again, listed, restored];
    await expect(parts.join("\n======\n\n")).toMatchFileSnapshot("memory-files.apply.txt");
  });
});

// A note that the memory speaks of by its name keeps what it holds.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { analyzeMemoryFiles } from "../../../src/memory-files/analyze-memory-files.ts";

const SECTION = "## Gateway\n\n- The gateway keeps seven copies of each upload and asks for two approvals.\n";
const NOTE = "memory/2021-02-03.md";

async function removableWith(more: string): Promise<readonly boolean[]> {
  const root = mkdtempSync(join(tmpdir(), "named-notes-"));
  mkdirSync(join(root, "memory"));
  writeFileSync(join(root, "MEMORY.md"), `# Memory\n\n${SECTION}${more}`);
  writeFileSync(join(root, NOTE), `# 2021-02-03\n\n${SECTION}`);
  const options = { now: Date.UTC(2021, 5, 1), count: (text: string) => text.length };
  const { cross_file_issues } = await analyzeMemoryFiles({ root }, options);
  return cross_file_issues.map(({ removable }) => removable);
}

describe("a section that the memory holds", () => {
  it("may leave its note", async () => {
    expect(await removableWith("")).toEqual([true]);
  });

  it("stays where the memory links to the note", async () => {
    expect(await removableWith(`\n## More\n\nSee [here](${NOTE}#gateway).\n`)).toEqual([false]);
  });
});

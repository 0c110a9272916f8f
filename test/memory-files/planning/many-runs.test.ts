// What many runs take together, each applied for real, and what is put back in between.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyMemoryFilesCompaction } from "../../../src/memory-files/apply-memory-files-compaction.ts";
import type { PlanRequest } from "../../../src/memory-files/options.ts";
import { restoreMemoryFiles } from "../../../src/memory-files/restore-memory-files.ts";
import { newWorkspace } from "../workspace/workspace-folder.ts";
import { count, NOW, planOf } from "./planned.ts";

const NOTE = "memory/2031-02-03.md";
const NAMES = "alpha beta gamma delta epsilon zeta eta theta iota kappa".split(" ");
const sections = Array.from({ length: 40 }, (_, index) => {
  const name = NAMES[index % NAMES.length];
  return `## Topic ${name} ${index}\n\n- The ${name} host number ${index} keeps ${index + 2} copies of uploads in room ${index * 3} of the north hall for the ops team.\n- Its owner is person ${index} and the pager code of that person is ${index * 17}, asked for at the gate by the guard.\n`;
}).join("\n");
const copied = { "MEMORY.md": `# Memory\n\n${sections}`, [NOTE]: `# Day\n\n${sections}` };
const repeated = { "MEMORY.md": `# Memory\n\n${"- the same long line of text here\n".repeat(10)}- another line\n` };
const contained: Omit<PlanRequest, "root"> = { levers: ["contained"], maxMemoryKb: 100 };

const sizeOf = (root: string, file: string) => readFileSync(join(root, file)).length;

/** Plans and applies; the number of changes that were made. */
async function run(root: string, request: Omit<PlanRequest, "root">): Promise<number> {
  const { plan } = await planOf(root, request);
  const report = await applyMemoryFilesCompaction(root, plan, { now: NOW, count });
  expect(report.refused).toEqual([]);
  return report.applied.length;
}

describe.each([
  ["the sections of a note", copied, NOTE, contained],
  ["the lines of a memory", repeated, "MEMORY.md", { aggressive: true }],
] as const)("runs that take %s", (_, files, file, request) => {
  it("take no more than half together, and the second finds nothing", async () => {
    const root = newWorkspace(files);
    const before = sizeOf(root, file);
    expect(await run(root, request)).toBe(1);
    const left = sizeOf(root, file);
    expect(left).toBeLessThan(before);
    expect(left).toBeGreaterThanOrEqual(before / 2);
    for (let again = 0; again < 4; again += 1) expect(await run(root, request)).toBe(0);
    expect(sizeOf(root, file)).toBe(left);
    expect((await planOf(root, request)).plan.held.map(({ code }) => code)).toContain("more_than_half");
  });

  it("take the rest where a person says so", async () => {
    const root = newWorkspace(files);
    const half = sizeOf(root, file) / 2;
    await run(root, request);
    expect(await run(root, { ...request, moreThanHalf: true })).toBe(1);
    expect(sizeOf(root, file)).toBeLessThan(half);
  });

  it("take as much as at first when what they took is put back", async () => {
    const root = newWorkspace(files);
    const first = (await planOf(root, request)).plan.changes;
    await run(root, request);
    await restoreMemoryFiles(root, { all: true }, {});
    expect((await planOf(root, request)).plan.changes).toEqual(first);
  });

  it("count what a run took that ended before it said so", async () => {
    const root = newWorkspace(files);
    await run(root, request);
    const journal = join(root, "memory/archive/journal/0001.json");
    const entry = JSON.parse(readFileSync(journal, "utf8"));
    entry.state = "applying";
    for (const change of entry.changes) change.state = "intended";
    writeFileSync(journal, JSON.stringify(entry));
    expect((await planOf(root, request)).plan.changes).toEqual([]);
    // Not one that took nothing.
    const untouched = newWorkspace(files);
    mkdirSync(join(untouched, "memory/archive/journal"), { recursive: true });
    writeFileSync(join(untouched, "memory/archive/journal/0001.json"), JSON.stringify(entry));
    expect((await planOf(untouched, request)).plan.changes).toHaveLength(1);
  });
});

describe("small notes", () => {
  it("may lose all they hold, but no note is made small bit by bit", async () => {
    const text =
      "## Gateway\n\nThe gateway listens on port 8080 behind nginx.\nBackups run nightly from the replica.\n";
    const root = newWorkspace({ "MEMORY.md": text, [NOTE]: text });
    expect(await run(root, {})).toBe(1);
    expect(sizeOf(root, NOTE)).toBe(0);
  });
});

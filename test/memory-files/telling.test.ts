// What plans, applies and restores tell: counts, names of files and how long they took; each failure as one event.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { applyMemoryFilesCompaction } from "../../src/memory-files/apply-memory-files-compaction.ts";
import { compactMemoryFiles } from "../../src/memory-files/compact-memory-files.ts";
import { planMemoryFilesCompaction } from "../../src/memory-files/plan-memory-files-compaction.ts";
import { restoreMemoryFiles } from "../../src/memory-files/restore-memory-files.ts";
import { createExtractiveSummarizer } from "../../src/summaries/record.ts";
import type { NewCompactEvent } from "../../src/trace/emit.ts";

const NOW = Date.UTC(2031, 2, 1);

function newFolder(): string {
  const root = mkdtempSync(join(tmpdir(), "agent-compact-telling-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

function workspace(): string {
  const root = newFolder();
  mkdirSync(join(root, "memory"));
  writeFileSync(join(root, "MEMORY.md"), "Owner: walrus team\nOwner: walrus team\n");
  return root;
}

function listening() {
  const events: NewCompactEvent[] = [];
  const trace = { emit: (event: NewCompactEvent) => void events.push(event) };
  const summarizer = createExtractiveSummarizer();
  return { events, trace, options: { now: NOW, count: (text: string) => text.length, summarizer, trace } };
}

function toldBy(events: readonly NewCompactEvent[]): readonly string[] {
  for (const event of events) {
    expect(event).toMatchObject({ part: "memory_files", duration_ms: expect.any(Number) });
    expect(event.started_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/);
    if (!("counts" in event)) continue;
    expect(Object.values(event.counts).every((figure) => typeof figure === "number")).toBe(true);
  }
  expect(JSON.stringify(events)).not.toContain("walrus");
  return events.map((event) => (event.event === "compact.error" ? `${event.event} ${event.code ?? ""}` : event.event));
}

describe("memory files tell", () => {
  it("of a plan, its apply and the way back", async () => {
    const root = workspace();
    const { events, options, trace } = listening();
    const { plan } = await planMemoryFilesCompaction({ root, aggressive: true }, options);
    await applyMemoryFilesCompaction(root, plan, { ...options, now: NOW + 1000 });
    await restoreMemoryFiles(root, { all: true }, { trace, now: NOW + 2000 });
    expect(toldBy(events)).toEqual(["compact.plan", "compact.applied", "compact.restored"]);
    expect(events.map(({ started_at }) => Date.parse(started_at ?? "") - NOW)).toEqual([0, 1000, 2000]);
  });

  it("of the changes of one call with its plan from when the plan was made", async () => {
    const { events, options } = listening();
    const slowly = (text: string) => {
      const end = performance.now() + 15;
      while (performance.now() < end);
      return text.length;
    };
    await compactMemoryFiles({ root: workspace(), aggressive: true, dryRun: false }, { ...options, count: slowly });
    const [plan, applied] = events;
    expect(toldBy(events)).toEqual(["compact.plan", "compact.applied"]);
    const planned = Date.parse(plan?.started_at ?? "") + (plan?.duration_ms ?? 0);
    // Each is rounded by itself.
    expect(Date.parse(applied?.started_at ?? "")).toBeGreaterThanOrEqual(planned - 2);
    expect(planned).toBeGreaterThan(NOW + 10);
  });

  it.each<[string, string, (options: ReturnType<typeof listening>["options"]) => Promise<unknown>]>([
    ["a plan of no folder", "", (options) => planMemoryFilesCompaction({ root: join(newFolder(), "none") }, options)],
    ["a plan with a bad number", "", (options) => planMemoryFilesCompaction({ root: ".", maxMemoryKb: -1 }, options)],
    ["an apply of no plan", "INVALID_PLAN", (options) => applyMemoryFilesCompaction(workspace(), {}, options)],
    [
      "a restore of the unknown",
      "UNKNOWN_CHANGE",
      (options) => restoreMemoryFiles(workspace(), { ids: ["9"] }, options),
    ],
    ["no plan, in one call", "INVALID_PLAN", (options) => compactMemoryFiles({ root: workspace(), plan: {} }, options)],
    ["no folder, in one call", "", (options) => compactMemoryFiles({ root: join(newFolder(), "none") }, options)],
    [
      "an abort",
      "",
      (options) => applyMemoryFilesCompaction(workspace(), {}, { ...options, signal: AbortSignal.abort() } as never),
    ],
  ])("of %s, once", async (_name, code, act) => {
    const { events, options } = listening();
    await expect(act(options)).rejects.toThrow();
    const told = toldBy(events);
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(`compact.error ${code}`);
  });

  it("of a folder without memory: what was planned, and that it was refused", async () => {
    const { events, options } = listening();
    await expect(compactMemoryFiles({ root: newFolder() }, options)).rejects.toMatchObject({ code: "NO_MEMORY_FILES" });
    expect(toldBy(events)).toEqual(["compact.plan", "compact.error NO_MEMORY_FILES"]);
  });
});

// The whole in one call: the fields of the spec, the plan and the report, and which figures are of before and of after.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type CompactMemoryFilesRequest, compactMemoryFiles } from "../../src/memory-files/compact-memory-files.ts";
import { createExtractiveSummarizer } from "../../src/summaries/record.ts";
import type { CompactEvent } from "../../src/trace/compact-event.ts";
import { verifies } from "../requirements/verifies.ts";

const HELD = "## Rules\n\nRun the smoke tests against staging before every release of the shop.\n";
const MEMORY = `${HELD}\n\n\nOwner: operations team\nOwner: operations team\n`;
const LARGE = `# Day\n\n${"- one step of the long import went well\n".repeat(900)}`;
const NOW = Date.UTC(2031, 2, 1);

function workspace(): string {
  const root = mkdtempSync(join(tmpdir(), "agent-compact-files-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "memory"));
  writeFileSync(join(root, "MEMORY.md"), MEMORY);
  writeFileSync(join(root, "memory/2031-02-01.md"), `# Day\n\nOther things.\n\n${HELD}`);
  writeFileSync(join(root, "memory/2031-02-02.md"), LARGE);
  return root;
}

function compact(request: CompactMemoryFilesRequest, emitted: string[] = []) {
  return compactMemoryFiles(request, {
    now: NOW,
    count: (text) => Math.ceil(text.length / 4),
    summarizer: createExtractiveSummarizer(),
    trace: { emit: (event: Omit<CompactEvent, "at">) => void emitted.push(event.event) },
  });
}

const SPECIFIED = [
  ...["memory_size", "memory_tokens", "cross_file_issues", "internal_duplicates", "high_severity_count", "sections"],
  ...["memory_size_before", "memory_size_after", "rotated", "rotated_count"],
];

describe("a dry run", () => {
  it("is what is done unless told otherwise, and has every field of the spec", async () => {
    verifies("memory-files/return-structure");
    const root = workspace();
    const result = await compact({ root, aggressive: true });
    expect(Object.keys(result)).toEqual(expect.arrayContaining(SPECIFIED));
    const size = MEMORY.length;
    expect(result).toMatchObject({
      ...{ dry_run: true, memory_size: size, memory_size_before: size, memory_size_after: size - 2 - 23 },
      ...{ internal_duplicates: 1, high_severity_count: 1, rotated: false, rotated_count: 0, rotated_files: [] },
      cross_file_issues: [{ section: "Rules", severity: "high", removable: true }],
      sections: [{ heading: "Rules" }],
    });
    expect(result.plan.changes).toHaveLength(3);
    expect(result.report).toBeUndefined();
    expect(readFileSync(join(root, "MEMORY.md"), "utf8")).toBe(MEMORY);
  });

  it("may look at a plan that was made before", async () => {
    const root = workspace();
    const { plan } = await compact({ root, maxMemoryKb: 9 });
    const looked = await compact({ root, plan, dryRun: true });
    expect(looked).toMatchObject({ dry_run: true, max_memory_kb: 9, plan });
  });
});

describe("carrying out", () => {
  it("says what is on disk afterwards; the analysis is the one of before", async () => {
    const root = workspace();
    const emitted: string[] = [];
    const result = await compact({ root, aggressive: true, dryRun: false }, emitted);
    const { size } = statSync(join(root, "MEMORY.md"));
    expect(size).toBeLessThan(MEMORY.length);
    expect(result).toMatchObject({
      ...{ dry_run: false, memory_size: MEMORY.length, memory_size_before: MEMORY.length, memory_size_after: size },
      ...{ rotated: true, rotated_count: 1, high_severity_count: 1 },
      rotated_files: [{ file: "memory/2031-02-02.md", original_size: LARGE.length }],
    });
    expect(result.report?.applied).toHaveLength(3);
    expect(emitted).toEqual(["compact.plan", "compact.applied"]);
  });

  it("takes a plan from JSON, and then makes none", async () => {
    const root = workspace();
    const { plan } = await compact({ root });
    const emitted: string[] = [];
    const result = await compact({ root, plan: JSON.parse(JSON.stringify(plan)) }, emitted);
    expect(result.report?.applied).toHaveLength(2);
    expect(result.plan).toEqual(plan);
    expect(emitted).toEqual(["compact.applied"]);
  });

  it("refuses what is no plan before anything is done", async () => {
    const root = workspace();
    await expect(compact({ root, plan: {} })).rejects.toMatchObject({ code: "INVALID_PLAN" });
    expect(readFileSync(join(root, "memory/2031-02-02.md"), "utf8")).toBe(LARGE);
  });
});

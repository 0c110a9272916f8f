// Memory files with what is given when nobody says otherwise: tokens, clock, summaries by code; and what a model reads.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  analyzeMemoryFiles,
  applyMemoryFilesCompaction,
  compactMemoryFiles,
  planMemoryFilesCompaction,
  restoreMemoryFiles,
} from "../../src/memory-files.ts";
import { createTokenCounter } from "../../src/tokens.ts";
import { newFolder } from "./config-folder.ts";

const { count: countTokens } = createTokenCounter({ encoding: "o200k_base" });

const NOW = Date.UTC(2031, 5, 1);
const SECTION = "## Ports\n\nThe staging database listens on port 5433 behind the proxy.\n";
const SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ456789";

function newWorkspace(): string {
  const root = newFolder();
  mkdirSync(join(root, "memory"));
  writeFileSync(join(root, "MEMORY.md"), `# Memory\n\n${SECTION}`);
  writeFileSync(join(root, "memory", "2031-02-03.md"), `# Day\n\n${SECTION}`);
  return root;
}

describe("memory files", () => {
  it("are analysed with exact tokens", async () => {
    const { sections, memory_tokens_exact, max_memory_kb } = await analyzeMemoryFiles(newWorkspace());
    expect(sections.map(({ heading, tokens_exact }) => [heading, tokens_exact])).toEqual([
      ["Ports", countTokens(SECTION.slice(9, -1))],
    ]);
    expect(memory_tokens_exact).toBe(countTokens(`# Memory\n\n${SECTION}`));
    expect(max_memory_kb).toBe(15);
  });

  it("are planned, applied and restored", async () => {
    const root = newWorkspace();
    const note = join(root, "memory", "2031-02-03.md");
    const before = readFileSync(note, "utf8");
    const { plan, analysis } = await planMemoryFilesCompaction(root, {}, { now: () => NOW });
    expect(analysis.workspace).toBe(plan.workspace);
    expect(plan.created_at).toBe("2031-06-01T00:00:00.000Z");
    const report = await applyMemoryFilesCompaction(root, plan, { now: () => NOW });
    expect(report.applied.map(({ file }) => file)).toEqual(["memory/2031-02-03.md"]);
    expect(readFileSync(note, "utf8")).not.toBe(before);
    await restoreMemoryFiles(root, { all: true }, { now: () => NOW });
    expect(readFileSync(note, "utf8")).toBe(before);
  });

  it("are changed by compact, which is plan and apply, and by plan never", async () => {
    const root = newWorkspace();
    const before = readFileSync(join(root, "memory", "2031-02-03.md"), "utf8");
    await planMemoryFilesCompaction(root, { aggressive: true }, { now: () => NOW });
    expect(readFileSync(join(root, "memory", "2031-02-03.md"), "utf8")).toBe(before);
    expect((await compactMemoryFiles(root, { aggressive: true }, { now: () => NOW })).report?.applied).toHaveLength(1);
    expect(readFileSync(join(root, "memory", "2031-02-03.md"), "utf8")).not.toBe(before);
  });
});

/** Its notes of a month that is over hold a secret. */
function newMonth(): string {
  const root = newWorkspace();
  for (let day = 10; day < 28; day++) {
    const text = `# Day\n\n- Deployed build ${day} to staging with api_key=${SECRET} and checked the queue length ${day * 7}.\n`;
    writeFileSync(join(root, "memory", `2031-02-${day}.md`), text.repeat(3));
  }
  return root;
}

describe("digests", () => {
  it("by a model are made without secrets, unless somebody allows it", async () => {
    const root = newMonth();
    const request = { levers: ["digest"] as const };
    const read: string[] = [];
    const model = async (asked: unknown) => {
      read.push(JSON.stringify(asked));
      return "## Done\n\n- Deployed builds to staging.\n";
    };
    await planMemoryFilesCompaction(root, request, { now: () => NOW, summarizer: { model } });
    expect(read.join("")).toContain("Deployed build");
    expect(read.join("")).not.toContain(SECRET);
    read.length = 0;
    await planMemoryFilesCompaction(root, request, { now: () => NOW, summarizer: { model, redactInput: false } });
    expect(read.join("")).toContain(SECRET);
  });

  it("are by code unless a model is given, and then keep what the notes say", async () => {
    for (const summarizer of [undefined, { type: "extractive" }] as const) {
      const { plan } = await planMemoryFilesCompaction(
        newMonth(),
        { levers: ["digest"] },
        { now: () => NOW, summarizer },
      );
      const digests = plan.changes.flatMap((change) => (change.kind === "digest" ? [change] : []));
      expect(digests.map(({ source }) => source)).toEqual(["extractive"]);
      expect(digests[0]?.text).toContain(SECRET);
    }
  });
});

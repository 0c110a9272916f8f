// What memory files are measured by and how far an edit may go: limits to the byte, and foreign files as they are.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BLOATED_NOTE_BYTES, DEFAULT_MAX_MEMORY_KB, ROTATE_BYTES } from "../../src/memory-files/options.ts";
import { analyzeMemoryFiles, applyMemoryFilesCompaction, planMemoryFilesCompaction } from "../../src/memory-files.ts";
import { filesOf } from "../memory-files/applying/sample-plan.ts";
import { type Files, newWorkspace } from "../memory-files/workspace/workspace-folder.ts";
import { verifies } from "../requirements/verifies.ts";

const NOW = Date.UTC(2031, 1, 20, 12);
const options = { now: () => NOW };

/** A log of which the oldest day may move, this many bytes long. */
function log(bytes: number): string {
  const days = Array.from(
    { length: 20 },
    (_, day) => `## 2031-01-${String(day + 1).padStart(2, "0")}\n\nDay ${day} was spent on part ${day}.\n`,
  );
  const text = `# Log\n\n${days.join("\n")}`;
  return `${text}${"x".repeat(bytes - text.length - 1)}\n`;
}

async function apply(files: Files, asked: { aggressive?: boolean; moreThanHalf?: boolean } = { aggressive: true }) {
  const root = newWorkspace(files);
  const { plan } = await planMemoryFilesCompaction(root, asked, options);
  await applyMemoryFilesCompaction(root, plan, options);
  return { root, plan, memory: readFileSync(join(root, "MEMORY.md"), "utf8") };
}

describe("limits of memory files", () => {
  it("are the agreed bytes, and the plan says what brings the memory under its own", async () => {
    verifies("memory-files/size-trigger", "rulings/size-limits");
    expect([DEFAULT_MAX_MEMORY_KB, BLOATED_NOTE_BYTES, ROTATE_BYTES]).toEqual([15, 8192, 30_720]);
    for (const [size, limit, over] of [
      [15_360, undefined, 0],
      [15_361, undefined, 1],
      [5120, 5, 0],
      [5121, 5, 1],
    ] as const) {
      const root = newWorkspace({ "MEMORY.md": log(size) });
      const { plan } = await planMemoryFilesCompaction(root, { maxMemoryKb: limit }, options);
      expect([plan.memory_size_before, plan.over_limit_bytes]).toEqual([size, over]);
      const [move] = plan.changes;
      expect(plan.changes.length).toBe(over === 0 ? 0 : 1);
      if (over > 0)
        expect([move?.kind, move?.apply, (move?.bytes_after ?? size) < size]).toEqual(["move_sections", false, true]);
    }
    const sizes = { 8192: false, 8193: true, 30720: true, 30721: true };
    const notes = Object.keys(sizes).map((bytes, day) => [
      `memory/2031-01-0${day + 1}.md`,
      `# N\n\n${"x".repeat(Number(bytes) - 6)}\n`,
    ]);
    const root = newWorkspace({
      "MEMORY.md": "# M\n\nabcdefghij\nabcdefghij\nabcdefghijk\nabcdefghijk\n",
      ...Object.fromEntries(notes),
    });
    const analysis = await analyzeMemoryFiles(root, {}, options);
    const bloated = new Set(analysis.notes.filter(({ bloated }) => bloated).map(({ bytes }) => bytes));
    expect([...bloated].sort((a, b) => a - b)).toEqual([8193, 30_720, 30_721]);
    const { plan } = await planMemoryFilesCompaction(root, {}, options);
    expect(plan.changes.map(({ kind, bytes_before }) => [kind, bytes_before])).toEqual([["rotate", 30_721]]);
    expect(analysis.duplicate_lines).toHaveLength(1);
  });
});

describe("aggressive tidying", () => {
  it("stays inside one section, outside code, tables and front matter, and takes at most half", async () => {
    verifies("rulings/aggressive-dedup-bounds");
    const kept =
      "---\na: 1\na: 1\n---\n# M\n\n## A\n\n- keep the lock\n\n```\nx\n\n\nx\n```\n\n| a |\n|---|\n| 1 |\n| 1 |\n\n## B\n\n- keep the lock\n";
    const { memory, root, plan } = await apply({
      "MEMORY.md": kept.replace("- keep the lock\n\n```", "- keep the lock\n- keep the lock\n\n\n\n```"),
    });
    expect(memory).toBe(kept);
    expect((await planMemoryFilesCompaction(root, { aggressive: true }, options)).plan.changes).toEqual([]);
    expect(plan.changes.map(({ kind }) => kind)).toEqual(["tidy"]);

    const repeated = `# M\n\n${"- the same line of text\n".repeat(40)}`;
    const half = await apply({ "MEMORY.md": repeated });
    expect(half.memory.length).toBeGreaterThanOrEqual(repeated.length / 2);
    expect(half.memory.length).toBeLessThan(repeated.length);
    expect(half.plan.held.map(({ code }) => code)).toContain("more_than_half");
    const all = await apply({ "MEMORY.md": repeated }, { aggressive: true, moreThanHalf: true });
    expect(all.memory).toBe("# M\n\n- the same line of text\n");
  });
});

describe("files of another hand", () => {
  const FOREIGN =
    "---\ntitle:   'x'\n---\n<!-- a comment -->\n* one\n- two\n+ three\n\n[ref]: https://example.org 'T'\nsee [it][ref]  \ntrailing   \n\n~~~\nnever closed\n\n\n\nno line end";

  it("keep every byte outside the planned ranges, and are refused where they are no text", async () => {
    verifies("field/foreign-files-rewritten");
    const held =
      "\n## Gateway\n\nThe gateway listens on port 8080 behind nginx.\nBackups run nightly from the replica in Frankfurt.\n";
    const note = `# Day\n${held}\n## Own\n\n${FOREIGN}`;
    const files = {
      "MEMORY.md": `# M\n${held}`,
      "memory/2031-02-03.md": note,
      "memory/2031-02-04.md": Uint8Array.of(0xff, 0xfe, 0x41, 0),
    };
    const root = newWorkspace(files);
    const before = [filesOf(root), statSync(join(root, "MEMORY.md")).mtimeMs];
    const { plan, analysis } = await planMemoryFilesCompaction(root, { aggressive: true }, options);
    expect([filesOf(root), statSync(join(root, "MEMORY.md")).mtimeMs]).toEqual(before);
    expect(analysis.unread).toMatchObject([{ file: "memory/2031-02-04.md", code: "NOT_TEXT" }]);
    expect(plan.changes.map(({ kind }) => kind)).toEqual(["remove_sections"]);
    await applyMemoryFilesCompaction(root, plan, options);
    expect(readFileSync(join(root, "memory/2031-02-03.md"), "utf8")).toBe(`# Day\n\n## Own\n\n${FOREIGN}`);
    expect(readFileSync(join(root, "memory/2031-02-04.md"))).toEqual(Buffer.from(files["memory/2031-02-04.md"]));
    expect((await apply({ "MEMORY.md": FOREIGN })).memory).toBe(FOREIGN);
  });
});

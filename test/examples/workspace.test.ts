// The guide to memory files walks through the example workspace. What it says about it is held to be so: its
// figures, what leaves, what stays and why, and that all of it comes back.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listArchivedChanges } from "../../src/memory-files/restore-memory-files.ts";
import {
  analyzeMemoryFiles,
  applyMemoryFilesCompaction,
  planMemoryFilesCompaction,
  restoreMemoryFiles,
} from "../../src/memory-files.ts";
import { verifies } from "../requirements/verifies.ts";

const repository = new URL("../../", import.meta.url);
const example = fileURLToPath(new URL("examples/workspace", repository));
/** Columns of tables are as wide as their longest cell: runs of blanks say nothing. */
const page = (name: string) => readFileSync(new URL(name, repository), "utf8").replace(/ +/g, " ");
const guide = page("docs/guides/memory-files.md");

/** The hour of the guide, and the limit of the command line. */
const options = { now: () => Date.UTC(2026, 10, 28, 12) };
const MAX_KB = 5;
const figure = (value: number) => value.toLocaleString("en-US");

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "example-workspace-"));
  cpSync(example, root, { recursive: true });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Every file by its name, the archive left out. */
function contentsOf(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .filter((name) => !name.startsWith(join("memory", "archive")));
  return new Map(names.sort().map((name) => [name, readFileSync(join(folder, name), "latin1")]));
}

describe("the example workspace", () => {
  it("has the sizes that the guide shows", async () => {
    const found = await analyzeMemoryFiles(example, { maxMemoryKb: MAX_KB }, options);
    const { memory_size, memory_characters, memory_tokens_exact, memory_tokens, over_limit_bytes, sections } = found;
    const largest = sections.toSorted((a, b) => b.tokens_exact - a.tokens_exact).slice(0, 3);
    expect(guide).toContain(
      ` ${figure(memory_size)} bytes, ${figure(memory_characters)} characters, ${figure(memory_tokens_exact)} tokens (by the estimate ${figure(memory_tokens)})\n`,
    );
    expect(guide).toContain(` ⚠ ${figure(over_limit_bytes)} bytes over the limit of ${MAX_KB} KB\n`);
    const bloated = sections.filter((section) => section.bloated).length;
    expect(guide).toContain(`\n${sections.length} sections, ⚠ ${bloated} above 500 tokens\n`);
    for (const { heading, line_from, line_to, tokens_exact, tokens } of largest)
      expect(guide).toContain(`\n ${heading} ${line_from}-${line_to} ${tokens_exact} ${tokens} `);
    const { notes, duplicate_lines } = found;
    const bytes = notes.reduce((sum, note) => sum + note.bytes, 0);
    expect(guide).toContain(`\n${notes.length} notes: ${figure(bytes)} bytes, `);
    for (const note of notes.filter(({ bloated }) => bloated))
      expect(guide).toContain(`\n ⚠ ${note.file} ${figure(note.bytes)} ${figure(note.tokens_exact)}`);
    for (const { occurrences, lines } of duplicate_lines)
      expect(guide).toContain(`\n ×${occurrences} ${lines.join(", ")} `);
  });

  it("holds sections that only repeat the memory, and four that differ from it, which no plan touches", async () => {
    verifies("rulings/false-duplicate-guard");
    const levers = ["contained", "move"] as const;
    const { plan, analysis } = await planMemoryFilesCompaction(root, { aggressive: true, levers }, options);
    const { contained_sections, cross_file_issues } = analysis;
    expect(guide).toContain(`: ${cross_file_issues.length} alike (0 high), ${contained_sections.length} contained\n`);
    const kept = contained_sections.filter(({ removable }) => !removable);
    expect(kept.map(({ file, section, differs_in }) => [file, section, differs_in])).toEqual([
      ["memory/2025-10-15.md", "Watering", "number"],
      ["memory/2025-10-22.md", "Tank", "negation"],
      ["memory/2025-11-24-delay.md", "Main valve", "order"],
      ["memory/2025-12-01.md", "Alarm list", "negation"],
    ]);
    for (const { file, section } of kept) {
      expect(guide).toContain(`| \`${file.replace("memory/", "")}\`, ${section} |`);
      expect(plan.changes.map((change) => change.file)).not.toContain(file);
      expect(plan.held).toContainEqual(expect.objectContaining({ file, section }));
    }
    expect(plan.changes.map(({ kind }) => kind)).not.toContain("move_sections");
    expect(guide).toContain("The example has no log by date: nothing moves.");
  });

  it("is compacted, listed and brought back as the guide shows it, to the same bytes", async () => {
    verifies("memory-files/aggressive-mode-dedup", "memory-files/rotation-moves-original");
    const request = { maxMemoryKb: MAX_KB, aggressive: true, levers: ["contained"] as const };
    const { plan } = await planMemoryFilesCompaction(root, request, options);
    const report = await applyMemoryFilesCompaction(root, plan, options);
    expect(guide).toContain(
      `Done in workspace: ${report.applied.length} changes, memory ${figure(report.memory_size_before)} → ${figure(report.memory_size_after)} bytes\n`,
    );
    for (const { id, file, bytes_before, bytes_after, archived } of report.applied) {
      expect(guide).toMatch(
        new RegExp(`\\n ${id} [^\\n]*${file} ${figure(bytes_before)} → ${figure(bytes_after)} B\\n`),
      );
      for (const place of archived) expect(guide).toContain(` kept in ${place}\n`);
    }
    for (const { id, at, file } of await listArchivedChanges(root))
      expect(guide).toMatch(new RegExp(`\\n ${id} ${at.slice(0, 10)} [^\\n]*${file} `));
    expect((await planMemoryFilesCompaction(root, request, options)).plan.totals.changes).toBe(0);
    await restoreMemoryFiles(root, { all: true }, options);
    expect(contentsOf(root)).toEqual(contentsOf(example));
  });

  it("becomes a digest of the one month that is worth it, which leaves out nothing that is to be done", async () => {
    const { plan } = await planMemoryFilesCompaction(root, { levers: ["digest"] }, options);
    const digests = plan.changes.flatMap((change) => (change.kind === "digest" ? [change] : []));
    expect(digests.map(({ file }) => file)).toEqual(["memory/2025-11.md"]);
    for (const { text, notes, tokens_before, tokens_after } of digests) {
      expect(tokens_after).toBeLessThan(tokens_before * 0.7);
      const tasks = notes.flatMap((note) => readFileSync(join(root, note), "utf8").match(/(?<=^- \[ \] ).*$/gm) ?? []);
      for (const task of tasks) expect(text).toContain(`- [ ] ${task} (`);
    }
  });
});

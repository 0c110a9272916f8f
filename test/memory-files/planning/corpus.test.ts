import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isInUse } from "../../../src/memory-files/dates.ts";
import { applyEdits, fileOf, isEdit, planOf } from "./planned.ts";

const CORPUS = process.env.AGENT_CORPUS;

function unpack(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), "agent-compact-corpus-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync("tar", ["-xzf", join(CORPUS ?? "", "memory-md", name), "-C", folder]);
  return folder;
}

/** The folder that holds a file of this name. */
function folderOf(root: string, file: string): string {
  const found = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.split("/").at(-1) === file,
  );
  const [shortest = file] = found.sort((left, right) => left.length - right.length);
  return join(root, shortest, "..");
}

describe.skipIf(!CORPUS)("a workspace that people use", () => {
  const levers = ["contained", "move"] as const;

  it("and each of its past memories is planned so that a second run finds nothing", { timeout: 300_000 }, async () => {
    const archives = readdirSync(join(CORPUS ?? "", "memory-md")).filter((name) => name.endsWith(".tar.gz"));
    const folders = archives.map(unpack);
    const live = folders
      .map((folder) => folderOf(folder, "MEMORY.md"))
      .find((folder) => readdirSync(folder).includes("memory"));
    if (live === undefined) throw new Error("no workspace in the corpus");
    const past = folders
      .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)))
      .filter((path) => path.endsWith("MEMORY.md"));
    expect(past.length).toBeGreaterThan(10);
    for (const memory of past) {
      const root = mkdtempSync(join(tmpdir(), "agent-compact-corpus-"));
      onTestFinished(() => rmSync(root, { recursive: true, force: true }));
      cpSync(join(live, "memory"), join(root, "memory"), { recursive: true });
      cpSync(memory, join(root, "MEMORY.md"));
      await check(root);
    }
  });

  async function check(root: string): Promise<void> {
    const now = Date.UTC(2026, 5, 1);
    const before = fileOf(readFileSync(join(root, "MEMORY.md")));
    const { plan } = await planOf(root, { aggressive: true, levers }, now);
    for (const change of plan.changes.filter(isEdit)) {
      expect(isInUse(change.file.match(/\d{4}-\d\d-\d\d/)?.[0], now)).toBe(false);
      if (change.kind !== "move_sections") continue;
      // Only entries that begin with their day move, and no task that is open.
      for (const range of change.ranges) {
        expect(range.heading).toMatch(/^\d{4}-\d\d-\d\d/);
        const text = before.lines.slice(range.line_from - 1, range.line_to).map((line) => line.text);
        expect(text.filter((line) => /^\s*- \[ \]/.test(line))).toEqual([]);
      }
    }
    applyEdits(root, plan);
    const after = readFileSync(join(root, "MEMORY.md"));
    expect(after.length).toBe(plan.memory_size_after);
    const again = (await planOf(root, { aggressive: true, levers }, now)).plan;
    expect(again.changes).toEqual([]);
    const gone = new Set(
      plan.changes
        .filter(isEdit)
        .filter(({ file }) => file === "MEMORY.md")
        .flatMap(linesOf),
    );
    const stays = before.lines.filter((_, index) => !gone.has(index)).map((line) => line.text);
    expect(
      fileOf(after)
        .lines.map((line) => line.text)
        .filter((line) => !line.startsWith("> Moved on ")),
    ).toEqual(expect.arrayContaining(stays));
  }

  function linesOf({
    ranges,
  }: {
    readonly ranges: readonly { line_from: number; line_to: number }[];
  }): readonly number[] {
    return ranges.flatMap(({ line_from, line_to }) =>
      Array.from({ length: line_to - line_from + 1 }, (_, index) => line_from - 1 + index),
    );
  }
});

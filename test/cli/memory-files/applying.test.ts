// `memory-files --apply`, plans in files, and `restore`: what is written, what is told, what is refused.
import { appendFileSync, chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { verifies } from "../../requirements/verifies.ts";
import { newFolder } from "../command-line.ts";
import {
  contents,
  FILES,
  json,
  LARGE,
  LARGE_NOTE,
  look,
  MEMORY,
  memoryFiles,
  NOTE,
  TIDY_MEMORY,
  workspaceWith,
} from "./workspace-folder.ts";

const WITHOUT =
  "# Monday\n\nMoved the shop to the new region.\n\n## Open\n\nAsk Mia about the certificate of the old host.\n";
const read = (cwd: string, file: string) => readFileSync(join(cwd, file), "utf8");

describe("--apply", () => {
  it("does what is safe, keeps what left, and says how to get it back", async () => {
    verifies("memory-files/automatic-removes-high-only", "memory-files/automatic-mode-conditions");
    const cwd = workspaceWith();
    const { code, stdout, stderr } = await memoryFiles(cwd, ["--apply"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(contents(cwd)).toMatchObject({
      ...FILES,
      [NOTE]: WITHOUT,
      [LARGE_NOTE]: expect.stringContaining("# Rotated Daily Note"),
    });
    expect(read(cwd, "memory/archive/2021-02-03.full.md")).toBe(LARGE);
    expect(stdout).toContain("Done in this folder: 2 changes, memory stays at 231 bytes");
    expect(stdout).toMatch(
      new RegExp(
        `^ {3}1\\.1 removed sections of ${NOTE} +284 → 101 B\n {7}Deploy checklist\n {7}kept in memory/archive/removed/0001/`,
        "m",
      ),
    );
    expect(stdout).toMatch(new RegExp(`^ {3}1\\.2 rotated ${LARGE_NOTE} `, "m"));
    expect(stdout.endsWith("\n  agent-compact memory-files restore . 1\n")).toBe(true);
  });

  it("has nothing to do the second time", async () => {
    const cwd = workspaceWith();
    await memoryFiles(cwd, ["--aggressive", "--apply"]);
    const after = look(cwd);
    const { code, stdout } = await memoryFiles(cwd, ["--aggressive", "--apply"]);
    expect(code).toBe(0);
    expect(stdout).toBe("Nothing was changed in this folder, memory stays at 206 bytes\n");
    expect(look(cwd)).toEqual(after);
  });

  it("touches the memory only with --aggressive, and rotates in either mode", async () => {
    verifies("memory-files/aggressive-mode-dedup", "memory-files/aggressive-mode-rotates");
    for (const aggressive of [false, true]) {
      const cwd = workspaceWith();
      const result = await json(cwd, ["--apply", ...(aggressive ? ["--aggressive"] : [])]);
      expect(read(cwd, "MEMORY.md")).toBe(aggressive ? TIDY_MEMORY : MEMORY);
      expect(result).toMatchObject({
        ...{ dry_run: false, memory_size: 231, memory_size_before: 231, rotated: true, rotated_count: 1 },
        memory_size_after: statSync(join(cwd, "MEMORY.md")).size,
        rotated_files: [{ file: LARGE_NOTE, original_size: 35_903, archive_path: "memory/archive/2021-02-03.full.md" }],
      });
      expect(result.report.applied).toHaveLength(aggressive ? 3 : 2);
      expect(result.cross_file_issues).toHaveLength(2);
    }
  });

  it("counts the places in the archive that it does not name", async () => {
    const notes = Array.from({ length: 6 }, (_, day) => [
      `memory/2021-02-1${day}.md`,
      `# Day ${day}\n\n${`We talked about part ${day} for a while and went on. `.repeat(60)}\n`,
    ]);
    const cwd = workspaceWith({ "MEMORY.md": MEMORY, ...Object.fromEntries(notes) });
    const { stdout } = await memoryFiles(cwd, ["--digest", "--apply"]);
    expect(stdout).toMatch(/^ {7}kept in memory\/archive\/2021-02\/2021-02-12\.md\n {7}and 3 more$/m);
    expect(stdout).not.toContain("kept in and");
  });

  it("tells nothing with --quiet", async () => {
    const cwd = workspaceWith();
    expect(await memoryFiles(cwd, ["--apply", "--quiet"])).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(read(cwd, NOTE)).toBe(WITHOUT);
  });

  it("shows what was done of the rest where a file cannot be written, and fails", async () => {
    if (process.getuid?.() === 0) return;
    const cwd = workspaceWith({ ...FILES, "memory/archive/2021-02-03.full.md": "older" });
    chmodSync(join(cwd, "memory"), 0o500);
    const { code, stderr } = await memoryFiles(cwd, ["--apply"]);
    chmodSync(join(cwd, "memory"), 0o700);
    expect(code).toBe(1);
    expect(stderr).toMatch(/agent-compact: .+/);
    expect(contents(cwd)).toEqual(FILES);
  });
});

describe("a plan in a file", () => {
  it("is written without changing anything else, and carried out later", async () => {
    const cwd = workspaceWith();
    const before = contents(cwd);
    const { code, stdout } = await memoryFiles(cwd, ["--aggressive", "--plan-out", "plan.json"]);
    expect(code).toBe(0);
    expect(stdout).toContain("Planned: 3 changes");
    expect(stdout).toMatch(/^ {2}1\. tidy \d+ places of MEMORY\.md /m);
    expect(stdout.endsWith("carry it out:\n  agent-compact memory-files . --plan plan.json\n")).toBe(true);
    expect(existsSync(join(cwd, "memory/archive"))).toBe(false);
    const { "plan.json": written = "", ...others } = contents(cwd);
    expect(others).toEqual(before);
    expect(JSON.parse(written).changes).toHaveLength(3);
    const applied = await memoryFiles(cwd, ["--plan", "plan.json"]);
    expect(applied.code).toBe(0);
    expect(applied.stdout).toContain("3 changes, memory 231 → 206 bytes");
  });

  it("goes to stdout with -, alone, and comes from stdin", async () => {
    const cwd = workspaceWith();
    const { stdout } = await memoryFiles(cwd, ["--plan-out", "-"]);
    expect(JSON.parse(stdout).changes).toHaveLength(2);
    const { code } = await memoryFiles(cwd, ["--plan", "-", "--apply"], { stdin: stdout });
    expect(code).toBe(0);
    expect(read(cwd, NOTE)).toBe(WITHOUT);
  });

  it("names its place with --quiet, and is one object with --json", async () => {
    const cwd = workspaceWith();
    expect((await memoryFiles(cwd, ["--plan-out", "plan.json", "--quiet"])).stdout).toBe("plan.json\n");
    expect(await json(cwd, ["--plan-out", "plan.json"])).toMatchObject({
      plan: join(cwd, "plan.json"),
      totals: { changes: 2 },
    });
  });

  it("knows its workspace, and is refused in another", async () => {
    const cwd = workspaceWith();
    const elsewhere = newFolder();
    await memoryFiles(cwd, ["--plan-out", join(elsewhere, "plan.json")]);
    const other = workspaceWith();
    const refused = await memoryFiles(other, [".", "--plan", join(elsewhere, "plan.json")]);
    expect(refused.code).toBe(2);
    expect(contents(other)).toEqual(FILES);
    expect((await memoryFiles(elsewhere, ["--plan", "plan.json"])).code).toBe(0);
    expect(read(cwd, NOTE)).toBe(WITHOUT);
  });

  it("does what a person left of it", async () => {
    const cwd = workspaceWith();
    await memoryFiles(cwd, ["--plan-out", "plan.json"]);
    const plan = JSON.parse(read(cwd, "plan.json"));
    plan.changes[0].apply = false;
    writeFileSync(join(cwd, "plan.json"), JSON.stringify(plan));
    expect((await json(cwd, ["--plan", "plan.json"])).report.applied).toMatchObject([{ kind: "rotate" }]);
    expect(read(cwd, NOTE)).toBe(FILES[NOTE]);
  });

  it("names what was refused in the order of the plan", async () => {
    const cwd = workspaceWith();
    await memoryFiles(cwd, ["--aggressive", "--plan-out", "plan.json"]);
    for (const file of ["MEMORY.md", NOTE, LARGE_NOTE]) appendFileSync(join(cwd, file), "\nMore.\n");
    const { stdout } = await memoryFiles(cwd, ["--plan", "plan.json", "--json"]);
    expect(JSON.parse(stdout).report.refused.map(({ change }: { change: number }) => change)).toEqual([1, 2, 3]);
  });

  it("is refused for a file that changed since, and carried out for the others", async () => {
    const cwd = workspaceWith();
    await memoryFiles(cwd, ["--plan-out", "plan.json"]);
    appendFileSync(join(cwd, NOTE), "\n- one more thing\n");
    const { code, stdout, stderr } = await memoryFiles(cwd, ["--plan", "plan.json"]);
    expect(code).toBe(4);
    expect(stdout).toContain("Done in this folder: 1 change");
    expect(stdout).toContain("1 change not made, and its file is as before");
    expect(stdout).toContain(`⚠ change 1: ${NOTE} `);
    expect(stderr).toContain("agent-compact: 1 of 2 changes was not made.");
    expect(stderr).toContain("--plan-out FILE");
    expect(read(cwd, NOTE)).toBe(`${FILES[NOTE]}\n- one more thing\n`);
    expect(read(cwd, "memory/archive/2021-02-03.full.md")).toBe(LARGE);
    const again = await memoryFiles(cwd, ["--plan", "plan.json", "--json"]);
    expect(again.code).toBe(4);
    expect(JSON.parse(again.stdout).report).toMatchObject({
      applied: [],
      refused: [{ code: "STALE_PLAN" }, { code: "STALE_PLAN" }],
    });
  });

  it.each([
    ["no JSON", "MEMORY"],
    ["no plan", "{}"],
    ["a plan that leaves the workspace", undefined],
  ])("is refused when it is %s", async (_what, text) => {
    const cwd = workspaceWith();
    await memoryFiles(cwd, ["--plan-out", "plan.json"]);
    const hostile = read(cwd, "plan.json").replaceAll(NOTE, "../outside.md");
    writeFileSync(join(cwd, "plan.json"), text ?? hostile);
    const { code, stdout, stderr } = await memoryFiles(cwd, ["--plan", "plan.json"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("--plan-out FILE");
    const { "plan.json": _, ...others } = contents(cwd);
    expect(others).toEqual(FILES);
  });
});

describe("restore", () => {
  it("lists what can be brought back, and brings back one, a run, or everything, byte for byte", async () => {
    const cwd = workspaceWith();
    await memoryFiles(cwd, ["--aggressive", "--apply"]);
    const listed = await memoryFiles(cwd, ["restore", "."]);
    expect(listed.code).toBe(0);
    expect(listed.stdout).toContain("3 changes in this folder can be undone.");
    expect(listed.stdout).toMatch(/^ {2}1\.3 +\d{4}-\d\d-\d\d +rotate +memory\/2021-02-03\.md /m);
    const one = await memoryFiles(cwd, ["restore", ".", "1.2"]);
    expect(one).toMatchObject({ code: 0, stderr: "" });
    expect(one.stdout).toContain(`1.2 ${NOTE} (remove sections): as it was, byte for byte`);
    expect(read(cwd, NOTE)).toBe(FILES[NOTE]);
    expect((await memoryFiles(cwd, ["restore", "."])).stdout).toContain(
      "2 changes in this folder can be undone. 1 change is back already.",
    );
    const all = await json(cwd, ["restore", ".", "--all"]);
    expect(all).toMatchObject({ already: ["1.2"], refused: [] });
    expect(all.restored.map(({ id }: { id: string }) => id).toSorted()).toEqual(["1.1", "1.3"]);
    expect(contents(cwd)).toEqual(FILES);
    expect((await memoryFiles(cwd, ["restore", "."])).stdout).toContain("There is nothing to restore in this folder.");
    expect((await json(cwd, ["restore", "."])).changes).toHaveLength(3);
  });

  it("keeps what was written since", async () => {
    const cwd = workspaceWith();
    await memoryFiles(cwd, ["--apply"]);
    appendFileSync(join(cwd, NOTE), "- later\n");
    const { code, stdout } = await memoryFiles(cwd, ["restore", ".", "1"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/what left is back in its\s+place;\s+what was written since stays/);
    expect(read(cwd, NOTE)).toBe(`${FILES[NOTE]}- later\n`);
  });

  it("knows nothing of an id that is none, and does nothing", async () => {
    const cwd = workspaceWith();
    await memoryFiles(cwd, ["--apply"]);
    const before = look(cwd);
    const { code, stdout, stderr } = await memoryFiles(cwd, ["restore", ".", "1.1", "9.9"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("9.9");
    expect(look(cwd)).toEqual(before);
  });

  it("fails where a place is gone, after the others are back", async () => {
    const cwd = workspaceWith();
    await memoryFiles(cwd, ["--aggressive", "--apply"]);
    writeFileSync(join(cwd, "MEMORY.md"), "# All new\n");
    const { code, stdout, stderr } = await memoryFiles(cwd, ["restore", ".", "--all"]);
    expect(code).toBe(4);
    expect(stdout).toContain("Restored 2 changes");
    expect(stdout).toContain("1 change not restored");
    expect(stderr).toContain("1 change was not restored.");
    expect(read(cwd, "MEMORY.md")).toBe("# All new\n");
    expect(read(cwd, NOTE)).toBe(FILES[NOTE]);
  });

  it("says of a digest that its notes are back, and meanwhile of what it was made", async () => {
    const cwd = workspaceWith();
    await memoryFiles(cwd, ["--digest", "--apply"]);
    const made = await memoryFiles(cwd, []);
    expect(made.stdout).toContain("1 digest (2021-02) of 3 notes");
    expect((await json(cwd)).digests).toEqual([{ file: "memory/2021-02.md", notes: 3 }]);
    const { stdout } = await memoryFiles(cwd, ["restore", ".", "1"]);
    expect(stdout).toContain("memory/2021-02.md (digest): its notes are back, the digest is gone");
    expect(contents(cwd)).toEqual(FILES);
    expect((await json(cwd)).digests).toEqual([]);
  });

  it("lists what cannot come back as such, and says what would help", async () => {
    const cwd = workspaceWith();
    await memoryFiles(cwd, ["--apply"]);
    rmSync(join(cwd, "memory/archive/2021-02-03.full.md"));
    const { stdout } = await memoryFiles(cwd, ["restore", "."]);
    expect(stdout).toContain("1 change in this folder can be undone. 1 change cannot: what left is gone");
    expect(stdout).toMatch(/^ {2}1\.2 .+ ⚠ archive gone$/m);
    expect(stdout).toContain("memory-files restore . 1.1");
    expect((await json(cwd, ["restore", "."])).changes).toMatchObject([
      { id: "1.2", missing: ["memory/archive/2021-02-03.full.md"] },
      { id: "1.1" },
    ]);
    const refused = await memoryFiles(cwd, ["restore", ".", "--all"]);
    expect(refused.stderr).toContain("from a backup");
    expect(refused.stderr).not.toContain("is in the archive");
  });
});

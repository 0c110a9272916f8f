// Which folder `memory-files` is about, and what of a command line it refuses.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder, snapshot } from "../command-line.ts";
import { FILES, json, look, memoryFiles, workspaceWith, writeFiles } from "./workspace-folder.ts";

const FOLDERS = ["mg", "claw", ".openclaw/workspace", "workspace/agent/workspace"];

function homeWith(folders: readonly string[]): string {
  const home = newFolder();
  for (const folder of folders) writeFiles(join(home, folder), { "MEMORY.md": `## In ${folder}\n\nText.\n` });
  return home;
}

describe("the workspace", () => {
  it.each([
    ["MG_WORKSPACE before OPENCLAW_WORKSPACE", { MG_WORKSPACE: "mg", OPENCLAW_WORKSPACE: "claw" }, "mg"],
    ["OPENCLAW_WORKSPACE before the known folders", { OPENCLAW_WORKSPACE: "claw" }, "claw"],
    ["the first known folder", {}, ".openclaw/workspace"],
  ])("is found by auto: %s", async (_name, variables, found) => {
    const home = homeWith(FOLDERS);
    const env = Object.fromEntries(Object.entries(variables).map(([name, folder]) => [name, join(home, folder)]));
    const elsewhere = newFolder();
    for (const words of [["auto"], []]) {
      const { stdout } = await memoryFiles(elsewhere, [...words, "--json"], { env: { ...env, HOME: home } });
      expect(JSON.parse(stdout).sections[0].heading).toBe(`In ${found}`);
    }
  });

  it("is this folder where it holds memory, also beside a variable, but auto is not", async () => {
    const home = homeWith(["mg"]);
    const cwd = workspaceWith();
    const env = { HOME: home, MG_WORKSPACE: join(home, "mg") };
    const here = await memoryFiles(cwd, ["--json"], { env });
    expect(JSON.parse(here.stdout).memory_size).toBe(231);
    const auto = await memoryFiles(cwd, ["auto", "--json"], { env });
    expect(JSON.parse(auto.stdout).sections[0].heading).toBe("In mg");
  });

  it("is what the configuration says, with its limit and its files", async () => {
    const cwd = newFolder();
    writeFiles(join(cwd, "agent"), {
      "RULES.md": "## Rules\n\nText.\n",
      "notes/a.md": "# A\n",
      "memory/2021-02-01.md": "# B\n",
    });
    writeFileSync(
      join(cwd, "compact.yaml"),
      "memory_files:\n  workspace: agent\n  memory_file: RULES.md\n  notes_glob: notes/*.md\n  max_memory_kb: 7\n",
    );
    const result = await json(cwd);
    expect(result).toMatchObject({ memory_file: "RULES.md", max_memory_kb: 7 });
    expect(result.notes.map(({ file }: { file: string }) => file)).toEqual(["notes/a.md"]);
    expect(await json(cwd, ["--max-memory-kb", "9"])).toMatchObject({ max_memory_kb: 9 });
  });

  it("takes other layouts by flags, in this folder", async () => {
    const cwd = workspaceWith({ "AGENTS.md": "# Rules\n\nText.\n", "log/first.md": "# A\n", "MEMORY.md": "# M\n" });
    const result = await json(cwd, ["--memory-file", "AGENTS.md", "--notes-glob", "log/*.md"]);
    expect(result.memory_file).toBe("AGENTS.md");
    expect(result.notes).toHaveLength(1);
    expect((await memoryFiles(cwd, ["--memory-file", "AGENTS.md"])).stdout).toContain("AGENTS.md in this folder");
  });

  it("must be there: nothing is made for it", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "file.md"), "x");
    for (const words of [
      ["missing"],
      ["missing", "--apply"],
      ["restore", "missing"],
      ["restore", "missing", "--all"],
      [],
    ]) {
      const { code, stdout, stderr } = await memoryFiles(cwd, words);
      expect({ words, code, stdout }).toEqual({ words, code: 2, stdout: "" });
      expect(stderr).toMatch(/does not exist|no workspace/i);
    }
    const variable = await memoryFiles(cwd, [], { env: { MG_WORKSPACE: join(cwd, "missing") } });
    expect(variable.code).toBe(2);
    expect(variable.stderr).toContain("MG_WORKSPACE");
    expect((await memoryFiles(cwd, ["file.md"])).code).toBe(2);
    expect(Object.keys(snapshot(cwd))).toEqual(["file.md"]);
  });

  it("must hold something: what was looked for, and how to name others", async () => {
    const empty = newFolder();
    const plain = workspaceWith({ "notes/a.md": "# A\n", "todo.md": "- x\n" });
    for (const [cwd, words] of [
      [empty, ["."]],
      [empty, [".", "--apply"]],
      [plain, [".", "--json"]],
      [plain, [".", "--notes-glob", "logs/*.md"]],
    ] as const) {
      const { code, stdout, stderr } = await memoryFiles(cwd, words);
      expect({ words, code, stdout }).toEqual({ words, code: 2, stdout: "" });
      expect(stderr).toContain("MEMORY.md, CLAUDE.md, AGENTS.md, memory-bank/ and memories/");
      expect(stderr).toContain("--notes-glob GLOB");
    }
    expect(snapshot(empty)).toEqual({});
    expect((await memoryFiles(plain, [".", "--notes-glob", "notes/*.md"])).code).toBe(0);
  });

  it("is the folder above that of the notes, and is named there", async () => {
    const cwd = join(workspaceWith(), "memory");
    for (const words of [[], ["."]]) {
      const { code, stderr } = await memoryFiles(cwd, words);
      expect(code).toBe(2);
      expect(stderr).toContain("The workspace is the folder above: agent-compact memory-files ..");
    }
  });

  it("warns of a glob that nothing matches", async () => {
    const { code, stderr } = await memoryFiles(workspaceWith(), [".", "--notes-glob", "log/*.md"]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'agent-compact: No note matches "log/*.md" (--notes-glob).\n',
    });
  });

  it("may be called restore, with its path", async () => {
    const cwd = newFolder();
    writeFiles(join(cwd, "restore"), FILES);
    const { code, stdout } = await memoryFiles(cwd, ["./restore"]);
    expect(code).toBe(0);
    expect(stdout).toContain("MEMORY.md in restore");
    expect(stdout).toContain("agent-compact memory-files ./restore --apply");
  });
});

describe("a command line", () => {
  it.each([
    [["--plan", "p.json", "--aggressive"], "no --aggressive"],
    [["--plan", "p.json", "--max-memory-kb", "9"], "no --max-memory-kb"],
    [["--plan", "p.json", "--notes-glob", "*.md"], "no --notes-glob"],
    [["--plan", "p.json", "--more-than-half"], "no --more-than-half"],
    [["--plan", "p.json", "--plan-out", "q.json"], "no --plan-out"],
    [["--plan-out", "p.json", "--apply"], "no --apply"],
    [["--plan-out", "-", "--json"], "--plan-out - and --json"],
    [["--plan-out", ""], "--plan-out is empty"],
    [["--max-memory-kb", "0"], "above 0"],
    [["--max-memory-kb", "5kb"], 'not "5kb"'],
    [["--max-memory-kb", "-3"], "above 0"],
    [["--dry-run"], "unknown option"],
    [[".", "other"], "too many arguments"],
    [["restore", "1.1"], "agent-compact memory-files restore . 1.1"],
    [[""], "The workspace is empty"],
    [["restore", ""], "The workspace is empty"],
    [["--plan-out", "MEMORY.md"], "another name for --plan-out"],
    [["--plan-out", "missing/p.json"], "another place with --plan-out"],
    [["--all"], "unknown option"],
    [["restore"], "missing required argument"],
    [["restore", ".", "1.1", "--all"], "no ids"],
    [["restore", ".", "--apply"], "restore takes no --apply"],
    [["restore", ".", "--max-memory-kb", "3"], "restore takes no --max-memory-kb"],
    [["--aggressive", "restore", "."], "restore takes no --aggressive"],
  ])("is refused: %s", async (words, said) => {
    const cwd = workspaceWith();
    writeFileSync(join(cwd, "p.json"), "{}");
    const before = look(cwd);
    const { code, stdout, stderr } = await memoryFiles(cwd, words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(said);
    expect(look(cwd)).toEqual(before);
  });

  it("may write switches as a script does", async () => {
    const cwd = workspaceWith();
    expect((await json(cwd, ["--aggressive=true", "--apply=false"])).plan.options.aggressive).toBe(true);
    expect(existsSync(join(cwd, "memory/archive"))).toBe(false);
  });

  it("has help with an example", async () => {
    const { code, stdout } = await memoryFiles(newFolder(), ["--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain("agent-compact memory-files ~/agent --aggressive --apply");
    const restore = (await memoryFiles(newFolder(), ["restore", "--help"])).stdout;
    expect(restore).toContain("Example:");
    expect(restore).toContain("--json");
    expect(restore).not.toMatch(/--(?:apply|aggressive|plan-out)/);
  });

  it("never writes a plan over a file of the workspace, nor into its archive", async () => {
    const cwd = workspaceWith();
    mkdirSync(join(cwd, "memory/archive"));
    const before = look(cwd);
    for (const out of ["MEMORY.md", "memory/2021-02-01.md", "memory/archive/plan.json", "memory"])
      expect({ out, code: (await memoryFiles(cwd, ["--plan-out", out])).code }).toEqual({ out, code: 2 });
    expect(look(cwd)).toEqual(before);
  });
});

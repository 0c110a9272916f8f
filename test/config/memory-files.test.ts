// The block `memory_files`, and the workspace that is found when nobody names one.
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { configTemplate } from "../../src/config/describe-config.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { findWorkspace } from "../../src/config/workspace.ts";
import { openWorkspace } from "../../src/memory-files/workspace/open-workspace.ts";
import { verifies } from "../requirements/verifies.ts";
import { configFile, failureOf, newFolder } from "./config-folder.ts";

const FULL = `
memory_files:
  workspace: ~/agent
  memory_file: CLAUDE.md
  notes_glob: "notes/**/*.md"
  max_memory_kb: "20"
`;

const load = (text: string, env: Readonly<Record<string, string>> = {}) => loadConfig({ file: configFile(text), env });

describe("the block", () => {
  it("is read from file and variables, field by field", async () => {
    const { config } = await load(FULL, {
      COMPACT_MEMORY_FILES_MEMORY_FILE: "AGENTS.md",
      COMPACT_MEMORY_FILES_MAX_MEMORY_KB: "8",
    });
    expect(config.memoryFiles).toEqual({
      workspace: "~/agent",
      memoryFile: "AGENTS.md",
      notesGlob: "notes/**/*.md",
      maxMemoryKb: 8,
    });
    const variables = { COMPACT_MEMORY_FILES_WORKSPACE: "auto", COMPACT_MEMORY_FILES_NOTES_GLOB: "*.md" };
    expect((await load("", variables)).config.memoryFiles).toEqual({ workspace: "auto", notesGlob: "*.md" });
    expect((await load("memory_files:\n")).config.memoryFiles).toEqual({});
    expect((await load("")).config.memoryFiles).toBeUndefined();
  });

  it("refuses what is none of it, with its place", async () => {
    for (const [text, message] of [
      [
        "memory_files: {max_memory_kb: 0}",
        "compact.yaml:1: memory_files.max_memory_kb must be a whole number from 1 to 65,536",
      ],
      ["memory_files: {max_memory_kb: 1.5}", "must be a whole number"],
      ["memory_files: {max_memory_kb: 70000}", "must be a whole number"],
      ["memory_files: {workspace: ''}", "memory_files.workspace must not be empty"],
      ["memory_files: {memory_file: 3}", "memory_files.memory_file must be a text"],
      ["memory_files: {note_glob: x}", "memory_files.note_glob is not a known key, did you mean notes_glob?"],
      ["memory_files: {maxMemoryKb: 3}", "did you mean max_memory_kb?"],
    ] as const) {
      expect(await failureOf(load(text)), text).toContain(message);
    }
  });

  it("stands in the template", () => {
    expect(configTemplate()).toContain("memory_files:");
  });
});

/** A home with the folders of these names. */
function newHome(...folders: readonly string[]): string {
  const home = newFolder();
  for (const folder of folders) mkdirSync(join(home, folder), { recursive: true });
  return home;
}

describe("finding a workspace", () => {
  it("goes by variables, then known folders; one that is named must exist", async () => {
    verifies("rulings/workspace-lookup", "values/workspace-precedence-and-links");
    const home = newHome(".openclaw/workspace", "workspace/agent/workspace", "first", "second");
    const at = (...steps: readonly string[]) => join(home, ...steps);
    const both = { HOME: home, MG_WORKSPACE: at("first"), OPENCLAW_WORKSPACE: at("second") };
    const find = (environment: Readonly<Record<string, string>>, named?: string) =>
      findWorkspace(named, { cwd: home, environment });

    expect(await find(both)).toBe(at("first"));
    expect(await find(both, "auto")).toBe(at("first"));
    expect(await find({ HOME: home, OPENCLAW_WORKSPACE: at("second") })).toBe(at("second"));
    expect(await find({ HOME: home })).toBe(at(".openclaw", "workspace"));
    const bare = newHome("workspace/agent/workspace");
    expect(await find({ HOME: bare })).toBe(join(bare, "workspace", "agent", "workspace"));

    const before = readdirSync(home);
    await expect(find(both, at("missing"))).rejects.toMatchObject({ kind: "NotFound", code: "WORKSPACE_NOT_FOUND" });
    expect(existsSync(at("missing"))).toBe(false);
    expect(readdirSync(home)).toEqual(before);

    mkdirSync(at("first", "memory"));
    writeFileSync(at("second", "out.md"), "x");
    symlinkSync(at("second", "out.md"), at("first", "memory", "2031-02-03.md"));
    const { notes, unread } = await openWorkspace({ root: await find(both) });
    expect(notes).toEqual([]);
    expect(unread.map(({ code }) => code)).toEqual(["OUTSIDE_WORKSPACE"]);
  });

  it("takes paths from the working directory and the home", async () => {
    const home = newHome("here/ws", "ws");
    const search = { cwd: join(home, "here"), environment: { HOME: home } };
    expect(await findWorkspace("ws", search)).toBe(join(home, "here", "ws"));
    expect(await findWorkspace("~/ws", search)).toBe(join(home, "ws"));
    expect(await findWorkspace("~", search)).toBe(home);
    expect(await findWorkspace("auto", { ...search, environment: { HOME: home, MG_WORKSPACE: "ws" } })).toBe(
      join(home, "here", "ws"),
    );
  });

  it("says which variable names a folder that is not there, and looks no further", async () => {
    const home = newHome(".openclaw/workspace", "second");
    const environment = { HOME: home, MG_WORKSPACE: join(home, "gone"), OPENCLAW_WORKSPACE: join(home, "second") };
    await expect(findWorkspace(undefined, { cwd: home, environment })).rejects.toMatchObject({
      kind: "NotFound",
      code: "WORKSPACE_NOT_FOUND",
      message: expect.stringContaining("MG_WORKSPACE"),
      data: { variable: "MG_WORKSPACE" },
    });
  });

  it("says what it looked for where nothing is", async () => {
    const home = newHome();
    await expect(findWorkspace("auto", { cwd: home, environment: { HOME: home } })).rejects.toMatchObject({
      kind: "NotFound",
      code: "WORKSPACE_NOT_FOUND",
      message: expect.stringMatching(/MG_WORKSPACE.*OPENCLAW_WORKSPACE.*~\/\.openclaw\/workspace.*agent\/workspace/),
    });
    expect(readdirSync(home)).toEqual([]);
  });

  it("refuses a file", async () => {
    const home = newHome();
    writeFileSync(join(home, "file"), "");
    const search = { cwd: home, environment: { HOME: home } };
    await expect(findWorkspace("file", search)).rejects.toMatchObject({ kind: "InvalidInput", code: "NOT_A_FOLDER" });
  });
});

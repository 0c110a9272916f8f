// `hook` never stops a host: whatever fails exits with 1. And what --print prints.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, newFolder } from "../command-line.ts";
import { sessionLines } from "../conversations.ts";
import { ARCHIVE, codex, compacting, contextOf, event, folderWith, started } from "./events.ts";

describe("hook, when it fails", () => {
  const refused = { code: 1, stdout: "" };

  it("exits with 1 and one to three lines, never with 2, which stops a host", async () => {
    const cwd = folderWith();
    mkdirSync(join(cwd, "folder"));
    execFileSync("mkfifo", [join(cwd, "pipe")]);
    writeFileSync(join(cwd, "quiet"), '{"type":"summary","summary":"x"}\n{"type":"summary","summary":"y"}\n');
    writeFileSync(join(cwd, "binary"), Buffer.from([0, 1, 2, 3]));
    writeFileSync(join(cwd, "prose"), "No conversation at all.\n");
    const was = readdirSync(cwd);
    symlinkSync(join(cwd, "nowhere"), join(cwd, "link"));
    const paths = ["missing", "folder", "pipe", "link", "quiet", "binary", "prose", "/dev/zero", "-", "a\0b"];
    for (const transcript_path of [...paths, "", null, 7, { a: 1 }, `/${"a".repeat(5000)}`]) {
      const outcome = await compacting({ cwd, transcript_path });
      expect(outcome, String(transcript_path)).toMatchObject(refused);
      expect(outcome.stderr.trim().split("\n").length).toBeLessThanOrEqual(3);
      expect(outcome.stderr).toMatch(/^agent-compact: /);
      expect(outcome.stderr).not.toContain("unexpected");
    }
    expect(readdirSync(cwd).sort()).toEqual([...was, "link"].sort());
  });

  it.each([
    ["an empty file", ""],
    ["Codex", `${codex.head()}\n`],
    ["Gemini CLI", '{"sessionId":"s1","projectHash":"a","startTime":"2030-01-01T00:00:00Z"}\n'],
  ])("is silent, and leaves nothing, where nothing was said yet: %s", async (_, transcript) => {
    const cwd = folderWith(transcript);
    for (const name of ["PreCompact", "PreCompress"])
      expect(await compacting({ cwd, hook_event_name: name })).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await started({ cwd })).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(readdirSync(cwd)).toEqual(["session.jsonl"]);
  });

  it("refuses what is no event", async () => {
    const cwd = newFolder();
    for (const stdin of [
      "",
      "no JSON",
      "[]",
      "null",
      "{}",
      '{"hook_event_name":5}',
      '{"hook_event_name":"PreCompact"}',
    ])
      expect(await call(["hook"], { cwd, stdin })).toMatchObject(refused);
    const nowhere = event("PreCompact", { cwd: join(cwd, "not-there") });
    expect(await call(["hook"], { cwd, stdin: nowhere })).toMatchObject(refused);
    expect(readdirSync(cwd)).toEqual([]);
    expect(await call(["hook"], { cwd, isTerminal: true, stdin: "{" })).toMatchObject(refused);
  });

  it("also for a wrong flag or configuration", async () => {
    const cwd = folderWith();
    const stdin = event("PreCompact", { cwd });
    for (const argv of [
      ["hook", "--nothing"],
      ["hook", "--print", "vim"],
      ["hook", "x"],
      ["--config", "none.yaml", "hook"],
    ])
      expect(await call(argv, { cwd, stdin })).toMatchObject(refused);
    writeFileSync(join(cwd, "compact.yaml"), "policy:\n  trigger_pct: 7\n");
    expect(await compacting({ cwd })).toMatchObject(refused);
    // Any other command keeps its codes.
    expect((await call(["inspect", "hook"], { cwd: newFolder() })).code).toBe(2);
  });

  it("where the archive cannot be written", async () => {
    const cwd = folderWith();
    writeFileSync(join(cwd, ".compact"), "a file in its place");
    const outcome = await compacting({ cwd });
    expect(outcome).toMatchObject(refused);
    expect(outcome.stderr).toContain(".compact");
    expect(readFileSync(join(cwd, ".compact"), "utf8")).toBe("a file in its place");
  });

  it.skipIf(process.getuid?.() === 0 || process.platform === "win32")("in a folder that is read-only", async () => {
    const cwd = folderWith();
    execFileSync("chmod", ["555", cwd]);
    const outcome = await compacting({ cwd });
    execFileSync("chmod", ["755", cwd]);
    expect(outcome).toMatchObject(refused);
    expect(readdirSync(cwd)).toEqual(["session.jsonl"]);
  });

  it("goes back to an earlier summary when the newest is damaged", async () => {
    const cwd = folderWith(sessionLines(40));
    await compacting({ cwd });
    writeFileSync(join(cwd, "session.jsonl"), sessionLines(44));
    await compacting({ cwd });
    writeFileSync(join(cwd, ARCHIVE, "s1/summary-002.json"), "{broken");
    expect(contextOf((await started({ cwd })).stdout)).toContain("archive expand 1.12");
    // What is damaged counts as not archived.
    expect((await compacting({ cwd })).stdout).toContain("archived as step 3");
  });
});

describe("hook --print", () => {
  it("prints the settings of a host and reads nothing", async () => {
    const cwd = newFolder();
    for (const host of ["claude-code", "codex"]) {
      const { code, stdout } = await call(["hook", "--print", host], { cwd, isTerminal: true });
      expect(code).toBe(0);
      const { hooks } = JSON.parse(stdout);
      expect(Object.keys(hooks)).toEqual(["PreCompact", "SessionStart"]);
      expect(hooks.SessionStart[0].matcher).toBe("compact");
      expect(hooks.PreCompact[0].hooks[0]).toEqual({ type: "command", command: "agent-compact hook", timeout: 300 });
    }
    const gemini = await call(["hook", "--print", "gemini-cli"], { cwd, isTerminal: true });
    const { PreCompress, ...others } = JSON.parse(gemini.stdout).hooks;
    expect(others).toEqual({});
    // It counts in milliseconds.
    expect(PreCompress[0].hooks[0]).toEqual({ type: "command", command: "agent-compact hook", timeout: 300_000 });
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("is told in the help", async () => {
    const { stdout } = await call(["hook", "--help"], { cwd: newFolder() });
    expect(stdout).toContain("never stops a host");
  });
});

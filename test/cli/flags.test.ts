// Flags are refused by their own name, before anything is read or written.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FORMATS } from "../../src/factories/formats.ts";
import { call, newFolder, snapshot } from "./command-line.ts";
import { chatConversation } from "./conversations.ts";

function folderWithChat(): string {
  const cwd = newFolder();
  writeFileSync(join(cwd, "chat.json"), JSON.stringify(chatConversation(10)));
  return cwd;
}

describe("flags", () => {
  it.each([
    [["--target-tokens", "0"], /--target-tokens must be a whole number from 1/],
    [["--target-tokens", "-5"], /--target-tokens must be/],
    [["--target-tokens", "abc"], /--target-tokens must be/],
    [["--target-tokens", "1.5"], /--target-tokens must be/],
    [["--target-tokens", "1e3"], /--target-tokens must be/],
    [["--keep-recent-turns", "-1"], /--keep-recent-turns must be a whole number from 0/],
    [["--max-context-tokens", "many"], /--max-context-tokens must be/],
    [["--max-context-tokens", "100"], /max_context_tokens \(100\) must be greater/],
    [["--strategy", "poem"], /--strategy must be one of task_state, decision_log, code_delta, brief/],
    [["--format", "yaml"], /--format must be one of auto/],
    [["--to", "claude-code"], /--to must be one of openai-chat, openai-responses, anthropic/],
    [["--model", "gpt-unheard-of"], /is not known[\s\S]*--max-context-tokens N, or leave --model out/],
    [["--out", "-", "--json"], /--out - and --json both/],
    [["--out", "chat.json"], /is the input itself/],
    [["--out", "./chat.json"], /is the input itself/],
    [["--out", "nowhere/x.json"], /does not exist/],
    [["--out", "."], /is a directory/],
    [["--out", ".compact/archive/x.json"], /lies in the archive/],
    [["--out", ""], /--out is empty/],
    [["--session-id", " "], /--session-id is empty/],
    [["--config", "nowhere.yml"], /nowhere\.yml cannot be read/],
    [["--bogus"], /unknown option '--bogus'/],
    [["more.json"], /too many arguments/],
  ])("refuses %j", async (flags, says) => {
    const cwd = folderWithChat();
    const before = snapshot(cwd);
    const { code, stdout, stderr } = await call(["conversation", "chat.json", ...flags], { cwd });
    expect(stderr).toMatch(says);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(snapshot(cwd)).toEqual(before);
  });

  it("refuses an unknown command, and knows a file that stands in its place", async () => {
    const cwd = folderWithChat();
    expect(await call(["chat.json"], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/unknown command[\s\S]*agent-compact conversation chat\.json/),
    });
    expect((await call(["compress"], { cwd })).code).toBe(2);
    expect((await call([], { cwd })).code).toBe(2);
  });

  it("takes the global flags before and after the command", async () => {
    const cwd = folderWithChat();
    for (const argv of [
      ["--json", "inspect", "chat.json"],
      ["inspect", "--json", "chat.json"],
      ["inspect", "chat.json", "--json"],
    ]) {
      expect(JSON.parse((await call(argv, { cwd })).stdout)).toMatchObject({ format: "openai-chat", messages: 41 });
    }
  });

  it("helps with an example for every command", async () => {
    const cwd = newFolder();
    const commands = [
      [],
      ["conversation"],
      ["inspect"],
      ["diff"],
      ["archive"],
      ...["list", "show", "verify", "search", "expand", "restore"].map((name) => ["archive", name]),
      ["config"],
      ...["show", "validate", "schema", "init"].map((name) => ["config", name]),
    ];
    for (const command of commands) {
      const { code, stdout } = await call([...command, "--help"], { cwd });
      expect(code).toBe(0);
      expect(stdout).toMatch(/Example:\n {2}agent-compact /);
    }
  });

  it("names the help of the command that was meant", async () => {
    const cwd = newFolder();
    const see = async (argv: readonly string[]) => {
      const { code, stderr } = await call(argv, { cwd });
      return [code, /See: (.+)\n/.exec(stderr)?.[1]];
    };
    expect(await see(["decisions", "record", "X"])).toEqual([2, "agent-compact decisions record --help"]);
    expect(await see(["decisions", "review"])).toEqual([2, "agent-compact decisions review --help"]);
    expect(await see(["decisions", "import"])).toEqual([2, "agent-compact decisions import --help"]);
    expect(await see(["decisions", "recall"])).toEqual([2, "agent-compact decisions --help"]);
    expect(await see(["observations", "show"])).toEqual([2, "agent-compact observations show --help"]);
    expect(await see(["archive", "search"])).toEqual([2, "agent-compact archive search --help"]);
    expect(await see(["conversation", "--bogus"])).toEqual([2, "agent-compact conversation --help"]);
    expect(await see(["compress"])).toEqual([2, "agent-compact --help"]);
  });

  it("reads booleans given as text", async () => {
    const cwd = folderWithChat();
    const { stdout } = await call(["inspect", "chat.json", "--json=true", "--debug=false"], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ messages: 41 });
    expect((await call(["inspect", "chat.json", "--json=false"], { cwd })).stdout).toContain("By component");
    expect((await call(["inspect", "chat.json", "--json=maybe"], { cwd })).code).toBe(2);
  });

  it("takes the name of every format there is", async () => {
    const cwd = folderWithChat();
    const { stdout } = await call(["conversation", "--help"], { cwd });
    for (const { name } of FORMATS) expect(stdout).toContain(name);
    for (const { name } of FORMATS) {
      const { stderr } = await call(["inspect", "chat.json", "--format", name], { cwd });
      expect(stderr).not.toMatch(/must be one of/);
    }
  });

  it("tells its version", async () => {
    expect(await call(["--version"], { cwd: newFolder() })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });

  it("shows a stack with --debug only", async () => {
    const cwd = newFolder();
    expect((await call(["inspect", "nowhere.json"], { cwd })).stderr).not.toMatch(/^ {4}at /m);
    expect((await call(["inspect", "nowhere.json", "--debug"], { cwd })).stderr).toMatch(/^ {4}at /m);
  });

  it("reads a window and a policy from the environment and a file, and flags win", async () => {
    const cwd = folderWithChat();
    writeFileSync(join(cwd, "compact.yml"), 'version: "1.0"\nmax_context_tokens: 60000\nmodel: gpt-4o\n');
    const budget = async (argv: readonly string[], env = {}) => {
      const { stdout } = await call(["inspect", "chat.json", "--json", ...argv], { cwd, env });
      return (JSON.parse(stdout) as { plan: { budget: number } }).plan.budget;
    };
    expect(await budget([])).toBe(58_500);
    writeFileSync(join(cwd, "other.yml"), "max_context_tokens: 30000\n");
    expect(await budget(["--config", "other.yml"])).toBe(28_500);
    expect(await budget(["--config", "compact.yml"])).toBe(58_500);
    expect(await budget(["--config", "compact.yml"], { COMPACT_MAX_CONTEXT_TOKENS: "50000" })).toBe(48_500);
    expect(
      await budget(["--config", "compact.yml", "--max-context-tokens", "40000"], {
        COMPACT_MAX_CONTEXT_TOKENS: "50000",
      }),
    ).toBe(38_500);
    const wrong = await call(["inspect", "chat.json"], { cwd, env: { COMPACT_TRIGGER_PCT: "7" } });
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/trigger_pct|COMPACT_TRIGGER_PCT/);
  });
});

// `agent-compact config`, and how the other commands come by their configuration.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { configTemplate } from "../../src/config/describe-config.ts";
import { call, newFolder, snapshot } from "./command-line.ts";
import { chatConversation } from "./conversations.ts";

function folderWith(content: string, name = "compact.yaml"): string {
  const cwd = newFolder();
  writeFileSync(join(cwd, name), content);
  return cwd;
}

const FILE = `version: "1.0"
model: gpt-4o
policy:
  trigger_pct: 0.8
  keep_recent_turns: 3
models:
  gpt-4o-mini:
    policy:
      keep_recent_turns: 1
`;

describe("config show", () => {
  it("tells each value and where it comes from", async () => {
    const { code, stdout, stderr } = await call(["config", "show"], {
      cwd: folderWith(FILE),
      env: { COMPACT_HARD_CAP_BUFFER: "2000", COMPACT_TRIGER_PCT: "0.9" },
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Configuration: compact\.yaml\n/);
    expect(stdout).toMatch(/policy\.trigger_pct +0\.8 +compact\.yaml:4\n/);
    expect(stdout).toMatch(/policy\.hard_cap_buffer +2000 +COMPACT_HARD_CAP_BUFFER\n/);
    expect(stdout).toMatch(/policy\.keep_tool_io_pairs +4 +default\n/);
    expect(stdout).toMatch(/max_context_tokens +128000 +default \(the model's\)\n/);
    expect(stdout).toMatch(/Entries of models: gpt-4o-mini\. In effect: none\./);
    expect(stderr).toBe("warning: The variable COMPACT_TRIGER_PCT is not read: did you mean COMPACT_TRIGGER_PCT?\n");
  });

  it("tells what holds for a model", async () => {
    const { stdout } = await call(["config", "show", "--model", "openai/gpt-4o-mini"], { cwd: folderWith(FILE) });
    expect(stdout).toMatch(/ model +openai\/gpt-4o-mini +--model\n/);
    expect(stdout).toMatch(/policy\.keep_recent_turns +1 +compact\.yaml:9 \(models: gpt-4o-mini\)\n/);
    const flagged = await call(["config", "show", "--json", "--model", "gpt-4o-mini"], {
      cwd: folderWith(FILE),
      env: { COMPACT_KEEP_RECENT_TURNS: "7" },
    });
    expect(JSON.parse(flagged.stdout)).toMatchObject({
      file: "compact.yaml",
      model: "gpt-4o-mini",
      models: { entries: ["gpt-4o-mini"], applied: ["gpt-4o-mini"] },
      values: {
        "policy.keep_recent_turns": { value: 7, source: { kind: "variable", name: "COMPACT_KEEP_RECENT_TURNS" } },
        "policy.trigger_pct": { value: 0.8, source: { kind: "file", file: "compact.yaml", line: 4 } },
        "policy.target_pct": { value: null, note: "trigger_pct less 0.10", source: { kind: "default" } },
      },
    });
  });

  it("says where it looked when there is no file", async () => {
    const cwd = newFolder();
    mkdirSync(join(cwd, ".git"));
    const { code, stdout } = await call(["config", "show"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^No configuration file: compact\.yaml, compact\.yml, compact\.json looked for in \.\.\n/);
    expect(JSON.parse((await call(["config", "show", "--json"], { cwd })).stdout)).toMatchObject({
      file: null,
      searched: [cwd],
      api_key: null,
    });
  });

  it("says whether there is an API key, and never shows it", async () => {
    const cwd = folderWith("summarizer: {type: anthropic, model: claude-haiku-4-5}\n");
    const without = await call(["config", "show"], { cwd });
    expect(without.stdout).toContain(
      "API key: not set; it is read from COMPACT_SUMMARIZER_API_KEY or ANTHROPIC_API_KEY.",
    );
    for (const argv of [
      ["config", "show"],
      ["config", "show", "--json"],
    ]) {
      const { stdout, stderr } = await call(argv, { cwd, env: { ANTHROPIC_API_KEY: "sk-hidden" } });
      expect(stdout).toMatch(/API key: set|"is_set":true/);
      expect(stdout + stderr).not.toContain("sk-hidden");
    }
  });
});

describe("config validate", () => {
  it("passes what is right, found or named", async () => {
    const cwd = folderWith(FILE);
    expect(await call(["config", "validate"], { cwd })).toEqual({
      code: 0,
      stdout: "compact.yaml is valid.\n",
      stderr: "",
    });
    expect(await call(["config", "validate", "compact.yaml"], { cwd })).toMatchObject({ code: 0 });
    expect(await call(["config", "validate", "--config", "compact.yaml"], { cwd })).toMatchObject({ code: 0 });
    expect((await call(["config", "validate", "--quiet"], { cwd })).stdout).toBe("");
    expect(JSON.parse((await call(["config", "validate", "--json"], { cwd })).stdout)).toEqual({
      valid: true,
      file: "compact.yaml",
      faults: [],
      warnings: [],
    });
  });

  it.each([
    [
      "model: acme-7b\n",
      /^agent-compact: compact\.yaml:1: The context window of the model "acme-7b" is not known\.\n {2}Set max_context_tokens/,
    ],
    ['version: "1.0"\nmax_context_tokens: 1000\n', /compact\.yaml:2: max_context_tokens \(1000\) must be greater/],
    ["models:\n  acme:\n    policy:\n      strategy: brief\n", /compact\.yaml:4: models\.acme: The context window/],
  ])("says where limits that cannot hold stand, and what to do: %j", async (content, expected) => {
    const { code, stderr } = await call(["config", "validate"], { cwd: folderWith(content) });
    expect(code).toBe(2);
    expect(stderr).toMatch(expected);
  });

  it("warns of a share that the budget forestalls, where somebody chose it", async () => {
    const says = /warning: policy\.trigger_pct 1 of a window of 128,000 tokens is 128,000, above the budget of 126,500/;
    const cwd = folderWith("policy:\n  trigger_pct: 1\n");
    for (const command of ["validate", "show"]) {
      expect(await call(["config", command], { cwd })).toMatchObject({ code: 0, stderr: expect.stringMatching(says) });
      const { stdout } = await call(["config", command, "--json"], { cwd });
      expect(JSON.parse(stdout).warnings).toEqual([expect.stringContaining("starts when the budget is exceeded")]);
    }
    const narrow = { cwd: folderWith("max_context_tokens: 8000\n") };
    expect((await call(["config", "validate"], narrow)).stderr).toBe("");
  });

  it("names the variable that a window which is too small comes from", async () => {
    const env = { COMPACT_MAX_CONTEXT_TOKENS: "1000" };
    const { code, stderr } = await call(["config", "validate"], { cwd: folderWith('version: "1.0"\n'), env });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("(from the environment variable COMPACT_MAX_CONTEXT_TOKENS)"),
    ]);
  });

  it("names one fault as an error, and lists several", async () => {
    const one = await call(["config", "validate"], { cwd: folderWith("policy:\n  trigger_pct: 1.5\n") });
    expect(one).toMatchObject({ code: 2, stdout: "" });
    expect(one.stderr).toMatch(/^agent-compact: compact\.yaml:2: policy\.trigger_pct must be 0\.0-1\.0/);
    const cwd = folderWith("a: 1\nb: 2\nc: 3\npolicy: {strategy: poem}\nmax_context_tokens: 0\n");
    const several = await call(["config", "validate"], { cwd });
    expect(several.stdout.split("\n").map((line) => line.split(" ")[0])).toEqual([
      ...[1, 2, 3, 4, 5].map((line) => `compact.yaml:${line}:`),
      "",
    ]);
    expect(several).toMatchObject({ code: 2, stderr: expect.stringContaining("The configuration has 5 faults.") });
    const { stdout, code } = await call(["config", "validate", "--json"], { cwd });
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      valid: false,
      faults: expect.arrayContaining([
        expect.objectContaining({ path: "policy.strategy", source: { kind: "file", file: "compact.yaml", line: 4 } }),
      ]),
    });
  });

  it.each([
    ["model: acme-7b\n", {}, /context window of the model "acme-7b" is not known/],
    [
      "max_context_tokens: 1000\n",
      {},
      /max_context_tokens \(1000\) must be greater than policy\.hard_cap_buffer \(1500\)/,
    ],
    [
      "models: {o3: {reserved_output_tokens: 300000}}\n",
      {},
      /models\.o3: max_context_tokens \(200000\) must be greater/,
    ],
    ["policy: [\n", {}, /compact\.yaml:2:1: not valid YAML/],
    [
      "",
      { COMPACT_ENABLED: "maybe" },
      /enabled must be true or false \(from the environment variable COMPACT_ENABLED\)/,
    ],
    [
      "summarizer: {type: anthropic, model: m}\n",
      { ANTHROPIC_API_KEY: "two words" },
      /ANTHROPIC_API_KEY holds a space/,
    ],
  ])("refuses %j with %j", async (content, env, expected) => {
    const { code, stderr } = await call(["config", "validate"], { cwd: folderWith(content), env });
    expect(stderr).toMatch(expected);
    expect(code).toBe(2);
  });

  it("warns of a key that is not there, and of a file that is not there", async () => {
    const keyless = await call(["config", "validate"], {
      cwd: folderWith("summarizer: {type: anthropic, model: m}\n"),
    });
    expect(keyless).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/no API key: set COMPACT_SUMMARIZER_API_KEY or/),
    });
    const cwd = newFolder();
    expect(await call(["config", "validate"], { cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^No configuration file: [\s\S]*The variables are valid\.\n$/),
    });
    expect((await call(["config", "validate", "gone.yaml"], { cwd })).code).toBe(2);
    expect((await call(["config", "validate", "a.yaml", "--config", "b.yaml"], { cwd })).code).toBe(2);
  });
});

describe("config schema and init", () => {
  it("prints a JSON Schema and nothing else", async () => {
    const { code, stdout, stderr } = await call(["config", "schema"], { cwd: folderWith("broken: [") });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({
      $schema: expect.stringContaining("draft-07"),
      properties: { policy: { properties: { trigger_pct: { default: 0.85, maximum: 1 } } } },
    });
  });

  it("writes a commented file once, which changes nothing", async () => {
    const cwd = newFolder();
    expect(await call(["config", "init"], { cwd })).toEqual({ code: 0, stdout: "Written: compact.yaml\n", stderr: "" });
    expect(readFileSync(join(cwd, "compact.yaml"), "utf8")).toBe(configTemplate());
    expect((await call(["config", "validate"], { cwd })).code).toBe(0);
    const before = snapshot(cwd);
    for (const argv of [["compact.yaml"], ["compact.yml"], []]) {
      expect(await call(["config", "init", ...argv], { cwd })).toMatchObject({
        code: 4,
        stdout: "",
        stderr: expect.stringMatching(/compact\.yaml is there already; it is never replaced/),
      });
    }
    expect(snapshot(cwd)).toEqual(before);
    expect((await call(["config", "init", "-"], { cwd })).stdout).toBe(configTemplate());
  });

  it("writes where it is told to, as YAML, into folders that exist", async () => {
    const cwd = newFolder();
    const named = await call(["config", "init", "agent.yml"], { cwd });
    expect(named.stdout).toMatch(/^Written: agent\.yml\. Name it with --config agent\.yml/);
    expect(JSON.parse((await call(["config", "init", "--json"], { cwd })).stdout)).toEqual({
      written: join(cwd, "compact.yaml"),
    });
    for (const argv of [["compact.json"], ["nowhere/compact.yaml"], ["-", "--json"], ["compact.yaml/x.yaml"]]) {
      expect((await call(["config", "init", ...argv], { cwd })).code).toBe(2);
    }
    expect(existsSync(join(cwd, "nowhere"))).toBe(false);
  });
});

describe("the other commands", () => {
  function withChat(config: string): string {
    const cwd = folderWith(config);
    writeFileSync(join(cwd, "chat.json"), JSON.stringify(chatConversation(10)));
    return cwd;
  }
  const budgetOf = async (cwd: string, argv: readonly string[] = [], env = {}) => {
    const { stdout, stderr } = await call(["inspect", "chat.json", "--json", ...argv], { cwd, env });
    expect(stderr).toBe("");
    return (JSON.parse(stdout) as { plan: { budget: number } }).plan.budget;
  };

  it("take the model's own part of the configuration, under variables and flags", async () => {
    const cwd = withChat(
      "model: gpt-4o\nmax_context_tokens: 90000\nmodels: {gpt-4.1: {max_context_tokens: 70000, policy: {hard_cap_buffer: 1000}}}\n",
    );
    expect(await budgetOf(cwd)).toBe(88_500);
    expect(await budgetOf(cwd, ["--model", "gpt-4.1"])).toBe(69_000);
    expect(await budgetOf(cwd, ["--model", "gpt-4.1"], { COMPACT_MAX_CONTEXT_TOKENS: "60000" })).toBe(59_000);
    expect(await budgetOf(cwd, ["--model", "gpt-4.1", "--max-context-tokens", "50000"])).toBe(49_000);
  });

  it("find the file from a folder below", async () => {
    const cwd = withChat("max_context_tokens: 60000\n");
    mkdirSync(join(cwd, "below"));
    writeFileSync(join(cwd, "below", "chat.json"), JSON.stringify(chatConversation(10)));
    expect(await budgetOf(join(cwd, "below"))).toBe(58_500);
  });

  it("refuse a broken file with its place, all of them", async () => {
    const cwd = withChat("model: gpt-4o\npolicy:\n  trigger_pct: 95\n");
    for (const argv of [
      ["conversation", "chat.json"],
      ["inspect", "chat.json"],
      ["facts", "chat.json"],
      ["archive", "list"],
      ["config", "show"],
    ]) {
      const { code, stdout, stderr } = await call(argv, { cwd });
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(
        /^agent-compact: compact\.yaml:3: policy\.trigger_pct must be 0\.0-1\.0.*did you mean 0\.95\?/,
      );
    }
  });

  it("write no events when the file says so, and print them when it says so", async () => {
    const quiet = withChat("telemetry: {jsonl: false, console: true}\n");
    const { stderr, stdout } = await call(["conversation", "chat.json", "--json", "--session-id", "s"], { cwd: quiet });
    expect(JSON.parse(stdout)).toMatchObject({ session_id: "s" });
    const lines = stderr.trim().split("\n");
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line).toMatch(/^\[compact\] \{.*\}$/);
    const files = Object.keys(snapshot(join(quiet, ".compact")));
    expect(files.some((file) => file.includes("transcript"))).toBe(true);
    expect(files.some((file) => file.endsWith("events.jsonl"))).toBe(false);
  });

  it("keep the archive where the file says", async () => {
    const cwd = withChat("storage: {path: kept}\n");
    await call(["conversation", "chat.json"], { cwd });
    expect(existsSync(join(cwd, "kept"))).toBe(true);
    expect((await call(["archive", "list"], { cwd })).code).toBe(0);
  });
});

// Configuration from files and the environment: field by field, and every fault named by its path.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import { DEFAULT_POLICY } from "../../src/conversation/policy.ts";
import { CompactManager } from "../../src/index.ts";
import { verifies } from "../requirements/verifies.ts";

function configFile(content: string, name = "compact.yaml"): string {
  const folder = mkdtempSync(join(tmpdir(), "agent-compact-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const failure = (load: Promise<unknown>) =>
  load.then(
    () => "no error",
    (error: Error) => error.message,
  );

describe("loadConfig", () => {
  it("lets the environment override one field and nothing around it", async () => {
    verifies("values/environment-over-file", "conversation/environment-overrides");
    const file = configFile('version: "1.0"\npolicy:\n  trigger_pct: 0.85\n  keep_recent_turns: 3\n');
    const { policy } = await loadConfig({ file, env: { COMPACT_TRIGGER_PCT: "0.9" } });
    expect(policy).toEqual({ triggerPct: 0.9, keepRecentTurns: 3 });
  });

  it("reads YAML and JSON, and all it needs from the environment alone", async () => {
    verifies("conversation/yaml-configuration");
    const yaml = configFile(
      "model: gpt-4o\nstorage:\n  adapter: fs\n  path: elsewhere\nredaction:\n  patterns: ['(?i)hidden=\\S+']\n",
    );
    const json = configFile('{"max_context_tokens": 32000, "policy": {"summary_max_tokens": "auto"}}', "compact.json");
    expect(await loadConfig({ file: yaml, env: {} })).toMatchObject({
      model: "gpt-4o",
      storage: { path: "elsewhere" },
    });
    expect(await loadConfig({ file: json, env: {} })).toEqual({
      maxContextTokens: 32_000,
      policy: { summaryMaxTokens: "auto" },
    });
    const env = {
      COMPACT_MODEL: "gpt-4o",
      COMPACT_ENABLED: "false",
      COMPACT_ROLES_NEVER_PRUNE: "system, user",
      COMPACT_KEEP_RECENT_TURNS: " 2 ",
    };
    expect(await loadConfig({ env })).toEqual({
      model: "gpt-4o",
      enabled: false,
      policy: { rolesNeverPrune: ["system", "user"], keepRecentTurns: 2 },
    });
    expect(await failure(loadConfig({ file: configFile("policy:\n  trigger_pct: 1.5\n"), env: {} }))).toContain(
      "policy.trigger_pct must be 0.0-1.0",
    );
  });

  it.each([
    ["95", /policy\.trigger_pct must be 0\.0-1\.0.*COMPACT_TRIGGER_PCT/],
    ["1.5", /policy\.trigger_pct must be 0\.0-1\.0.*COMPACT_TRIGGER_PCT/],
    ["abc", /policy\.trigger_pct must be/],
    ["", /policy\.trigger_pct must be/],
    ["0,9", /policy\.trigger_pct must be/],
    ["0", /policy\.trigger_pct must be/],
  ])("refuses COMPACT_TRIGGER_PCT=%j by path and source", async (value, expected) => {
    expect(await failure(loadConfig({ env: { COMPACT_TRIGGER_PCT: value } }))).toMatch(expected);
  });

  it.each([["0.95"], [" 0.9 "], ["9e-1"]])("accepts COMPACT_TRIGGER_PCT=%j", async (value) => {
    expect((await loadConfig({ env: { COMPACT_TRIGGER_PCT: value } })).policy?.triggerPct).toBeCloseTo(Number(value));
  });

  it("suggests what a misspelt key probably meant, and says where a file is broken", async () => {
    expect(await failure(loadConfig({ file: configFile("policy:\n  triger_pct: 0.9\n"), env: {} }))).toMatch(
      /policy\.triger_pct is not a known key, did you mean trigger_pct\?/,
    );
    expect(await failure(loadConfig({ file: configFile("policy: [unclosed\n"), env: {} }))).toMatch(
      /compact\.yaml is not valid YAML/,
    );
    expect(await failure(loadConfig({ file: configFile("- a list\n"), env: {} }))).toMatch(/must hold keys and values/);
    expect(await failure(loadConfig({ file: "/no/such/file.yaml", env: {} }))).toMatch(/cannot be read/);
  });
});

describe("CompactManager's configuration", () => {
  it("has the spec's defaults", () => {
    verifies("conversation/sensible-defaults");
    expect(DEFAULT_POLICY).toMatchObject({
      triggerPct: 0.85,
      hardCapBuffer: 1500,
      keepRecentTurns: 6,
      keepToolIoPairs: 4,
      rolesNeverPrune: ["system", "developer"],
      strategy: "task_state",
    });
  });

  it.each([
    [{ maxContextTokens: 0 }, /max_context_tokens must be/],
    [{ maxContextTokens: Number.NaN }, /max_context_tokens must be/],
    [{ maxContextTokens: 1e9 }, /max_context_tokens must be/],
    [{ policy: { keepRecentTurns: -1 } }, /policy\.keep_recent_turns must be/],
    [{ policy: { keepRecentTurns: 2.5 } }, /policy\.keep_recent_turns must be/],
    [{ policy: { hardCapBuffer: 200_000 } }, /hard_cap_buffer/],
    [{ policy: { keepTurns: 3 } }, /policy\.keep_turns is not a known key/],
    [{ modell: "gpt-4o" }, /modell is not a known key, did you mean model\?/],
    [{ model: "acme-7b-instruct" }, /context window of the model "acme-7b-instruct" is not known/],
    [{ redaction: { patterns: ["(a+)+$"] } }, /redaction\.patterns/],
  ])("%j is refused: %s", (config, expected) => {
    expect(() => new CompactManager(config as object)).toThrow(expected);
  });
});

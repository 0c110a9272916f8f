// Variables: one field each, obeyed or refused by name, never clamped, never ignored in silence.
import { describe, expect, it } from "vitest";
import { describeConfig } from "../../src/config/describe-config.ts";
import { listConfigFields } from "../../src/config/file-schema.ts";
import { resolveForModel } from "../../src/config/limits.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { verifies } from "../requirements/verifies.ts";
import { configFile, failureOf } from "./config-folder.ts";

describe("variables", () => {
  it("are obeyed or refused with their name and field, never clamped", async () => {
    verifies("field/override-clamped-or-ignored");
    const file = configFile("policy:\n  trigger_pct: 0.85\n");
    const load = (value: string) => loadConfig({ file, env: { COMPACT_TRIGGER_PCT: value } });
    for (const [value, effective] of [
      ["0.95", 0.95],
      [" 0.9 ", 0.9],
      ["0.99", 0.99],
      ["1", 1],
    ] as const) {
      const loaded = await load(value);
      expect(loaded.config.policy?.triggerPct).toBe(effective);
      expect(describeConfig(loaded).find(({ name }) => name === "policy.trigger_pct")).toEqual({
        name: "policy.trigger_pct",
        value: effective,
        source: { kind: "variable", name: "COMPACT_TRIGGER_PCT" },
      });
    }
    expect(await failureOf(load("95"))).toContain("did you mean 0.95?");
    for (const value of ["95", "1.5", "abc", "", "  ", "1e-1", "0,9", "0x1", "0", "-0.5", "NaN", "0.9.1"]) {
      expect(await failureOf(load(value))).toMatch(
        /^policy\.trigger_pct must be 0\.0-1\.0, .*\(from the environment variable COMPACT_TRIGGER_PCT\)$/,
      );
    }
  });

  it("have one name each, block before key but for the policy", () => {
    const names = listConfigFields().flatMap(({ variable }) => variable ?? []);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining([
        "COMPACT_TRIGGER_PCT",
        "COMPACT_MAX_REQUEST_BYTES",
        "COMPACT_MODEL",
        "COMPACT_SUMMARIZER_TYPE",
        "COMPACT_SUMMARIZER_MODEL",
        "COMPACT_STORAGE_PATH",
        "COMPACT_TELEMETRY_CONSOLE",
        "COMPACT_REDACTION_ENABLED",
      ]),
    );
  });

  it("reach into every block and leave the rest of it alone", async () => {
    const file = configFile(
      "summarizer: {type: openai-compatible, model: a, seed: 1}\nstorage: {path: x, required: false}\nredaction: {pii: true}\n",
    );
    const env = {
      COMPACT_SUMMARIZER_MODEL: "b",
      COMPACT_STORAGE_PATH: "y",
      COMPACT_TELEMETRY_CONSOLE: "TRUE",
      COMPACT_REDACTION_ENABLED: "false",
      COMPACT_SUMMARY_MAX_TOKENS: "900",
    };
    expect((await loadConfig({ file, env })).config).toEqual({
      summarizer: { type: "openai-compatible", model: "b", seed: 1 },
      storage: { path: "y", required: false },
      redaction: { pii: true, enabled: false },
      telemetry: { console: true },
      policy: { summaryMaxTokens: 900 },
    });
    const off = await loadConfig({ file, env: { COMPACT_SUMMARIZER_TYPE: "extractive" } });
    expect(off.config.summarizer).toMatchObject({ type: "extractive", model: "a" });
  });

  it("hold lists with commas between, or as JSON", async () => {
    const listOf = async (COMPACT_REDACTION_PATTERNS: string) =>
      (await loadConfig({ env: { COMPACT_REDACTION_PATTERNS } })).config.redaction?.patterns;
    expect(await listOf("a, b")).toEqual(["a", "b"]);
    expect(await listOf('["x{1,3}", "y"]')).toEqual(["x{1,3}", "y"]);
    expect(await listOf("[0-9]x")).toEqual(["[0-9]x"]);
    expect(await failureOf(listOf('["x", "y"'))).toContain("redaction.patterns must be a list of regular expressions");
    expect(await failureOf(listOf("a,,b"))).toMatch(
      /redaction\.patterns\[1\] must not be empty.*COMPACT_REDACTION_PATTERNS/,
    );
    expect(await failureOf(loadConfig({ env: { COMPACT_ROLES_NEVER_PRUNE: "system,root" } }))).toMatch(
      /policy\.roles_never_prune\[1\] must be one of.*COMPACT_ROLES_NEVER_PRUNE/,
    );
  });

  it.each([
    "COMPACT_MODEL",
    "COMPACT_ENABLED",
    "COMPACT_STATE_TOOLS",
    "COMPACT_STORAGE_PATH",
    "COMPACT_SUMMARIZER_TYPE",
  ])("%s may not be blank", async (variable) => {
    for (const blank of ["", " "])
      expect(await failureOf(loadConfig({ env: { [variable]: blank } }))).toMatch(
        new RegExp(`must be .*, not empty \\(from the environment variable ${variable}\\)$`),
      );
  });

  it.each([
    ["ariadne_url", "ariadneUrl"],
    ["otlp_url", "otlpUrl"],
  ] as const)("switch off with nothing in them what stands for nothing by default: %s", async (key, field) => {
    const file = configFile(`telemetry: {${key}: "http://127.0.0.1:5175", console: true}\n`);
    for (const blank of ["", " "]) {
      const { config } = await loadConfig({ file, env: { [`COMPACT_TELEMETRY_${key.toUpperCase()}`]: blank } });
      expect(config.telemetry?.[field]).toBeUndefined();
      expect(config.telemetry?.console).toBe(true);
    }
    expect((await loadConfig({ file, env: {} })).config.telemetry?.[field]).toBe("http://127.0.0.1:5175");
  });

  it.each(["a+b", "\\w+@\\w+", "[A-Z0-9_]+=\\S+"])("and files say how a pattern is bounded: %s", async (pattern) => {
    const file = configFile(JSON.stringify({ redaction: { patterns: [pattern] } }), "compact.json");
    for (const options of [{ file }, { env: { COMPACT_REDACTION_PATTERNS: pattern } }])
      await expect(loadConfig(options)).rejects.toMatchObject({
        message: expect.stringContaining("redaction.patterns[0] takes over 50 ms"),
        hint: expect.stringMatching(/^Bound its repeats \(\{1,64\}[^;]*$/),
      });
    const both = loadConfig({ file, env: { COMPACT_TRIGGER_PCT: "7" } });
    await expect(both).rejects.toMatchObject({ hint: expect.stringMatching(/Bound its repeats.*Correct the field/) });
  });

  it("of a list of secrets are told where those belong", async () => {
    const file = configFile("redaction:\n  literals: [hidden-value]\n");
    const told = await failureOf(loadConfig({ file }));
    expect(told).toMatch(/:2: redaction\.literals are taken from code only .*one more leak/);
    expect(told).not.toContain("hidden-value");
  });

  it("win over what the file says of single models, too", async () => {
    const file = configFile(
      "models: {gpt-4o: {max_context_tokens: 1000, policy: {trigger_pct: 0.5, strategy: brief}}}\n",
    );
    const { config } = await loadConfig({
      file,
      env: { COMPACT_TRIGGER_PCT: "0.9", COMPACT_MAX_CONTEXT_TOKENS: "5000" },
    });
    expect(resolveForModel(config, "gpt-4o")).toMatchObject({
      maxContextTokens: 5000,
      policy: { triggerPct: 0.9, strategy: "brief" },
    });
  });

  it.each([
    ["COMPACT_TRIGER_PCT", "COMPACT_TRIGGER_PCT"],
    ["COMPACT_POLICY_TRIGGER_PCT", "COMPACT_TRIGGER_PCT"],
    ["COMPACT_BASE_URL", "COMPACT_SUMMARIZER_BASE_URL"],
    ["COMPACT_SUMMARISER_MODEL", "COMPACT_SUMMARIZER_MODEL"],
    ["COMPACT_API_KEY", "COMPACT_SUMMARIZER_API_KEY"],
  ])("near a known name are warned of: %s", async (name, meant) => {
    const { warnings } = await loadConfig({ env: { [name]: "x" } });
    expect(warnings).toEqual([`The variable ${name} is not read: did you mean ${meant}?`]);
  });

  it("of other programs are left alone, and so is the key", async () => {
    const env = { COMPACT_DISC_DRIVE: "x", COMPACTION: "y", COMPACT_SUMMARIZER_API_KEY: "sk-1", PATH: "/bin" };
    expect(await loadConfig({ env })).toMatchObject({ config: {}, warnings: [] });
  });

  it("do not hide that a block of the file is none", async () => {
    const load = loadConfig({ file: configFile("policy: 3\n"), env: { COMPACT_TRIGGER_PCT: "0.9" } });
    expect(await failureOf(load)).toContain("policy must hold keys and values");
  });

  it("name addresses for traces, checked like the file's", async () => {
    const env = {
      COMPACT_TELEMETRY_OTLP_URL: "http://collector:4318",
      COMPACT_TELEMETRY_ARIADNE_URL: " http://[::1]:1 ",
    };
    expect((await loadConfig({ env })).config.telemetry).toEqual({
      otlpUrl: "http://collector:4318",
      ariadneUrl: "http://[::1]:1",
    });
    expect(await failureOf(loadConfig({ env: { COMPACT_TELEMETRY_OTLP_URL: "collector" } }))).toMatch(
      /telemetry\.otlp_url must be an http or https address.*COMPACT_TELEMETRY_OTLP_URL/,
    );
    const { warnings } = await loadConfig({ env: { COMPACT_ARIADNE_URL: "http://localhost" } });
    expect(warnings).toEqual([
      "The variable COMPACT_ARIADNE_URL is not read: did you mean COMPACT_TELEMETRY_ARIADNE_URL?",
    ]);
  });
});

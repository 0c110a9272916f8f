// Configuration from files and the environment: field by field, and every fault named by its place and path.
import { basename, dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import type { CompactError } from "../../src/errors.ts";
import { verifies } from "../requirements/verifies.ts";
import { configFile, failureOf } from "./config-folder.ts";

/** Loads a file by its short name, so that messages begin with it. */
function load(content: string, env: Record<string, string> = {}, name = "compact.yaml") {
  const path = configFile(content, name);
  return loadConfig({ file: basename(path), cwd: dirname(path), env });
}

describe("loadConfig", () => {
  it("lets the environment override one field and nothing around it", async () => {
    verifies("values/environment-over-file", "conversation/environment-overrides");
    const { config, sources } = await load('version: "1.0"\npolicy:\n  trigger_pct: 0.85\n  keep_recent_turns: 3\n', {
      COMPACT_TRIGGER_PCT: "0.9",
    });
    expect(config.policy).toEqual({ triggerPct: 0.9, keepRecentTurns: 3 });
    expect(sources.get("policy.trigger_pct")).toEqual({ kind: "variable", name: "COMPACT_TRIGGER_PCT" });
    expect(sources.get("policy.keep_recent_turns")).toEqual({ kind: "file", file: "compact.yaml", line: 4 });
  });

  it("reads YAML and JSON, and all it needs from the environment alone", async () => {
    verifies("conversation/yaml-configuration");
    const yaml =
      "model: gpt-4o\nstorage:\n  adapter: fs\n  path: elsewhere\nredaction:\n  patterns: ['(?i)hidden=\\S+']\n";
    const json = '{\n\t"max_context_tokens": 32000,\n\t"policy": {"summary_max_tokens": "auto"}\n}';
    expect((await load(yaml)).config).toMatchObject({ model: "gpt-4o", storage: { path: "elsewhere" } });
    expect((await load(json, {}, "compact.json")).config).toEqual({
      maxContextTokens: 32_000,
      policy: { summaryMaxTokens: "auto" },
    });
    const env = { COMPACT_MODEL: "gpt-4o", COMPACT_ENABLED: "false", COMPACT_KEEP_RECENT_TURNS: " 2 " };
    expect((await loadConfig({ env })).config).toEqual({
      model: "gpt-4o",
      enabled: false,
      policy: { keepRecentTurns: 2 },
    });
    expect(await failureOf(load("policy:\n  trigger_pct: 1.5\n"))).toContain("policy.trigger_pct must be 0.0-1.0");
  });

  it("takes every key of the documentation", async () => {
    const { config } = await load(`version: "1.0"
enabled: true
model: gpt-4o
max_context_tokens: 128000
reserved_output_tokens: 4000
policy:
  trigger_pct: 0.8
  trigger_tokens: 90000
  hard_cap_buffer: 1000
  keep_recent_turns: 5
  keep_tool_io_pairs: 3
  roles_never_prune: [system]
  strategy: brief
  target_pct: 0.5
  target_tokens: 60000
  summary_max_tokens: 2000
  on_summary_failure: keep
  state_tools: [board_update]
  shorten_tool_results: false
  shorten_user_messages: true
  max_request_bytes: 4000000
  strip_reasoning: true
summarizer:
  type: openai-compatible
  base_url: http://localhost:11434/v1
  model: qwen3
  timeout_ms: 60000
  temperature: 0.2
  seed: 7
  redact_input: false
  max_context_tokens: 32000
  max_output_tokens: 2000
  language: German
telemetry: {console: true, jsonl: false}
storage: {adapter: fs, path: kept, required: false}
redaction: {enabled: false, patterns: ['x-[0-9]+'], allow: [abc], pii: true}
models:
  gpt_4_custom: {max_context_tokens: 8000}
`);
    expect(config).toMatchObject({
      reservedOutputTokens: 4000,
      policy: {
        triggerTokens: 90_000,
        onSummaryFailure: "keep",
        maxRequestBytes: 4_000_000,
        shortenUserMessages: true,
      },
      summarizer: {
        type: "openai-compatible",
        baseUrl: "http://localhost:11434/v1",
        model: "qwen3",
        timeoutMs: 60_000,
        temperature: 0.2,
        seed: 7,
        redactInput: false,
        maxContextTokens: 32_000,
        maxOutputTokens: 2000,
        language: "German",
      },
      telemetry: { console: true, jsonl: false },
      storage: { adapter: "fs", path: "kept", required: false },
      redaction: { enabled: false, patterns: ["x-[0-9]+"], allow: ["abc"], pii: true },
      // The user's own names keep their spelling.
      models: { gpt_4_custom: { maxContextTokens: 8000 } },
    });
  });

  it("reads numbers and switches that are written as text, and a version without quotes", async () => {
    const { config } = await load(
      'version: 1.0\nenabled: "false"\npolicy:\n  keep_recent_turns: "30"\n  trigger_pct: " 0.5 "\n  summary_max_tokens: "900"\n',
    );
    expect(config).toEqual({
      version: "1.0",
      enabled: false,
      policy: { keepRecentTurns: 30, triggerPct: 0.5, summaryMaxTokens: 900 },
    });
  });

  it("takes a block whose keys are all commented out, and an empty file", async () => {
    expect((await load("policy:\n  # trigger_pct: 0.9\nstorage:\nmodels:\n  gpt-4o:\n")).config).toEqual({
      policy: {},
      storage: {},
      models: { "gpt-4o": {} },
    });
    expect((await load("")).config).toEqual({});
    expect((await load("# nothing yet\n")).config).toEqual({});
  });

  it.each([
    ["version: 2", 'compact.yaml:1: version must be "1.0"'],
    ["policy:\n\n  # why\n  trigger_pct: 7", "compact.yaml:4: policy.trigger_pct must be 0.0-1.0"],
    ["triggerPct: 0.8", "compact.yaml:1: triggerPct is not a known key, did you mean policy.trigger_pct?"],
    ["policy: {on_summary_failure: prune}", "pruning-only, extractive, keep: did you mean pruning-only?"],
    [
      "summarizer: {type: openai}",
      "summarizer.type must be one of: extractive, openai-compatible, anthropic: did you mean openai-compatible?",
    ],
    ["enabled: no", "compact.yaml:1: enabled must be true or false"],
    ["policy:\n  trigger_pct: 95", "compact.yaml:2: policy.trigger_pct must be 0.0-1.0, above 0: did you mean 0.95?"],
    ["policy: {trigger_pct: 85%}", "policy.trigger_pct must be 0.0-1.0, above 0: did you mean 0.85?"],
    ["policy: {trigger_pct: '0,9'}", "policy.trigger_pct must be 0.0-1.0, above 0: did you mean 0.9?"],
    ["policy: {trigger_pct: 0}", "policy.trigger_pct must be 0.0-1.0, above 0"],
    ["policy: {trigger_pct: .nan}", "policy.trigger_pct must be 0.0-1.0"],
    ["max_context_tokens: 128k", "max_context_tokens must be a whole number from 1 to 100,000,000"],
    ["max_context_tokens: 0", "max_context_tokens must be a whole number from 1 to 100,000,000"],
    ["max_context_tokens: -1", "max_context_tokens must be a whole number from 1 to 100,000,000"],
    ["max_context_tokens: 1e9", "max_context_tokens must be a whole number from 1 to 100,000,000"],
    ["max_context_tokens: .inf", "max_context_tokens must be a whole number from 1 to 100,000,000"],
    ["max_context_tokens:", "max_context_tokens has no value: give it one, or remove the key"],
    ["policy: {keep_recent_turns: 2.5}", "policy.keep_recent_turns must be a whole number from 0 to 100,000"],
    ["policy: {keep_recent_turns: -1}", "policy.keep_recent_turns must be a whole number from 0 to 100,000"],
    [
      "policy: {strategy: task-state}",
      "policy.strategy must be one of: task_state, decision_log, code_delta, brief: did",
    ],
    ["policy: {roles_never_prune: system}", "policy.roles_never_prune must be a list of roles"],
    [
      "policy:\n  roles_never_prune:\n    - system\n    - root",
      "compact.yaml:4: policy.roles_never_prune[1] must be one of",
    ],
    ["policy: 3", "policy must hold keys and values"],
    ["enabled: no", "enabled must be true or false"],
    ["enabled: 0", "enabled must be true or false"],
    ["model: 4", "model must be a text"],
    ["model: ' '", "model must not be empty"],
    ["redaction:\n  patterns:\n    - ok\n    - '(a+)+$'", "compact.yaml:4: redaction.patterns[1] takes over 50 ms"],
    ["models: [gpt-4o]", "models must hold model names"],
    ["models: {'a*b': {}}", "models.a*b must be a model's name; * may end it"],
    ["models:\n  gpt-4.1:\n    max_context_tokens: 0", "compact.yaml:3: models.gpt-4.1.max_context_tokens must be"],
    [
      "models:\n  gpt-4.1:\n    policy:\n      trigger_pct: 2",
      "compact.yaml:4: models.gpt-4.1.policy.trigger_pct must be",
    ],
  ])("refuses %j", async (content, expected) => {
    expect(await failureOf(load(content))).toContain(expected);
  });

  it.each([
    ["polcy: {}", "polcy is not a known key, did you mean policy?"],
    ["policy:\n  triger_pct: 0.9", "compact.yaml:2: policy.triger_pct is not a known key, did you mean trigger_pct?"],
    ["policy: {triggerPct: 0.9}", "policy.triggerPct is not a known key, did you mean trigger_pct?"],
    ["trigger_pct: 0.9", "trigger_pct is not a known key, did you mean policy.trigger_pct?"],
    ["summarizer: {modle: x}", "summarizer.modle is not a known key, did you mean model?"],
    ["storage: {pth: x}", "storage.pth is not a known key, did you mean path?"],
    ["telemetry: {consol: true}", "telemetry.consol is not a known key, did you mean console?"],
    ["redaction: {pattern: []}", "redaction.pattern is not a known key, did you mean patterns?"],
    ["models: {gpt-4o: {polisy: {}}}", "models.gpt-4o.polisy is not a known key, did you mean policy?"],
    [
      "models: {gpt-4o: {policy: {strategi: brief}}}",
      "models.gpt-4o.policy.strategi is not a known key, did you mean strategy?",
    ],
    ["__proto__: {enabled: false}", "__proto__ is not a known key"],
    ["policy: {__proto__: {strategy: brief}}", "policy.__proto__ is not a known key"],
    ["models: {__proto__: {max_context_tokens: 1}}", "models.__proto__ is not a known key"],
    ["constructor: 1", "constructor is not a known key"],
  ])("refuses the unknown key of %j", async (content, expected) => {
    expect(await failureOf(load(content))).toContain(expected);
  });

  it.each([
    ["telemetry: {ariadne_url: 'localhost:5175'}", "telemetry.ariadne_url must be an http or https address"],
    ["telemetry: {ariadne_url: 5175}", "telemetry.ariadne_url must be a text"],
    ["telemetry: {ariadne_url: 'http://me:pw@localhost'}", "telemetry.ariadne_url must not hold a user name or a key"],
    ["telemetry: {otlp_url: 'http://192.0.2.1:4318'}", "telemetry.otlp_url must begin with https"],
    ["telemetry: {otlp_url: 'https://example.com/?token=1'}", "telemetry.otlp_url must end before ? and #"],
    ["telemetry: {otlp_headers: 'a=b'}", "telemetry.otlp_headers is not a known key"],
  ])("refuses addresses for traces that are none: %j", async (content, expected) => {
    expect(await failureOf(load(content))).toContain(expected);
  });

  it("names every fault, in the order of the file, and counts those that it leaves out", async () => {
    const content = "modle: x\npolicy:\n  trigger_pct: 9\n  strategi: brief\nenabled: maybe\nmax_context_tokens: 0\n";
    const error = (await load(content).catch((thrown: unknown) => thrown)) as CompactError;
    expect(error.kind).toBe("InvalidConfig");
    expect(error.message).toMatch(/^compact\.yaml:1: modle .*; compact\.yaml:3: .*; compact\.yaml:4: .*; and 2 more$/);
    expect((error.data.faults as { path: string }[]).map(({ path }) => path)).toEqual([
      "modle",
      "policy.trigger_pct",
      "policy.strategi",
      "enabled",
      "max_context_tokens",
    ]);
  });

  it.each(["api_key", "apiKey", "api-key", "key", "token", "secret"])(
    "refuses %s and never repeats it",
    async (name) => {
      const message = await failureOf(load(`summarizer: {type: anthropic, model: m, ${name}: sk-hidden-1234}`));
      expect(message).toContain("keys come from the environment");
      expect(message).toContain("COMPACT_SUMMARIZER_API_KEY");
      expect(message).not.toContain("sk-hidden");
    },
  );
});

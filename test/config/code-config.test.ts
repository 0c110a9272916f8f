// What CompactManager takes: the same keys in camelCase, and objects where a file has names.
import { describe, expect, it } from "vitest";
import { checkConversationConfig } from "../../src/config/config-errors.ts";
import { DEFAULT_POLICY } from "../../src/conversation/policy.ts";
import { CompactManager } from "../../src/index.ts";
import { createExtractiveSummarizer } from "../../src/summaries/record.ts";
import { verifies } from "../requirements/verifies.ts";

const long = (turns: number) =>
  Array.from({ length: turns }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: `${index}: ${"some words that take room ".repeat(30)}`,
  }));

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

  it("takes no number for off: only enabled: false switches off", async () => {
    verifies("field/zero-means-off");
    for (const [config, path] of [
      [{ maxContextTokens: 0 }, "max_context_tokens must be a whole number from 1 to 100,000,000"],
      [{ maxContextTokens: -1 }, "max_context_tokens must be a whole number from 1 to 100,000,000"],
      [{ maxContextTokens: Number.NaN }, "max_context_tokens must be a whole number from 1 to 100,000,000"],
      [{ maxContextTokens: "128k" }, "max_context_tokens must be a whole number from 1 to 100,000,000"],
      [{ maxContextTokens: 1e9 }, "max_context_tokens must be a whole number from 1 to 100,000,000"],
      [{ maxContextTokens: null }, "max_context_tokens must be a whole number from 1 to 100,000,000"],
      [{ policy: { hardCapBuffer: 128_000 } }, "policy.hard_cap_buffer (128000)"],
      [{ policy: { keepRecentTurns: -1 } }, "policy.keep_recent_turns must be a whole number from 0 to 100,000"],
      [{ policy: { keepRecentTurns: 2.5 } }, "policy.keep_recent_turns must be a whole number from 0 to 100,000"],
      [{ policy: { triggerPct: 0 } }, "policy.trigger_pct must be 0.0-1.0, above 0"],
    ] as const)
      expect(() => new CompactManager(config as object), JSON.stringify(config)).toThrow(path);
    const messages = long(60);
    const limits = { maxContextTokens: 8000, archive: false } as const;
    const off = new CompactManager({ ...limits, enabled: false });
    expect(await off.preflight("off", messages)).toEqual(messages);
    const late = new CompactManager({ ...limits, policy: { triggerPct: 1 } });
    expect((await late.preflight("late", messages)).length).toBeLessThan(messages.length);
  });

  it.each<[unknown, string]>([
    [{ policy: { keepTurns: 3 } }, "policy.keepTurns is not a known key"],
    [{ policy: { triggerPc: 0.5 } }, "policy.triggerPc is not a known key, did you mean triggerPct?"],
    [{ modell: "gpt-4o" }, "modell is not a known key, did you mean model?"],
    [{ max_context_tokens: 5000 }, "max_context_tokens is not a known key, did you mean maxContextTokens?"],
    [{ triggerPct: 0.5 }, "triggerPct is not a known key, did you mean policy.triggerPct?"],
    [{ redaction: { patern: [] } }, "redaction.patern is not a known key, did you mean patterns?"],
    [{ models: { "gpt-4o": { polisy: {} } } }, "models.gpt-4o.polisy is not a known key, did you mean policy?"],
    [{ summarizer: { type: "anthropic", modle: "m" } }, "summarizer.modle is not a known key, did you mean model?"],
    [{ summarizer: { model: async () => "", sede: 1 } }, "summarizer.sede is not a known key, did you mean seed?"],
    [
      { summarizer: { type: "anthropic", model: "m", apiKey: "sk-9" } },
      "summarizer.apiKey is refused: API keys come from",
    ],
    [{ summarizer: { model: 5 } }, "summarizer.model must be a model: an async function"],
    [{ summarizer: { type: "anthropic", model: async () => "" } }, "summarizer.model must be a text"],
    [{ summarizer: { type: "anthropic" } }, "summarizer.model must be given for the type anthropic"],
    [{ summarizer: async () => "" }, "summarizer must be a summarizer (kind, summarize), {model: ...} or {type: ...}"],
    [{ summarizer: { complete: async () => "" } }, "summarizer must be a summarizer"],
    [{ summarizer: "extractive" }, "summarizer must be a summarizer"],
    [{ summarizer: [] }, "summarizer must be a summarizer"],
    [{ models: { "gpt-4o": { maxContextTokens: 0 } } }, "models.gpt-4o.max_context_tokens must be"],
    [{ redaction: { patterns: ["(a+)+$"] } }, "redaction.patterns[0] takes over 50 ms"],
    [{ policy: { triggerPct: 95 } }, "policy.trigger_pct must be 0.0-1.0, above 0: did you mean 0.95?"],
    ["gpt-4o", "the configuration must hold keys and values"],
  ])("%j is refused: %s", (config, expected) => {
    expect(() => checkConversationConfig(config)).toThrow(expected);
  });

  it("needs the window of a model that is not known", () => {
    expect(() => new CompactManager({ model: "acme-7b-instruct", archive: false })).toThrow(
      /context window of the model "acme-7b-instruct" is not known/,
    );
  });

  class LanguageModel {
    readonly specificationVersion = "v3";
    readonly type = "not a summarizer's";
    doGenerate = async () => ({});
  }

  it.each([
    ["a summarizer", createExtractiveSummarizer()],
    ["a function", { model: async () => "text", timeoutMs: 5000, language: "German", maxOutputTokens: 800 }],
    ["our own model", { model: { name: "m", complete: async () => ({ text: "", finish: "stop" }) } }],
    ["a language model of the ai package", { model: new LanguageModel(), temperature: 0, seed: 1, redactInput: false }],
    ["its name", { model: "openai/gpt-4o", maxContextTokens: 128_000 }],
    ["a type", { type: "openai-compatible", baseUrl: "http://localhost:11434/v1", model: "qwen3" }],
    ["extractive by name", { type: "extractive" }],
  ])("takes for a summarizer %s", (_kind, summarizer) => {
    expect(() => checkConversationConfig({ summarizer })).not.toThrow();
  });

  it("takes limits of single models", () => {
    const models = { "gpt-4*": { maxContextTokens: 60_000, policy: { triggerTokens: 30_000 } } };
    expect(() => checkConversationConfig({ model: "gpt-4o", models })).not.toThrow();
  });
});

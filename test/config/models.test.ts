// Per-model overrides and the limits that come of them.
import { describe, expect, it } from "vitest";
import { findLimitFaults, layOver, limitsOf, matchingModels, resolveForModel } from "../../src/config/limits.ts";

const config = {
  model: "gpt-4o",
  maxContextTokens: 100_000,
  policy: { triggerPct: 0.8, keepRecentTurns: 4 },
  models: {
    "gpt-4o-mini": { policy: { keepRecentTurns: 1 } },
    "gpt-4*": { reservedOutputTokens: 2000, policy: { triggerPct: 0.7, keepRecentTurns: 2 } },
    "*": { policy: { triggerTokens: 50_000 } },
    "Claude-Sonnet*": { maxContextTokens: 1_000_000, policy: { triggerTokens: undefined } },
  },
} as const;

describe("resolveForModel", () => {
  it("lays the matching entries over the rest field by field, the most precise last", () => {
    expect(resolveForModel(config, "gpt-4o-mini")).toEqual({
      model: "gpt-4o-mini",
      maxContextTokens: 100_000,
      reservedOutputTokens: 2000,
      policy: { triggerPct: 0.7, keepRecentTurns: 1, triggerTokens: 50_000 },
    });
    expect(resolveForModel(config)).toMatchObject({ model: "gpt-4o", policy: { triggerPct: 0.7, keepRecentTurns: 2 } });
    expect(resolveForModel(config, "o3")).toMatchObject({ policy: { triggerPct: 0.8, triggerTokens: 50_000 } });
  });

  it("compares names without regard to case, with and without a vendor's part", () => {
    expect(matchingModels(config.models, "anthropic/claude-sonnet-4-5")).toEqual(["*", "Claude-Sonnet*"]);
    expect(matchingModels(config.models, "openai/GPT-4o-mini")).toEqual(["*", "gpt-4*", "gpt-4o-mini"]);
    expect(matchingModels({ "openai/gpt-4o": {} }, "openai/gpt-4o")).toEqual(["openai/gpt-4o"]);
    expect(matchingModels({ "openai/gpt-4o": {} }, "gpt-4o")).toEqual([]);
    expect(matchingModels(config.models, undefined)).toEqual([]);
  });

  it("changes nothing it was given and lets no undefined field hide another", () => {
    const before = structuredClone(config);
    expect(resolveForModel(config, "claude-sonnet-4")).toMatchObject({
      maxContextTokens: 1_000_000,
      policy: { triggerTokens: 50_000 },
    });
    expect(config).toEqual(before);
    expect(resolveForModel({ policy: { strategy: "brief" } })).toEqual({ policy: { strategy: "brief" } });
  });

  it("gives way to a flag, which counts for every model", () => {
    const flagged = layOver<Parameters<typeof resolveForModel>[0]>(config, {
      policy: { keepRecentTurns: 9, strategy: undefined },
    });
    expect(resolveForModel(flagged, "gpt-4o-mini").policy).toEqual({
      triggerPct: 0.7,
      keepRecentTurns: 9,
      triggerTokens: 50_000,
    });
  });
});

describe("limits", () => {
  it("are the model's window less buffer and reserved output", () => {
    expect(limitsOf({})).toEqual({ maxContextTokens: 128_000, budget: 126_500 });
    expect(limitsOf({ model: "claude-sonnet-4", reservedOutputTokens: 8000 })).toEqual({
      maxContextTokens: 200_000,
      budget: 190_500,
    });
    expect(limitsOf({ model: "acme", maxContextTokens: 10_000, policy: { hardCapBuffer: 0 } }).budget).toBe(10_000);
  });

  it.each([
    [{ model: "acme-7b" }, /context window of the model "acme-7b" is not known/],
    [{ maxContextTokens: 1500 }, /max_context_tokens \(1500\) must be greater than policy\.hard_cap_buffer \(1500\)/],
    [{ maxContextTokens: 10_000, reservedOutputTokens: 8500 }, /plus reserved_output_tokens \(8500\)/],
  ])("refuse %j", (limited, expected) => {
    expect(() => limitsOf(limited)).toThrow(expected);
  });

  it("are checked for every entry of models", () => {
    expect(findLimitFaults(config)).toEqual([]);
    const faults = findLimitFaults({
      models: {
        acme: {},
        "acme-*": {},
        "gpt-4*": { policy: { hardCapBuffer: 200_000 } },
        o3: { reservedOutputTokens: 300_000 },
      },
    });
    expect(faults.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^models\.acme: The context window/),
      expect.stringMatching(/^models\.gpt-4\*: max_context_tokens/),
      expect.stringMatching(/^models\.o3: max_context_tokens/),
    ]);
    expect(faults[0]).toMatchObject({ fields: ["models.acme"], hint: expect.stringContaining("max_context_tokens") });
  });
});

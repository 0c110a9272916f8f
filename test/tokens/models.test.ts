import { describe, expect, it } from "vitest";
import { isKnownModel, resolveModel } from "../../src/tokens/models.ts";

describe("resolveModel", () => {
  it.each([
    ["gpt-4o", "o200k_base", 128_000],
    ["openai/gpt-4o-2024-08-06", "o200k_base", 128_000],
    ["GPT-4o-mini", "o200k_base", 128_000],
    ["ft:gpt-4o-2024-08-06:acme::abc", "o200k_base", 128_000],
    ["chatgpt-4o-latest", "o200k_base", 128_000],
    ["gpt-4.1-mini-2025-04-14", "o200k_base", 1_047_576],
    ["gpt-5", "o200k_base", 272_000],
    ["gpt-5.2-codex", "o200k_base", 272_000],
    ["o1", "o200k_base", 200_000],
    ["o3-2025-04-16", "o200k_base", 200_000],
    ["o4-mini", "o200k_base", 200_000],
    ["gpt-4-turbo-2024-04-09", "cl100k_base", 128_000],
    ["gpt-4", "cl100k_base", 8_192],
    ["gpt-4-0613", "cl100k_base", 8_192],
    ["gpt-3.5-turbo-0125", "cl100k_base", 16_385],
  ] as const)("%s counts exactly with %s in a window of %d", (name, encoding, window) => {
    expect(resolveModel(name)).toEqual({ encoding, window, factor: 1, isExact: true, margin: 0 });
  });

  it.each([
    ["claude-3-5-sonnet-20241022", 200_000],
    ["anthropic/claude-sonnet-4.5", 200_000],
    ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", 200_000],
    ["claude-opus-4-20250514", 200_000],
    ["claude-sonnet-4-5[1m]", 1_000_000],
    ["claude-opus-4-7", 1_000_000],
    ["models/gemini-2.5-pro", 1_048_576],
    ["meta.llama3-3-70b-instruct-v1:0", 131_072],
    ["meta-llama/Llama-3.3-70B-Instruct", 131_072],
    ["mistral-large-latest", 131_072],
    ["Qwen/Qwen3-32B", 131_072],
    ["deepseek-chat", 128_000],
  ] as const)("%s is estimated with a stated factor and margin, window %d", (name, window) => {
    const model = resolveModel(name);
    expect(model.window).toBe(window);
    expect(model.isExact).toBe(false);
    expect(model.factor).toBeGreaterThan(1);
    expect(model.margin).toBeGreaterThan(0);
  });

  it("gives an unknown name a cautious factor and no window", () => {
    for (const name of ["acme-7b-instruct", "o17", "gpt", "my-gpt-4o"]) {
      expect(resolveModel(name)).toEqual({ encoding: "o200k_base", factor: 1.3, isExact: false, margin: 0.3 });
      expect(isKnownModel(name)).toBe(false);
    }
    expect(isKnownModel("gpt-4o")).toBe(true);
  });

  it("counts plain o200k, without a window, where no model is named", () => {
    for (const name of [undefined, "", "  "]) {
      expect(resolveModel(name)).toEqual({ encoding: "o200k_base", factor: 1, isExact: true, margin: 0 });
    }
  });
});

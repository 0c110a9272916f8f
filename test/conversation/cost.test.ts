import { describe, expect, it } from "vitest";
import { COST_WEIGHTS, costOfCompaction } from "../../src/conversation/report.ts";

const sizes = { tokensBefore: 60_000, tokensAfter: 20_000, firstChangedIndex: 2, prefixTokens: 8_000 };

describe("what a compaction costs and saves", () => {
  it("costs the new writing of what follows the unchanged prefix, and saves reading at each call", () => {
    expect(costOfCompaction(sizes)).toEqual({
      weights: { cached_read: 0.1, cache_write: 1.25, input: 1, output: 5 },
      first_changed_index: 2,
      rewritten_tokens: 12_000,
      summarizer: { calls: 0, input_tokens: 0, output_tokens: 0 },
      cost_weighted: 13_800,
      saved_per_call_weighted: 4_000,
      pays_back_after_calls: 4,
    });
  });

  it("adds the calls of a model that wrote the summary", () => {
    const cost = costOfCompaction({ ...sizes, usage: { calls: 2, inputTokens: 40_000, outputTokens: 3_000 } });
    expect(cost.summarizer).toEqual({ calls: 2, input_tokens: 40_000, output_tokens: 3_000 });
    expect(cost.cost_weighted).toBe(13_800 + 40_000 + 15_000);
    expect(cost.pays_back_after_calls).toBe(18);
  });

  it.each([1, 3, 4, 5, 40])("agrees with adding up %i calls one by one", (calls) => {
    const { cached_read, cache_write } = COST_WEIGHTS;
    const { tokensBefore, tokensAfter, prefixTokens } = sizes;
    const first = prefixTokens * cached_read + (tokensAfter - prefixTokens) * cache_write;
    const compacted = first + (calls - 1) * tokensAfter * cached_read;
    const whole = calls * tokensBefore * cached_read;
    const { cost_weighted, saved_per_call_weighted, pays_back_after_calls } = costOfCompaction(sizes);
    expect(whole - compacted).toBeCloseTo(calls * saved_per_call_weighted - cost_weighted);
    expect(compacted <= whole).toBe(calls >= (pays_back_after_calls ?? Number.POSITIVE_INFINITY));
  });

  it("never pays back when nothing became smaller", () => {
    expect(costOfCompaction({ ...sizes, tokensAfter: 60_000 })).toMatchObject({
      saved_per_call_weighted: 0,
      pays_back_after_calls: null,
    });
    const grown = costOfCompaction({ ...sizes, tokensAfter: 61_000 });
    expect(grown).toMatchObject({ saved_per_call_weighted: -100, pays_back_after_calls: null });
  });

  it("costs nothing when only the end was cut off, and then pays back at once", () => {
    expect(costOfCompaction({ ...sizes, prefixTokens: 20_000 })).toMatchObject({
      rewritten_tokens: 0,
      cost_weighted: 0,
      pays_back_after_calls: 0,
    });
    // A prefix counted a little larger than the whole is no negative cost.
    expect(costOfCompaction({ ...sizes, prefixTokens: 20_001 }).rewritten_tokens).toBe(0);
  });

  it("is plain data", () => {
    const cost = costOfCompaction(sizes);
    expect(JSON.parse(JSON.stringify(cost))).toEqual(cost);
  });
});

// Limits as shares or as tokens, by model, resolved anew at each preflight; and what a compaction costs, in its report.
import { describe, expect, it } from "vitest";
import type { ConversationConfig } from "../../../src/index.ts";
import { verifies } from "../../requirements/verifies.ts";
import { bench, turns, user } from "../support.ts";

const config: ConversationConfig = {
  model: "gpt-4o",
  policy: { triggerPct: 0.9 },
  models: {
    "gpt-4o": { policy: { triggerTokens: 20_000, targetTokens: 5000 } },
    "gpt-4.1*": { policy: { triggerPct: 0.01 } },
    "acme-*": { maxContextTokens: 16_000, reservedOutputTokens: 4000 },
  },
};

describe("limits by model", () => {
  it("are those of the model that is called now", async () => {
    verifies("field/fixed-figures-for-all-models");
    const { manager, of } = bench(config);
    const list = turns(12);
    for (const model of [undefined, "gpt-4.1-mini", "acme-7b", "gpt-5"])
      await manager.preflight("s", list, model === undefined ? {} : { model });
    const limits = of("compact.trigger_decision").map((event) => event.limits);
    expect(limits).toEqual([
      { max_context_tokens: 128_000, budget: 126_500, trigger_tokens: 20_000, target_tokens: 5000 },
      expect.objectContaining({ max_context_tokens: 1_047_576, trigger_tokens: 10_476 }),
      { max_context_tokens: 16_000, budget: 10_500, trigger_tokens: 10_501, target_tokens: 10_500 },
      expect.objectContaining({ max_context_tokens: 272_000, trigger_tokens: 244_800 }),
    ]);
  });

  it("act: an absolute trigger and target of one model, a share of the next", async () => {
    verifies("field/fixed-figures-for-all-models");
    const { manager, of } = bench(config);
    const list = [...turns(70), user("go on")];
    const compacted = await manager.preflight("s", list);
    expect(of("compact.trigger_decision").at(-1)?.reason).toBe("over_trigger_tokens");
    expect(of("compact.pruned_messages").at(-1)?.tokens_after).toBeLessThan(5500);
    expect(await manager.preflight("s", compacted, { model: "gpt-5" })).toBe(compacted);
    const grown = [...compacted, ...turns(40)];
    await manager.preflight("s", grown, { model: "gpt-4.1" });
    expect(of("compact.trigger_decision").at(-1)?.reason).toBe("over_trigger_pct");
  });
});

describe("the report's cost", () => {
  it("tells tokens before and after, the summarizer's own, and the first changed message; it claims no money", async () => {
    verifies("field/saving-claimed-without-cost");
    const model = async () => ({
      text: "## Progress (the assistant's own reports)\n- Questions were answered [1.1]",
      finish: "stop" as const,
      usage: { inputTokens: 4000, outputTokens: 50 },
    });
    const { manager, of } = bench({ summarizer: { model } });
    const pinned = { role: "system", content: "You help." };
    const { report, messages } = await manager.compact("s", [pinned, ...turns(12), user("go on")]);
    const { cost } = report;
    expect(cost).toMatchObject({
      weights: { cached_read: 0.1, cache_write: 1.25, input: 1, output: 5 },
      first_changed_index: 1,
      summarizer: { calls: 1, input_tokens: 4000, output_tokens: 50 },
    });
    expect(messages[0]).toBe(pinned);
    const rewritten = cost?.rewritten_tokens ?? 0;
    expect(rewritten).toBeLessThan(report.tokens_after);
    expect(cost?.cost_weighted).toBe(Math.round(rewritten * 1.15 + 4000 + 50 * 5));
    expect(cost?.saved_per_call_weighted).toBe(Math.round((report.tokens_before - report.tokens_after) * 0.1));
    expect(cost?.pays_back_after_calls).toBeGreaterThan(0);
    const [pruned] = of("compact.pruned_messages");
    expect(pruned).toMatchObject({
      tokens_before: report.tokens_before,
      tokens_after: report.tokens_after,
      first_changed: 1,
    });
    expect(JSON.stringify(report)).not.toMatch(/\$|USD|EUR|money|price/i);
  });

  it("is null when nothing was compacted", async () => {
    const { manager } = bench();
    expect((await manager.compact("s", turns(2), { ifNeeded: true })).report.cost).toBeNull();
  });
});

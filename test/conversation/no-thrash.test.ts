// Compaction that cannot help stops; compaction that helps is not needed again at once.
import { describe, expect, it } from "vitest";
import type { Summarizer } from "../../src/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { assistant, bench, flatCounter, pair, system, textOf, turns, user } from "./support.ts";

function countingSummarizer(text = "Work continued."): Summarizer & { calls: number } {
  const summarizer = {
    kind: "model" as const,
    calls: 0,
    async summarize() {
      summarizer.calls++;
      return { text, source: "model" as const };
    },
  };
  return summarizer;
}

const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index % 700}`).join(" ");

describe("no thrash", () => {
  it("gives up after one round that cannot get under the trigger, and waits for growth", async () => {
    verifies("field/floor-above-the-trigger", "rulings/no-thrash");
    const summarizer = countingSummarizer(words(600));
    const { manager, of } = bench({
      maxContextTokens: 16_000,
      policy: { triggerPct: 0.65, summaryMaxTokens: 2000 },
      summarizer,
    });
    const fixed = [system(words(4000)), { ...user(words(1300)), meta: { protected: true } }];
    let messages: readonly unknown[] = [
      ...fixed,
      ...Array.from({ length: 20 }, (_, n) => [user(`q${n}`), assistant(words(30))]).flat(),
    ];
    for (let round = 0; round < 10; round++) {
      messages = await manager.preflight("s", [...messages, user(`short ${round}`)]);
    }
    expect(of("compact.token_estimate")[0]?.t_est).toBeGreaterThan(0.65 * 16_000);
    expect(summarizer.calls).toBeLessThanOrEqual(2);
    expect(of("compact.trigger_decision").some(({ reason }) => reason === "waiting_for_growth")).toBe(true);
  });

  it("waits for growth where only the provider's report is over the budget, since pruning cannot win that", async () => {
    verifies("field/floor-above-the-trigger");
    const summarizer = countingSummarizer(words(100));
    const { manager, of } = bench({ maxContextTokens: 100_000, summarizer });
    let messages: readonly unknown[] = turns(20);
    for (let round = 0; round < 10; round++) {
      const more = [user(`short ${round}`), { ...assistant("ok"), usage: { prompt_tokens: 99_000 } }, user("go on")];
      messages = await manager.preflight("s", [...messages, ...more]);
    }
    expect(of("compact.token_estimate").at(-1)).toMatchObject({ counting: "reported" });
    expect(of("compact.token_estimate").at(-1)?.t_est).toBeGreaterThan(98_500);
    expect(summarizer.calls).toBeLessThanOrEqual(2);
    expect(of("compact.trigger_decision").at(-1)).toMatchObject({ triggered: false, reason: "waiting_for_growth" });
  });

  it.each([
    ["no model", undefined],
    ["a model", countingSummarizer(words(100))],
  ])("never refuses a list for the size of its own summary (%s)", async (_name, summarizer) => {
    verifies("field/floor-above-the-trigger", "field/summary-snowballs");
    const { manager, of } = bench({ maxContextTokens: 20_000, ...(summarizer === undefined ? {} : { summarizer }) });
    const system = words(6000);
    let messages: readonly unknown[] = [];
    for (let round = 0; round < 60; round++) {
      const wish = user(
        `Wish ${round}: ${Array.from({ length: 90 }, (_, n) => `v${(round * 31 + n * 7) % 997}`).join(" ")}`,
      );
      messages = await manager.preflight("s", [...messages, wish], { system });
      messages = [...messages, assistant(`did ${round}`)];
    }
    const [first] = of("compact.token_estimate");
    expect(first?.breakdown.system).toBeGreaterThan(0.6 * 20_000);
    expect(of("compact.pruned_messages").length).toBeGreaterThan(2);
    expect(textOf(messages)).toContain("Wish 59");
  });

  it("summarizes once for two preflights with nothing between them, whichever list the caller sends", async () => {
    const summarizer = countingSummarizer();
    const { manager, of } = bench({ maxContextTokens: 12_000, summarizer });
    const whole = turns(40);
    const first = await manager.preflight("s", whole);
    const same = await manager.preflight("s", whole);
    const compacted = await manager.preflight("s", first);
    expect(summarizer.calls).toBe(1);
    expect(same).toEqual(first);
    expect(compacted).toEqual(first);
    expect(of("compact.trigger_decision").map(({ triggered }) => triggered)).toEqual([true, false, false]);
  });

  it("answers a growing whole history with a prefix that does not change between compactions", async () => {
    const { manager, of } = bench({ maxContextTokens: 8_000 });
    const whole: unknown[] = [];
    let before: readonly unknown[] = [];
    let compactions = 0;
    for (const message of turns(80)) {
      whole.push(message);
      const now = await manager.preflight("s", whole);
      const happened = of("compact.pruned_messages").length;
      if (happened === compactions) expect(now.slice(0, before.length)).toEqual(before);
      compactions = happened;
      before = now;
    }
    expect(compactions).toBeGreaterThan(1);
    expect(compactions).toBeLessThan(10);
  });

  it("lands well below the trigger, so that a steady chat compacts once per share it gained", async () => {
    verifies("field/no-hysteresis");
    const { manager, of } = bench({
      maxContextTokens: 100_000,
      tokenCounter: flatCounter(500),
      policy: { summaryMaxTokens: 500, keepRecentTurns: 1000 },
    });
    let messages: readonly unknown[] = [];
    for (let n = 0; n < 400; n++)
      messages = await manager.preflight("s", [...messages, n % 2 === 0 ? user(`u${n}`) : assistant(words(200))]);
    for (const event of of("compact.pruned_messages")) expect(event.tokens_after).toBeLessThanOrEqual(75_000);
    const gained = 400 * 500 - 85_000;
    expect(of("compact.pruned_messages").length).toBeLessThanOrEqual(1 + gained / 10_000);
  });

  it("discards a result that is no smaller", async () => {
    verifies("field/result-larger-than-input");
    const messages = Array.from({ length: 10 }, (_, n) => [
      user(`short question ${n}`),
      assistant(`short answer ${n}`),
    ]).flat();
    const { manager } = bench({ summarizer: countingSummarizer(words(900)), policy: { keepRecentTurns: 1 } });
    const { messages: output, report } = await manager.compact("s", messages);
    expect(report).toMatchObject({ status: "skipped", reason: "not_beneficial", tokens_after: report.tokens_before });
    expect(output).toBe(messages);
  });

  it("uses the next lever when the list is over the window and a summary alone would not help", async () => {
    const messages = [system("s"), user("go"), ...pair(["c1"], words(9000)), ...pair(["c2"], words(9000))];
    const { manager, of } = bench({ maxContextTokens: 24_000 });
    const output = await manager.preflight("s", messages);
    expect(of("compact.token_estimate")[0]?.t_est).toBeGreaterThan(24_000);
    expect(of("compact.pruned_messages")[0]?.tokens_after).toBeLessThanOrEqual(22_500);
    expect(output.at(-1)).toMatchObject({ role: "tool", tool_call_id: "c2" });
  });

  it("reserves the requested output, for the trigger and for the result", async () => {
    verifies("field/output-not-reserved");
    const messages = Array.from({ length: 90 }, (_, n) => (n % 2 === 0 ? user(`u${n}`) : assistant(words(100))));
    const config = {
      maxContextTokens: 100_000,
      reservedOutputTokens: 16_000,
      policy: { triggerPct: 0.92 },
      tokenCounter: flatCounter(1000),
    };
    const { manager, of } = bench(config);
    await manager.preflight("s", messages);
    expect(of("compact.trigger_decision")[0]).toMatchObject({ triggered: true, reason: "over_budget" });
    expect(of("compact.pruned_messages")[0]?.tokens_after).toBeLessThanOrEqual(100_000 - 16_000 - 1500);
    expect(() => bench({ maxContextTokens: 1000, policy: { hardCapBuffer: 1000 } })).toThrow(/hard_cap_buffer/);
  });
});

describe("a preflight after one appended message", () => {
  it("measures what is new, not the thousand messages before it", async () => {
    verifies("values/second-preflight-is-fast");
    let counted = 0;
    const tokenCounter = { ...flatCounter(10), countMessage: () => ++counted && 10 };
    const { manager } = bench({ tokenCounter, maxContextTokens: 1_000_000 });
    const messages = turns(500);
    await manager.preflight("s", messages);
    expect(counted).toBe(1000);
    await manager.preflight("s", [...messages, user("one more")]);
    expect(counted).toBeLessThan(1010);
  });
});

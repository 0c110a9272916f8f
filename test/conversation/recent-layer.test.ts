// What stays and what leaves, in the spec's own figures.
import { describe, expect, it } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { assistant, bench, flatCounter, pair, system, turns, user } from "./support.ts";

const EVERYTHING_FITS = { maxContextTokens: 1_000_000, model: "gpt-4o" };

describe("the recent layer", () => {
  it("keeps the last 6 of 20 turns, message for message", async () => {
    verifies("conversation/keep-recent-turns", "values/six-of-twenty-turns", "field/everything-wiped");
    const messages = turns(20);
    const { manager, of } = bench(EVERYTHING_FITS);
    const { messages: output, report } = await manager.compact("s", messages);
    expect(output.slice(-12)).toEqual(messages.slice(28));
    expect(output.slice(-12).every((message, index) => message === messages[28 + index])).toBe(true);
    expect(report).toMatchObject({
      status: "compacted",
      pruned_count: 28,
      kept: { pinned: 0, recent_turns: 6, tool_pairs: 0 },
    });
    expect(of("compact.pruned_messages")[0]?.pruned).toEqual(Array.from({ length: 28 }, (_, index) => index + 1));
  });

  it("keeps the last 4 of 10 tool pairs, each result directly behind its call", async () => {
    verifies("conversation/keep-tool-io-pairs", "values/four-of-ten-tool-pairs");
    const messages = Array.from({ length: 10 }, (_, index) => pair([`c${index + 1}`])).flat();
    const { manager } = bench(EVERYTHING_FITS);
    const { messages: output, report } = await manager.compact("s", messages);
    expect(output.slice(-8)).toEqual(messages.slice(12));
    expect(report).toMatchObject({ pruned_count: 12, kept: { tool_pairs: 4 } });
  });

  it("loses none of ten identical messages", async () => {
    verifies("values/identical-messages-not-lost");
    const messages = Array.from({ length: 10 }, () => [user("ok"), assistant("ok")]).flat();
    const { manager } = bench({ ...EVERYTHING_FITS, policy: { keepRecentTurns: 6 }, tokenCounter: flatCounter(100) });
    const { messages: output, report } = await manager.compact("s", messages);
    expect(output.slice(-12)).toEqual(messages.slice(8));
    expect(report.pruned_count).toBe(8);
    expect(report.pruned_count + 12).toBe(messages.length);
  });

  const tight = () => {
    const head = [system("S1"), system("S2")];
    const pairs = Array.from({ length: 5 }, (_, index) => pair([`p${index + 1}`])).flat();
    return [...head, ...pairs, ...turns(10)];
  };

  it("reduces turns and pairs alternately until the summary fits", async () => {
    verifies(
      "conversation/incremental-reduction",
      "values/alternating-reduction",
      "conversation/three-layer-output",
      "rulings/fit-before-summarizing",
    );
    const messages = tight();
    const policy = { hardCapBuffer: 500, targetPct: 1, summaryMaxTokens: 100, keepRecentTurns: 6, keepToolIoPairs: 4 };
    const { manager, of } = bench({ maxContextTokens: 2500, policy, tokenCounter: flatCounter(100) });
    const output = await manager.manualCompact("s", messages);
    const [pruned] = of("compact.pruned_messages");
    expect(pruned).toMatchObject({
      kept: { pinned: 2, recent_turns: 5, tool_pairs: 3 },
      pruned_count: 14,
      tokens_after: 2000,
    });
    expect(pruned?.layers).toEqual({ pinned: 2, summary: 1, recent: 16 });
    expect(output.slice(0, 2)).toEqual(messages.slice(0, 2));
    expect(output[2]).toMatchObject({ role: "user", content: expect.stringMatching(/^<COMPACT-SUMMARY v1>/) });
    // One line of the assistant's stands before the user's next message.
    const line = { role: "assistant", content: "The answer that stood here was left out." };
    expect(output.slice(3)).toEqual([...messages.slice(6, 12), line, ...messages.slice(22)]);
  });

  it("raises InsufficientBudget at the floor, says what to change, and leaves the list alone", async () => {
    verifies("values/insufficient-budget-at-floor", "conversation/error-event");
    const messages = tight();
    const before = structuredClone(messages);
    const policy = { hardCapBuffer: 500, targetPct: 1, summaryMaxTokens: 100 };
    const { manager, of } = bench({ maxContextTokens: 1000, policy, tokenCounter: flatCounter(100) });
    await expect(manager.manualCompact("s", messages)).rejects.toMatchObject({ kind: "InsufficientBudget" });
    await expect(manager.manualCompact("s", messages)).rejects.toThrow(/protected memory 200/);
    expect(of("compact.error")[0]).toMatchObject({
      status: "error",
      error_type: "InsufficientBudget",
      message: expect.stringMatching(/context limit/),
    });
    expect(messages).toEqual(before);
  });

  it("does not call the summarizer when protected messages alone exceed the budget", async () => {
    verifies(
      "values/protected-only-over-budget",
      "conversation/protected-only-exhausts-budget",
      "field/protected-over-budget-vanishes",
    );
    let calls = 0;
    const summarizer = {
      kind: "model",
      summarize: async () => ({ text: `call ${++calls}`, source: "model" as const }),
    } as const;
    const messages = Array.from({ length: 3 }, (_, index) => ({ ...user(`rule ${index}`), meta: { protected: true } }));
    const { manager } = bench({
      maxContextTokens: 2500,
      policy: { hardCapBuffer: 500 },
      tokenCounter: flatCounter(1000),
      summarizer,
    });
    const failure = await manager.manualCompact("s", messages).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: "InsufficientBudget", data: { pinned: 3000 } });
    expect(calls).toBe(0);
    const one = bench({
      maxContextTokens: 2500,
      policy: { hardCapBuffer: 500 },
      tokenCounter: flatCounter(9000),
      summarizer,
    });
    await expect(one.manager.manualCompact("s", messages.slice(0, 1))).rejects.toMatchObject({
      kind: "InsufficientBudget",
    });
  });
});

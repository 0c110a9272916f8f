// Many sessions, many callers, one manager: nothing is shared, nothing runs twice, no signal of the caller's is fired.
import { describe, expect, it, vi } from "vitest";
import type { Summarizer } from "../../../src/index.ts";
import { verifies } from "../../requirements/verifies.ts";
import { assistant, bench, summaryOf, turns, user } from "../support.ts";

const settings = { maxContextTokens: 12_000, policy: { triggerPct: 0.6 } };

describe("sessions of one manager", () => {
  it("behave as those of ten managers, with windows of their own", async () => {
    verifies("field/sessions-share-state");
    const shared = bench(settings);
    const ids = Array.from({ length: 10 }, (_, n) => `agent-${n}`);
    const windowOf = (n: number) => ({ maxContextTokens: 8000 + n * 1000 });
    const run = async (
      manager: ReturnType<typeof bench>["manager"],
      id: string,
      n: number,
      round: number,
      list: readonly unknown[],
    ) => manager.preflight(id, [...list, ...turns(14, (turn) => `${id} ${round}.${turn}`), user("on")], windowOf(n));
    const together = new Map<string, readonly unknown[]>(ids.map((id) => [id, []]));
    for (const round of [1, 2, 3]) {
      const lists = await Promise.all(ids.map((id, n) => run(shared.manager, id, n, round, together.get(id) ?? [])));
      for (const [n, id] of ids.entries()) together.set(id, [...(lists[n] as unknown[]), assistant("ok")]);
    }
    for (const [n, id] of ids.entries()) {
      const alone = bench(settings);
      let list: readonly unknown[] = [];
      for (const round of [1, 2, 3]) list = [...(await run(alone.manager, id, n, round, list)), assistant("ok")];
      expect(together.get(id)).toEqual(list);
      expect(await shared.manager.status(id)).toEqual(await alone.manager.status(id));
    }
  });

  it("run beside each other: one that waits for its model does not hold up another", async () => {
    const open: (() => void)[] = [];
    const summarizer: Summarizer = {
      kind: "model",
      summarize: ({ passages }) =>
        passages.some(({ text }) => text.includes("slow"))
          ? new Promise((resolve) => open.push(() => resolve({ text: "slow one", source: "model" })))
          : Promise.resolve({ text: "fast one", source: "model" }),
    };
    const { manager } = bench({ summarizer });
    const slow = manager.manualCompact("slow", [...turns(12, (n) => `slow ${n}`), user("on")]);
    const fast = await manager.manualCompact("fast", [...turns(12, (n) => `fast ${n}`), user("on")]);
    expect(summaryOf(fast)).toContain("fast one");
    await vi.waitFor(() => expect(open).toHaveLength(1));
    for (const resolve of open) resolve();
    expect(summaryOf(await slow)).toContain("slow one");
  });
});

describe("several calls at once for one session", () => {
  it("run one after the other, with one summary and steps of their own", async () => {
    verifies("field/two-compactions-at-once");
    let running = 0;
    let most = 0;
    const summarizer: Summarizer = {
      kind: "model",
      summarize: async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return { text: "A summary.", source: "model" };
      },
    };
    const { manager, archive, of } = bench({ ...settings, summarizer });
    const list = [...turns(25), user("go on")];
    const [first, second, third] = await Promise.all([
      manager.preflight("s", list),
      manager.manualCompact("s", list),
      manager.preflight("s", list),
    ]);
    expect(most).toBe(1);
    for (const result of [first, second, third]) {
      const summaries = (result ?? []).filter((message) => summaryOf([message]) !== undefined);
      expect(summaries).toHaveLength(1);
    }
    const steps = of("compact.pruned_messages").map(({ step }) => step);
    expect(new Set(steps).size).toBe(steps.length);
    expect(await archive.nextStep("s")).toBe(Math.max(...steps) + 1);
  });
});

describe("the caller's signal", () => {
  let listening = 0;
  const hanging: Summarizer = {
    kind: "model",
    summarize: ({ signal }) => {
      listening++;
      return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error)));
    },
  };

  it("is listened to: the list is untouched, an event says so, and the next call works", async () => {
    verifies("field/abort-or-crash-half-way");
    const { manager, of, archive } = bench({ summarizer: hanging });
    const list = [...turns(12), user("go on")];
    const copy = structuredClone(list);
    const caller = new AbortController();
    const running = manager.manualCompact("s", list, { signal: caller.signal });
    running.catch(() => undefined);
    await vi.waitFor(() => expect(listening).toBe(1));
    caller.abort(new DOMException("The user left.", "AbortError"));
    await expect(running).rejects.toMatchObject({ name: "AbortError" });
    expect(list).toEqual(copy);
    expect(of("compact.pruned_messages")).toEqual([]);
    expect(of("compact.error").at(-1)).toMatchObject({ error_type: "Aborted", fallback: "kept-original" });
    expect((await manager.status("s")).step).toBe(0);
    const again = bench({ archive });
    expect(summaryOf(await again.manager.manualCompact("s", list))).toMatch(/^<COMPACT-SUMMARY v1>/);
  });

  it("is never fired, whether the summary comes, fails or is given up", async () => {
    verifies("field/compaction-looks-like-cancel");
    const caller = new AbortController();
    const failing: Summarizer = { kind: "model", summarize: () => Promise.reject(new Error("down")) };
    for (const summarizer of [undefined, failing]) {
      const { manager } = bench(summarizer === undefined ? {} : { summarizer });
      await manager.manualCompact("s", [...turns(12), user("go on")], { signal: caller.signal });
      await manager.prepare("s", [...turns(12), user("go on")], { signal: caller.signal });
      await manager.prepare("s", [...turns(13), user("go on")], { signal: caller.signal });
    }
    expect(caller.signal.aborted).toBe(false);
  });
});

describe("a session that goes on with another model", () => {
  it("is held against the smaller window at once, and against the larger one afterwards", async () => {
    verifies("field/switch-to-a-smaller-model");
    const { manager, of } = bench({ maxContextTokens: 200_000 });
    const list = [...turns(330), user("go on")];
    expect(await manager.preflight("s", list)).toBe(list);
    const small = await manager.preflight("s", list, { maxContextTokens: 32_000 });
    expect(of("compact.pruned_messages").at(-1)?.tokens_after).toBeLessThanOrEqual(30_500);
    expect(summaryOf(small)).toMatch(/v1/);
    expect(await manager.preflight("s", small, { maxContextTokens: 200_000 })).toBe(small);
    const wide = [...small, assistant("ok"), user(Array.from({ length: 400 }, (_, n) => `word${n}`).join(" "))];
    await expect(manager.preflight("s", wide, { maxContextTokens: 1700 })).rejects.toMatchObject({
      kind: "InsufficientBudget",
      message: expect.stringMatching(/\d+ tokens, the budget is 200/),
    });
  });

  it("is counted with that model's encoding", async () => {
    const { manager, of } = bench({ model: "gpt-4o" });
    const list = turns(10);
    await manager.preflight("s", list);
    await manager.preflight("s", list, { model: "claude-sonnet-4" });
    const [exact, estimated] = of("compact.token_estimate");
    expect(exact).toMatchObject({ model: "gpt-4o", max_tokens: 128_000, counting: "exact" });
    expect(estimated).toMatchObject({ model: "claude-sonnet-4", max_tokens: 200_000, counting: "estimated" });
    expect(estimated?.t_est).toBeGreaterThan((exact?.t_est ?? 0) * 1.1);
    await expect(manager.preflight("s", list, { model: "acme-9b" })).rejects.toMatchObject({ code: "UNKNOWN_MODEL" });
  });
});

describe("switched off", () => {
  it("means that an over-full list goes back as it is, with an event, and that manual compaction works", async () => {
    verifies("field/switched-off-is-off");
    const { manager, of } = bench({ ...settings, enabled: false });
    const list = [...turns(45), user("go on")];
    expect(await manager.preflight("s", list)).toBe(list);
    expect(of("compact.trigger_decision").at(-1)).toMatchObject({ triggered: false, reason: "disabled" });
    expect(of("compact.warning").at(-1)).toMatchObject({ code: "limit_exceeded", severity: "high" });
    expect((await manager.manualCompact("s", list)).length).toBeLessThan(list.length);
  });

  it("is no warning while the list fits", async () => {
    const { manager, of } = bench({ ...settings, enabled: false });
    await manager.preflight("s", turns(5));
    expect(of("compact.warning")).toEqual([]);
  });
});

describe("one budget", () => {
  it("stands behind the trigger and the fit, and in the event", async () => {
    verifies("field/two-parts-two-budgets");
    const { manager, of } = bench({ maxContextTokens: 20_000, policy: { triggerPct: 0.5 } });
    const list = [...turns(35), user("go on")];
    const { report } = await manager.compact("s", list, { ifNeeded: true });
    expect(of("compact.token_estimate")[0]?.usage_pct).toBeGreaterThan(0.5);
    expect(of("compact.token_estimate")[0]?.usage_pct).toBeLessThan(0.6);
    expect(report.tokens_after).toBeLessThanOrEqual(0.4 * 20_000);
    expect(of("compact.trigger_decision").at(-1)?.limits).toEqual({
      max_context_tokens: 20_000,
      budget: 18_500,
      trigger_tokens: 10_000,
      target_tokens: 8000,
    });
  });
});

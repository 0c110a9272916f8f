// A model that keeps failing is not asked at every turn: three failures in a row pause it for the session.
import { describe, expect, it } from "vitest";
import { CompactError, type Summarizer } from "../../../src/index.ts";
import { verifies } from "../../requirements/verifies.ts";
import { assistant, bench, summaryOf, turns, user } from "../support.ts";

interface Flaky extends Summarizer {
  isDown: boolean;
  calls: number;
}

function flaky(failures = 1): Flaky {
  const summarizer: Flaky = {
    kind: "model",
    isDown: true,
    calls: 0,
    summarize: async () => {
      summarizer.calls++;
      if (!summarizer.isDown) return { text: "All is well.", source: "model" };
      throw new CompactError("SummarizationFailed", "503", { code: "MODEL_UNAVAILABLE", data: { failures } });
    },
  };
  return summarizer;
}

const settings = { maxContextTokens: 12_000, policy: { triggerPct: 0.3, keepRecentTurns: 2 } };

async function tenTurns(manager: ReturnType<typeof bench>["manager"], session: string): Promise<readonly unknown[]> {
  let list: readonly unknown[] = turns(12, (n) => `${session} ${n}`);
  for (let turn = 0; turn < 10; turn++) {
    list = await manager.preflight(session, [
      ...list,
      ...turns(8, (n) => `${session} ${turn}.${n}`),
      user(`turn ${turn}`),
    ]);
    list = [...list, assistant("ok")];
  }
  return list;
}

describe("the breaker", () => {
  it("opens after three failures, by session; the list goes on being pruned by policy", async () => {
    verifies("field/failing-summarizer-retried-for-ever");
    const summarizer = flaky();
    const { manager, of } = bench({ summarizer, ...settings });
    await tenTurns(manager, "a");
    expect(summarizer.calls).toBe(3);
    expect(of("compact.pruned_messages").length).toBeGreaterThan(3);
    expect(of("compact.error").filter(({ message }) => message.includes("not asked now")).length).toBeGreaterThan(0);
    expect(await manager.status("a")).toMatchObject({ model_paused: true });
    await tenTurns(manager, "b");
    expect(summarizer.calls).toBe(6);
  });

  it.each<[string, () => Promise<never>]>([
    ["throws an error of its own", () => Promise.reject(new TypeError("x is undefined"))],
    ["throws a text", () => Promise.reject("boom")],
    ["gives up by itself", () => Promise.reject(new DOMException("x", "AbortError"))],
    ["gives nothing", () => Promise.resolve(undefined as never)],
    ["gives no text", () => Promise.resolve({ text: null, source: "model" } as never)],
    [
      "gives far more than was asked for",
      () => Promise.resolve({ text: "word ".repeat(50_000), source: "model" } as never),
    ],
  ])("opens, too, after three rounds with a summarizer that %s", async (_what, summarize) => {
    verifies("field/failing-summarizer-retried-for-ever");
    let calls = 0;
    const counted = () => {
      calls++;
      return summarize();
    };
    const summarizer: Summarizer = { kind: "model", summarize: counted };
    const { manager } = bench({ summarizer, ...settings });
    const list = await tenTurns(manager, "a");
    expect(calls).toBe(3);
    expect(await manager.status("a")).toMatchObject({ model_paused: true });
    expect(JSON.stringify(list)).not.toMatch(/boom|x is undefined|word word word/);
  });

  it("counts failed calls: one summary whose three tries all failed is enough", async () => {
    const summarizer = flaky(3);
    const { manager } = bench({ summarizer, ...settings });
    await tenTurns(manager, "a");
    expect(summarizer.calls).toBe(1);
  });

  it("is probed by a manual compaction; a success closes it", async () => {
    verifies("field/failing-summarizer-retried-for-ever");
    const summarizer = flaky();
    const { manager } = bench({ summarizer, ...settings });
    const list = await tenTurns(manager, "a");
    await manager.manualCompact("a", [...list, ...turns(8)]);
    expect(summarizer.calls).toBe(4);
    summarizer.isDown = false;
    const compacted = await manager.manualCompact("a", [...list, ...turns(9)]);
    expect(summaryOf(compacted)).toContain("All is well.");
    expect(await manager.status("a")).toMatchObject({ model_paused: false });
    await manager.preflight("a", [...compacted, ...turns(30), user("on")]);
    expect(summarizer.calls).toBe(6);
  });

  it("lets one automatic call through after a pause", async () => {
    let now = Date.UTC(2031, 0, 1);
    const summarizer = flaky();
    const { manager } = bench({ summarizer, ...settings, now: () => now });
    const list = await tenTurns(manager, "a");
    now += 11 * 60_000;
    summarizer.isDown = false;
    await manager.preflight("a", [...list, ...turns(30), user("on")]);
    expect(summarizer.calls).toBe(4);
    expect(await manager.status("a")).toMatchObject({ model_paused: false });
  });

  it("does not touch what needs no model", async () => {
    const { manager } = bench(settings);
    const list = await tenTurns(manager, "a");
    expect(summaryOf(list)).toMatch(/^<COMPACT-SUMMARY v\d+>/);
  });
});

describe("a target above the trigger", () => {
  it("does not compact at every turn: the next round waits for growth", async () => {
    const { manager, of } = bench({ maxContextTokens: 30_000, policy: { triggerPct: 0.3, targetPct: 0.6 } });
    let list: readonly unknown[] = [...turns(40), user("go on")];
    for (let turn = 0; turn < 12; turn++) {
      list = await manager.preflight("s", list);
      list = [...list, assistant("ok"), ...turns(1, (n) => `more ${turn}.${n}`), user("go on")];
    }
    // Twelve turns bring 13 % of the window: two or three times 5 %.
    expect(of("compact.pruned_messages").length).toBeLessThanOrEqual(4);
  });
});

describe("a policy that keeps the list when no summary can be had", () => {
  it("leaves it alone under the limit, archives nothing more once the model is paused, prunes above it", async () => {
    const summarizer = flaky();
    const { manager, of, archive } = bench({
      summarizer,
      maxContextTokens: 30_000,
      policy: { triggerPct: 0.3, keepRecentTurns: 2, onSummaryFailure: "keep" },
    });
    let list: readonly unknown[] = [...turns(50), user("go on")];
    for (let turn = 0; turn < 8; turn++) {
      const given = list;
      expect(await manager.preflight("s", given)).toBe(given);
      list = [...list, assistant("ok"), ...turns(5, (n) => `more ${turn}.${n}`), user("go on")];
    }
    expect(summarizer.calls).toBe(3);
    expect(await manager.status("s")).toMatchObject({ model_paused: true });
    expect(of("compact.error").every(({ fallback }) => fallback === "kept-original")).toBe(true);
    expect(await archive.nextStep("s")).toBe(4);
    const full = [...list, ...turns(90), user("go on")];
    expect((await manager.preflight("s", full)).length).toBeLessThan(full.length);
  });
});

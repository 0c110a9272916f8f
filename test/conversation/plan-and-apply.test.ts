// A plan is data: it names what it will touch, apply takes it, and refuses it when the world has moved on.
import { describe, expect, it } from "vitest";
import { applyConversationCompaction, createMemoryArchive, planConversationCompaction } from "../../src/index.ts";
import { bench, pair, system, turns, user } from "./support.ts";

describe("plan and apply", () => {
  const messages = [system("s"), ...turns(10), user("go"), ...pair(["c1"], "result")];

  it("names every message, its fate and the reason, survives JSON, and writes nothing", async () => {
    const archive = createMemoryArchive();
    const { manager, events } = bench({ archive });
    const plan = await manager.plan("s", messages);
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
    expect(plan.messages).toHaveLength(messages.length);
    expect(plan.messages[0]).toMatchObject({ index: 0, role: "system", action: "pin", why: "role system" });
    expect(plan.messages.at(-1)).toMatchObject({ action: "keep", why: "newest tool result" });
    expect(plan.messages.find(({ index }) => index === 21)).toMatchObject({ action: "keep", why: "open request" });
    const leaving = plan.messages.filter(({ action }) => action === "summarize");
    expect(leaving).toHaveLength(plan.pruned_count);
    expect(await archive.sessions()).toEqual([]);
    expect(events).toEqual([]);
  });

  it("does what it planned, and keeps what was appended since", async () => {
    const { manager } = bench();
    const plan = await manager.plan("s", messages);
    const late = user("one more");
    const { messages: output, report } = await manager.apply([...messages, late], plan);
    expect(report).toMatchObject({ status: "compacted", pruned_count: plan.pruned_count, kept: plan.kept });
    expect(output.at(-1)).toBe(late);
    const kept = plan.messages.filter(({ action }) => action === "keep" || action === "pin");
    for (const { index } of kept) expect(output).toContain(messages[index]);
  });

  it("is refused when messages or session changed", async () => {
    const { manager, of } = bench();
    const plan = await manager.plan("s", messages);
    const changed = [system("another"), ...messages.slice(1)];
    await expect(manager.apply(changed, plan)).rejects.toMatchObject({ kind: "Conflict", code: "STALE_PLAN" });
    expect(of("compact.error")[0]?.error_type).toBe("Conflict");
    await manager.apply(messages, plan);
    await expect(manager.apply(messages, plan)).rejects.toMatchObject({ code: "STALE_PLAN" });
  });

  it("is refused when it was edited, is of an earlier version, or is no plan of a conversation", async () => {
    const { manager, archive } = bench();
    const plan = JSON.parse(JSON.stringify(await manager.plan("s", messages)));
    const wrong = [
      undefined,
      {},
      { ...plan, target: plan.target + 1 },
      { ...plan, messages: plan.messages.map((each: object) => ({ ...each, action: "keep" })) },
      { ...plan, version: 1 },
      { ...plan, version: undefined },
      { ...plan, part: "decisions" },
    ];
    for (const value of wrong) {
      await expect(manager.apply(messages, value)).rejects.toMatchObject({
        kind: "InvalidInput",
        code: "INVALID_PLAN",
        hint: expect.stringMatching(/[Mm]ake/),
      });
    }
    expect(await archive.sessions()).toEqual([]);
    expect((await manager.apply(messages, plan)).report.status).toBe("compacted");
  });

  it("is refused under another policy, another model's window too", async () => {
    const plan = await bench().manager.plan("s", messages);
    for (const config of [{ policy: { keepRecentTurns: 2 } }, { maxContextTokens: 64_000 }]) {
      const { manager, archive } = bench(config);
      await expect(manager.apply(messages, plan)).rejects.toMatchObject({
        code: "STALE_PLAN",
        message: expect.stringContaining("policy"),
      });
      expect(await archive.sessions()).toEqual([]);
    }
  });

  it("goes by the target that was asked for when it was made", async () => {
    const { manager } = bench();
    const long = [system("s"), ...turns(40, (n) => `${n} ${"word ".repeat(300)}`), user("go")];
    const plan = await manager.plan("s", long, { targetTokens: 3000 });
    expect(plan.target).toBe(3000);
    const { report } = await manager.apply(long, plan);
    expect(report).toMatchObject({ pruned_count: plan.pruned_count, kept: plan.kept });
    expect(report.tokens_after).toBeLessThanOrEqual(3000);
  });

  it("is refused where other messages would leave, as a longer system prompt makes them", async () => {
    const { manager, archive } = bench();
    const long = [...turns(40, (n) => `${n} ${"word ".repeat(300)}`), user("go")];
    const plan = await manager.plan("s", long, { targetTokens: 8000 });
    const system = "rule ".repeat(4000);
    await expect(manager.apply(long, plan, { system })).rejects.toMatchObject({ kind: "Conflict", code: "STALE_PLAN" });
    expect(await archive.sessions()).toEqual([]);
    expect((await manager.apply(long, plan)).report.pruned_count).toBe(plan.pruned_count);
  });

  it("does not decide again whether to act", async () => {
    const { manager } = bench({ maxContextTokens: 8000 });
    const long = [...turns(20, (n) => `${n} ${"word ".repeat(300)}`), user("go")];
    const usage = { prompt_tokens: 7900, completion_tokens: 1, total_tokens: 7901 };
    const plan = await manager.plan("s", long, { ifNeeded: true, usage });
    expect(plan).toMatchObject({ triggered: true });
    expect((await manager.apply(long, plan)).report.status).toBe("compacted");
  });

  it("is there as two functions, too", async () => {
    const config = { archive: createMemoryArchive() };
    const plan = await planConversationCompaction("s", messages, { config });
    const { report } = await applyConversationCompaction(messages, plan, { config });
    expect(report.pruned_count).toBe(plan.pruned_count);
    expect(await config.archive.steps("s")).toHaveLength(1);
  });

  it("says that nothing is due", async () => {
    const plan = await bench().manager.plan("s", messages, { ifNeeded: true });
    expect(plan).toMatchObject({ triggered: false, reason: "below_trigger", messages: [], pruned_count: 0 });
  });
});

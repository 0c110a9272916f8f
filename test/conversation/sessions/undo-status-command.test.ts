// What a host offers its user: take the last compaction back, see how a session stands, and type `/compact`.
import { describe, expect, it } from "vitest";
import { createMemoryArchive } from "../../../src/index.ts";
import { bench, summaryOf, textOf, turns, user } from "../support.ts";

describe("undo", () => {
  it("gives back the very list that was compacted, and what came since behind it", async () => {
    const { manager } = bench();
    const history = [...turns(12), user("go on")];
    const compacted = await manager.manualCompact("s", history);
    expect(compacted.length).toBeLessThan(history.length);
    const later = user("and one more thing");
    const undone = await manager.undo("s", [...compacted, later]);
    expect(undone).toHaveLength(history.length + 1);
    for (const [index, message] of history.entries()) expect(undone[index]).toBe(message);
    expect(undone.at(-1)).toBe(later);
  });

  it("takes back the summary's number, not the archive's step", async () => {
    const { manager, archive } = bench();
    await manager.manualCompact("s", [...turns(12), user("go on")]);
    const undone = await manager.undo("s");
    const again = await manager.manualCompact("s", undone);
    expect(summaryOf(again)).toMatch(/^<COMPACT-SUMMARY v1>/);
    expect(await archive.readTranscript("s", 2)).toHaveLength(undone.length);
  });

  it("is not compacted again at once, unless the budget is overrun", async () => {
    const { manager } = bench({ maxContextTokens: 20_000, policy: { triggerPct: 0.2 } });
    const history = [...turns(14), user("go on")];
    const compacted = await manager.preflight("s", history);
    expect(compacted).not.toBe(history);
    const undone = await manager.undo("s");
    expect(await manager.preflight("s", undone)).toBe(undone);
    const full = [...undone, ...turns(40)];
    expect((await manager.preflight("s", full)).length).toBeLessThan(full.length);
  });

  it("says what to do when there is nothing to take back, or the list is another one", async () => {
    const { manager } = bench();
    await expect(manager.undo("s")).rejects.toMatchObject({ kind: "NotFound", code: "NOTHING_TO_UNDO" });
    await manager.manualCompact("s", [...turns(12), user("go on")]);
    await expect(manager.undo("s", [user("another list")])).rejects.toMatchObject({ code: "LIST_CHANGED" });
    await expect(manager.undo("s")).resolves.toBeDefined();
    await expect(manager.undo("s")).rejects.toMatchObject({ code: "NOTHING_TO_UNDO" });
  });

  it("holds for a new process as well: the state that was taken back is the stored one", async () => {
    const archive = createMemoryArchive();
    const first = bench({ archive });
    await first.manager.manualCompact("s", [...turns(12), user("go on")]);
    const undone = await first.manager.undo("s");
    const second = bench({ archive });
    expect(summaryOf(await second.manager.manualCompact("s", undone))).toMatch(/^<COMPACT-SUMMARY v1>/);
    expect(await second.manager.status("s")).toMatchObject({ step: 2, summary_version: 1 });
  });
});

describe("status", () => {
  it("tells size, trigger, step, facts and what can be taken back", async () => {
    const { manager } = bench({ maxContextTokens: 100_000 });
    expect(await manager.status("s")).toMatchObject({
      tokens: null,
      max_context_tokens: 100_000,
      budget: 98_500,
      trigger_tokens: 85_000,
      step: 0,
      summary_version: 0,
      early: "none",
      model_paused: false,
      can_undo: false,
      last: null,
    });
    const compacted = await manager.manualCompact("s", [...turns(12), user("Never use port 80.")]);
    const status = await manager.status("s");
    expect(status).toMatchObject({ step: 1, summary_version: 1, can_undo: true, last: { status: "compacted" } });
    await manager.preflight("s", compacted);
    expect((await manager.status("s")).tokens).toBe(status.last?.tokens_after);
  });
});

describe("forget", () => {
  it("drops what the process remembers; the next call goes on from the stored state", async () => {
    const { manager } = bench();
    const compacted = await manager.manualCompact("s", [...turns(12), user("go on")]);
    await manager.forget("s");
    await manager.forget("never seen");
    expect(await manager.status("s")).toMatchObject({ tokens: null, can_undo: false, step: 1, summary_version: 1 });
    const again = await manager.manualCompact("s", [...compacted, ...turns(12, (n) => `later ${n}`)]);
    expect(summaryOf(again)).toMatch(/^<COMPACT-SUMMARY v2>/);
  });
});

describe("a manager of many sessions", () => {
  const MINUTE = 60_000;
  const isHeld = async ({ manager }: ReturnType<typeof bench>, id: string) =>
    (await manager.status(id)).tokens !== null;

  it("forgets those that rest for a day, and no other", async () => {
    let now = Date.UTC(2031, 0, 2);
    const many = bench({ now: () => now });
    for (const id of ["old", "used"]) await many.manager.preflight(id, [user("hello")]);
    now += 20 * 60 * MINUTE;
    expect(await isHeld(many, "used")).toBe(true);
    now += 5 * 60 * MINUTE;
    await many.manager.preflight("new", [user("hello")]);
    expect(await isHeld(many, "used")).toBe(true);
    expect(await isHeld(many, "old")).toBe(false);
  });

  it("forgets those that rest for ten minutes where there are more than 200, and none that is in use", async () => {
    let now = Date.UTC(2031, 0, 2);
    const many = bench({ now: () => now });
    for (let n = 0; n < 250; n += 1) await many.manager.preflight(`s${n}`, [user("hello")]);
    expect(await isHeld(many, "s0")).toBe(true);
    now += 11 * MINUTE;
    await many.manager.preflight("new", [user("hello")]);
    expect(await isHeld(many, "s1")).toBe(false);
    expect(await isHeld(many, "s249")).toBe(true);
  });
});

describe("a command", () => {
  it("compacts with the user's wishes as its note", async () => {
    const { manager, of } = bench();
    const history = [...turns(12), user("go on")];
    const done = await manager.command("s", "/compact keep the table names", history);
    expect(textOf(done?.messages ?? [])).toContain("keep the table names");
    expect(done?.reply).toMatch(/^Compacted from [\d,]+ to [\d,]+ tokens\.$/);
    expect(of("compact.trigger_decision").at(-1)).toMatchObject({ reason: "manual", note: "keep the table names" });
  });

  it("says that nothing was done, in words", async () => {
    const { manager } = bench();
    expect(await manager.command("s", "/compact", [user("hello")])).toMatchObject({
      reply: "Nothing was compacted (nothing to compact).",
    });
  });

  it("tells the status and leaves the list alone", async () => {
    const { manager } = bench();
    const history = [user("hello")];
    const done = await manager.command("s", " /compact_status ", history);
    expect(done?.messages).toBe(history);
    expect(done?.reply).toMatch(/compaction starts at 108,800/);
  });

  it.each(["compact", "/compactor", "please /compact", "/compact_now", ""])("is not %j", async (text) => {
    const { manager } = bench();
    expect(await manager.command("s", text, [user("hello")])).toBeUndefined();
  });
});

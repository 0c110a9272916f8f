// Facts hidden in generated sessions, looked for after five rounds of compaction: the short end of the bench.
import { describe, expect, it } from "vitest";
import { measurePlanted, scoreOf } from "../../bench/facts/planted/measure-planted.ts";
import { type FactSet, type Language, plantSession } from "../../bench/facts/planted/planted-session.ts";
import { verifies } from "../requirements/verifies.ts";

describe("planted facts after five rounds", () => {
  it.each<[number, Language]>([
    [50, "English"],
    [60, "Chinese"],
    [60, "Spanish"],
    [100, "German"],
  ])("%i turns in %s, 85 %% smaller", { timeout: 120_000 }, async (turns, language) => {
    verifies("field/exact-facts-decay");
    const { facts, share } = await measurePlanted(plantSession(turns, language, turns), 0.85);
    expect(share).toBeLessThan(0.15);
    expect(scoreOf(facts, "explicit")).toMatchObject({ total: 16, there: 16 });
    expect(scoreOf(facts, "superseded")).toMatchObject({ total: 8, there: 8, stale: 0 });
    expect(scoreOf(facts, "prohibition")).toMatchObject({ total: 8, there: 8 });
    expect(scoreOf(facts, "implicit").there).toBeGreaterThanOrEqual(7);
    expect(facts.filter(({ isFoundWithSearch }) => !isFoundWithSearch)).toEqual([]);
  });

  it("50 turns, 95 % smaller", { timeout: 120_000 }, async () => {
    const { facts, share } = await measurePlanted(plantSession(50, "English", 50), 0.95);
    expect(share).toBeLessThan(0.05);
    expect(scoreOf(facts, "superseded")).toMatchObject({ total: 8, there: 8, stale: 0 });
    expect(scoreOf(facts, "prohibition")).toMatchObject({ total: 8, there: 8 });
    expect(scoreOf(facts, "explicit").there).toBe(16);
    expect(scoreOf(facts, "implicit").there).toBeGreaterThanOrEqual(7);
    expect(facts.filter(({ isFoundWithSearch }) => !isFoundWithSearch)).toEqual([]);
  });

  it.each<[number, FactSet, number]>([
    [80, "second, English", 0.85],
    [80, "second, five languages", 0.95],
  ])("%i turns, %s: sentences of other shapes", { timeout: 120_000 }, async (turns, set, reduction) => {
    const { facts } = await measurePlanted(plantSession(turns, set, turns), reduction);
    expect(scoreOf(facts, "explicit")).toMatchObject({ total: 16, there: 16 });
    expect(scoreOf(facts, "superseded")).toMatchObject({ total: 8, there: 8, stale: 0 });
    expect(scoreOf(facts, "prohibition")).toMatchObject({ total: 8, there: 8 });
    expect(scoreOf(facts, "implicit").there).toBeGreaterThanOrEqual(7);
    expect(facts.filter(({ isFoundWithSearch }) => !isFoundWithSearch)).toEqual([]);
  });

  it("is the same session for the same seed, and hides every fact in it once", () => {
    const session = plantSession(50, "English", 7);
    expect(plantSession(50, "English", 7)).toEqual(session);
    const text = JSON.stringify(session.turns);
    for (const { say } of session.facts) expect(text.split(JSON.stringify(say).slice(1, -1))).toHaveLength(2);
  });

  it("notices what is missing and what is outdated", async () => {
    const session = plantSession(50, "English", 7);
    const [first] = session.facts;
    if (first === undefined) throw new Error("no facts");
    const missing = { ...first, expect: ["nowhere to be found"] };
    const outdated = { ...first, stale: first.expect, expect: ["nowhere to be found"] };
    const { facts } = await measurePlanted({ ...session, facts: [missing, outdated] }, 0.85);
    expect(facts.map(({ isThere, isStale, isFoundWithSearch }) => [isThere, isStale, isFoundWithSearch])).toEqual([
      [false, false, false],
      [false, true, false],
    ]);
  });
});

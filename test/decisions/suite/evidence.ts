// What is counted of reviewed decisions: outcomes, wordings, groups of wordings, and what takes whose place.
import { describe, expect, it } from "vitest";
import type { RawDecision } from "../../../src/decisions/decision.ts";
import { wordingKey } from "../../../src/decisions/evidence.ts";
import { decisionPolicies } from "../../../src/decisions/levels.ts";
import { addAll, type CurrentLog, daysAgo, decisionOf, NOW, record, VIEW } from "./sample-records.ts";

const old = (changes: RawDecision) => record({ date: daysAgo(100), ...changes });
const all = { filter: {} };
const SEARCH = wordingKey("Search first");

export function describeEvidence(current: CurrentLog): void {
  const groupOf = async (keys: readonly string[], query: { filter: object; view?: typeof VIEW } = all) =>
    (await current().read((log) => log.groupWordings(query, [keys])))[0];
  const countsOf = async (key: string) => {
    const wordings = await current().read((log) => log.wordings(all, 100));
    return wordings.find((each) => each.key === key);
  };

  describe("a tally", () => {
    it("counts reviewed decisions by category, outcome and confidence", async () => {
      await addAll(current(), [
        old({ id: "a" }),
        old({ id: "b" }),
        old({ id: "c", confidence: 0 }),
        old({ id: "d", outcome: "failure", category: "process" }),
        old({ id: "e", outcome: undefined, confidence: undefined }),
        old({ id: "f", status: "pending" }),
        record({ id: "g" }),
        old({ id: "h", preserve: true }),
      ]);
      const sorted = async (query: Parameters<typeof wisdom>[0]) =>
        (await wisdom(query)).map((each) => JSON.stringify(each)).sort();
      const wisdom = (query: { filter: object; view?: typeof VIEW }) => current().read((log) => log.tally(query));
      const key = (category: string, outcome: string | undefined, confidence: number | undefined, count: number) =>
        JSON.stringify({ category, outcome, confidence, count });
      expect(await sorted({ filter: {}, view: VIEW })).toEqual(
        [
          key("architecture", "success", 0.8, 3),
          key("architecture", "success", 0, 1),
          key("architecture", undefined, undefined, 1),
          key("process", "failure", 0.8, 1),
        ].sort(),
      );
      expect(await sorted({ filter: { category: "architecture" } })).toContain(key("architecture", "success", 0.8, 4));
      expect(await sorted({ filter: { status: "pending" } })).toEqual([]);
      expect(await sorted({ filter: { agent: "nobody" } })).toEqual([]);
    });
  });

  describe("a wording", () => {
    it("is counted once a decision, as confirmation, contradiction or failure", async () => {
      const reasons = [{ type: "pattern", text: "search first." }];
      await addAll(current(), [
        old({ id: "a", pattern: "Search first", lessons: "search first", reasons }),
        old({ id: "b", pattern: "Search first" }),
        old({ id: "c", reasons, outcome: "failure" }),
        old({ id: "d", lessons: "Search first", outcome: "failure" }),
        old({ id: "e", pattern: "Search first", outcome: "failure" }),
        old({ id: "f", pattern: "Search first", outcome: "partial" }),
        old({ id: "g", pattern: "Search first", status: "pending" }),
      ]);
      expect(await countsOf(SEARCH)).toEqual({
        category: "architecture",
        key: SEARCH,
        confirmations: 2,
        contradictions: 2,
        failures: 1,
        decisions: 6,
        rank: 0,
      });
    });

    it("is counted in each category, at most so many, those that count for most first", async () => {
      const of = (category: string, pattern: string, count: number, outcome = "success") =>
        Array.from({ length: count }, (_, index) =>
          old({ id: `${category} ${pattern} ${outcome} ${index}`, category, pattern, outcome }),
        );
      await addAll(current(), [
        ...of("one", "Delta", 1),
        ...of("one", "Alpha", 2),
        ...of("one", "Beta", 2),
        ...of("one", "Beta", 1, "failure"),
        ...of("one", "Gamma", 3),
        ...of("two", "Gamma", 1),
        ...of("two", "Alpha", 1),
      ]);
      const wordings = await current().read((log) => log.wordings(all, 3));
      const keysOf = (category: string) => wordings.filter((each) => each.category === category).map(({ key }) => key);
      expect(keysOf("one")).toEqual(["Gamma", "Beta", "Alpha"].map(wordingKey));
      expect(keysOf("two")).toEqual(["Alpha", "Gamma"].map(wordingKey));
      expect(await current().read((log) => log.wordings(all, 0))).toEqual([]);
    });

    it("that failed often comes before those that were confirmed less often", async () => {
      const of = (pattern: string, count: number, outcome: string) =>
        Array.from({ length: count }, (_, index) => old({ id: `${pattern} ${outcome} ${index}`, pattern, outcome }));
      await addAll(current(), [
        ...of("Alpha", 1, "success"),
        ...of("Beta", 1, "failure"),
        ...of("Gamma", 2, "failure"),
        ...of("Delta", 2, "success"),
        ...of("Epsilon", 3, "partial"),
        ...of("Zeta", 1, "failure"),
        ...of("Zeta", 1, "partial"),
      ]);
      const wordings = await current().read((log) => log.wordings(all, 9));
      const expected = ["Delta", "Gamma", "Alpha", "Zeta", "Beta", "Epsilon"].map(wordingKey);
      expect(wordings.map(({ key }) => key)).toEqual(expected);
      const two = await current().read((log) => log.wordings(all, 2));
      expect(two.map(({ key }) => key)).toEqual(expected.slice(0, 2));
    });

    it("of wisdom comes from age alone, preserved decisions included", async () => {
      await addAll(current(), [
        old({ id: "a", pattern: "Search first", preserve: true }),
        old({ id: "b", pattern: "Search first", date: daysAgo(89) }),
        old({ id: "c", pattern: "Search first", date: daysAgo(200), reviewed_at: daysAgo(3) }),
        old({ id: "d", pattern: "Search first", date: "soon" }),
      ]);
      const count = async (view: typeof VIEW) =>
        (await current().read((log) => log.wordings({ filter: {}, view }, 9)))[0]?.decisions ?? 0;
      expect(await count(VIEW)).toBe(2);
      expect(await count({ policies: decisionPolicies({ ageBasis: "review" }), now: NOW })).toBe(0);
      expect(await count({ policies: decisionPolicies({ thresholds: { digest: 50 } }), now: NOW })).toBe(3);
      const strict = decisionPolicies({}, [{ name: "architecture", category: "architecture", isEnabled: false }]);
      expect(await count({ policies: strict, now: NOW })).toBe(0);
    });

    it("is of the agent, category and words that are asked for", async () => {
      await addAll(current(), [
        old({ id: "a", pattern: "Search first", recorded_by: "coder", context: "in the morning" }),
        old({ id: "b", pattern: "Search first", category: "process" }),
      ]);
      const ids = async (filter: object) => (await groupOf([SEARCH], { filter }))?.confirmingIds;
      expect(await ids({})).toEqual(["a", "b"]);
      expect(await ids({ agent: "coder" })).toEqual(["a"]);
      expect(await ids({ category: "process" })).toEqual(["b"]);
      expect(await ids({ words: ["MORNING", "search"] })).toEqual(["a"]);
      expect(await ids({ status: "pending" })).toEqual([]);
      expect(await current().read((log) => log.wordings({ filter: { words: ["morning"] } }, 9))).toHaveLength(1);
    });
  });

  describe("a group of wordings", () => {
    it("counts a decision that holds several of them once", async () => {
      await addAll(current(), [
        old({ id: "a", pattern: "Search first", lessons: "Always search first", date: daysAgo(100) }),
        old({ id: "b", pattern: "Search first", date: daysAgo(110) }),
        old({ id: "c", pattern: "Always search first", category: "process", date: daysAgo(105) }),
        old({ id: "d", pattern: "Search first", outcome: "failure", lessons: "Always search first" }),
        old({ id: "e", reasons: [{ text: "Always search first" }], outcome: "failure", date: daysAgo(120) }),
      ]);
      const always = wordingKey("Always search first");
      expect(await groupOf([SEARCH, always, SEARCH, "unknown"])).toEqual({
        text: "Always search first",
        categories: ["architecture", "process"],
        confirmations: 3,
        contradictions: 2,
        failures: 1,
        decisions: 5,
        rank: 0,
        confirmingIds: ["a", "c", "b"],
        contradictingIds: ["d", "e"],
        failingIds: ["d"],
      });
      const groups = await current().read((log) => log.groupWordings(all, [[SEARCH], [always], [SEARCH, always], []]));
      expect(groups.map(({ decisions }) => decisions)).toEqual([3, 4, 5, 0]);
    });

    it("has the text that most have, of equals the one that sorts first", async () => {
      const texts = ["search first", "Search first", "SEARCH FIRST", "Search first", "SEARCH FIRST"];
      await addAll(
        current(),
        texts.map((pattern, index) => old({ id: `d-${index}`, pattern })),
      );
      expect((await groupOf([SEARCH]))?.text).toBe("SEARCH FIRST");
    });

    it("has a text of the key that most have, however it is written", async () => {
      const texts = ["Search first", "search first", "SEARCH FIRST", "Always search first", "Always search first"];
      await addAll(
        current(),
        texts.map((pattern, index) => old({ id: `d-${index}`, pattern })),
      );
      expect((await groupOf([SEARCH, wordingKey("Always search first")]))?.text).toBe("SEARCH FIRST");
    });

    it("names at most three ids of a kind, latest first, without a date last", async () => {
      const dates = { a: "soon", b: daysAgo(120), c: daysAgo(100), d: daysAgo(120), e: daysAgo(130) };
      await addAll(
        current(),
        Object.entries(dates).map(([id, date]) => old({ id, date, pattern: "Search first" })),
      );
      expect((await groupOf([SEARCH]))?.confirmingIds).toEqual(["c", "b", "d"]);
    });

    it("without decisions is empty", async () => {
      expect(await groupOf(["nothing"])).toEqual({
        text: "",
        categories: [],
        confirmations: 0,
        contradictions: 0,
        failures: 0,
        decisions: 0,
        rank: 3,
        confirmingIds: [],
        contradictingIds: [],
        failingIds: [],
      });
      expect(await current().read((log) => log.groupWordings(all, []))).toEqual([]);
    });
  });

  describe("taking another's place", () => {
    const first = old({ id: "first", pattern: "Search first" });
    const second = record({ id: "second", supersedes: ["first"] });

    it.each([
      ["before", [second, first]],
      ["after", [first, second]],
    ])("is seen when the successor comes %s", async (_, records) => {
      await addAll(current(), records);
      expect((await decisionOf(current(), "first"))?.supersededBy).toBe("second");
      expect(await countsOf(SEARCH)).toMatchObject({ confirmations: 0, decisions: 1 });
      const page = await current().read((log) => log.page({ filter: {}, view: VIEW, limit: 9 }));
      expect(page.map(({ decision }) => decision.supersededBy)).toEqual([undefined, "second"]);
    });

    it("is over when the successor no longer says so", async () => {
      await addAll(current(), [first, second]);
      await current().write((log) => log.change("second", { supersedes: null }));
      expect(await decisionOf(current(), "first")).not.toHaveProperty("supersededBy");
      expect(await countsOf(SEARCH)).toMatchObject({ confirmations: 1 });
      await current().write((log) => log.replace(record({ id: "second", supersedes: "first" })));
      expect((await decisionOf(current(), "first"))?.supersededBy).toBe("second");
      expect(await countsOf(SEARCH)).toMatchObject({ confirmations: 0 });
    });

    it("is what the record itself names, then what another claims, else only its status", async () => {
      await addAll(current(), [
        old({ id: "a", superseded_by: "named", pattern: "Search first" }),
        old({ id: "b", status: "superseded" }),
        old({ id: "c", status: "superseded" }),
        record({ id: "z", supersedes: ["a", "b"] }),
        record({ id: "y", supersedes: ["b"] }),
      ]);
      expect((await decisionOf(current(), "a"))?.supersededBy).toBe("named");
      expect((await decisionOf(current(), "b"))?.supersededBy).toBe("y");
      expect((await decisionOf(current(), "c"))?.supersededBy).toBe("");
      expect(await countsOf(SEARCH)).toMatchObject({ confirmations: 0 });
    });

    it("leaves failures counted", async () => {
      await addAll(current(), [{ ...first, outcome: "failure" }, second]);
      expect(await countsOf(SEARCH)).toMatchObject({ confirmations: 0, contradictions: 1, failures: 1 });
    });
  });
}

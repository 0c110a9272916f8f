// Pages and counts: order, levels to the millisecond, filters, policies.
import { describe, expect, it } from "vitest";
import type { RawDecision } from "../../../src/decisions/decision.ts";
import type { DecisionFilter, LevelView, Position } from "../../../src/decisions/decision-log.ts";
import { decisionPolicies, type PolicyChanges } from "../../../src/decisions/levels.ts";
import { DAY_MS } from "../../../src/time.ts";
import { verifies } from "../../requirements/verifies.ts";
import { addAll, type CurrentLog, daysAgo, idsOf, NOW, pageOf, record, VIEW } from "./sample-records.ts";

const MS = 1 / DAY_MS;

export function describePages(current: CurrentLog): void {
  const levels = (view: LevelView) => current().read(async (log) => Object.fromEntries(await pageOf(log, { view })));
  const withPolicies = (others: readonly PolicyChanges[], fallback: Omit<PolicyChanges, "name"> = {}): LevelView => ({
    policies: decisionPolicies(fallback, others),
    now: NOW,
  });

  describe("reviews that are late", () => {
    it("are of decisions that nobody reviewed, the earliest first, by the filter", async () => {
      const open = (id: string, review_by: unknown, rest: RawDecision = {}) =>
        record({ id, status: "pending", outcome: undefined, review_by, ...rest });
      await addAll(current(), [
        open("b", "2026-01-02"),
        open("a", "2026-01-02"),
        open("first", "2025-12-31T10:00:00Z", { category: "process" }),
        open("today", "2026-01-03"),
        open("never", undefined),
        open("number", 7),
        record({ id: "done", review_by: "2026-01-01" }),
      ]);
      const overdue = async (filter: DecisionFilter, limit = 9) =>
        (await current().read((log) => log.overdue(filter, "2026-01-03", limit))).map(({ id }) => id);
      expect(await overdue({})).toEqual(["first", "a", "b"]);
      expect(await overdue({}, 2)).toEqual(["first", "a"]);
      expect(await overdue({ category: "process" })).toEqual(["first"]);
      expect(await overdue({ agent: "nobody" })).toEqual([]);
    });
  });

  describe("the order of a page", () => {
    const records: readonly RawDecision[] = [
      record({ id: "same-b", date: daysAgo(3) }),
      record({ id: "undated-b", date: undefined }),
      record({ id: "old", date: daysAgo(50) }),
      record({ id: "same-a", date: daysAgo(3) }),
      record({ id: "undated-a", date: "soon" }),
      record({ id: "new", date: daysAgo(0.1) }),
      record({ id: "future", date: daysAgo(-5) }),
      record({ id: "same-c", date: daysAgo(3) }),
    ];
    const order = ["future", "new", "same-a", "same-b", "same-c", "old", "undated-a", "undated-b"];

    it("is latest first, without a date last, equals by id", async () => {
      await addAll(current(), records);
      expect(await idsOf(current())).toEqual(order);
    });

    it.each([1, 2, 3, 5])("is the same in pages of %i", async (limit) => {
      await addAll(current(), records);
      const ids: string[] = [];
      let after: Position | undefined;
      for (let turn = 0; turn < 20; turn++) {
        const query = { filter: {}, view: VIEW, limit, ...(after === undefined ? {} : { after }) };
        const page = await current().read((log) => log.page(query));
        ids.push(...page.map(({ decision }) => decision.id));
        const last = page.at(-1)?.decision;
        if (last === undefined) break;
        after = { id: last.id, ...(last.decidedAt === undefined ? {} : { decidedAt: last.decidedAt }) };
      }
      expect(ids).toEqual(order);
    });

    it("has no page of nothing", async () => {
      await addAll(current(), records);
      expect(await idsOf(current(), { limit: 0 })).toEqual([]);
    });
  });

  describe("a level", () => {
    it("begins with its first millisecond", async () => {
      verifies("rulings/level-ranges");
      const ages = { a: 7 - MS, b: 7, c: 30 - MS, d: 30, e: 90 - MS, f: 90, g: 5000, h: -1 };
      await addAll(
        current(),
        Object.entries(ages).map(([id, days]) => record({ id, date: daysAgo(days) })),
      );
      expect(await levels(VIEW)).toEqual({
        a: "full",
        b: "summary",
        c: "summary",
        d: "digest",
        e: "digest",
        f: "wisdom",
        g: "wisdom",
        h: "full",
      });
      expect(await current().read((log) => log.survey({ filter: {}, view: VIEW }))).toEqual({
        total: 8,
        preserved: 0,
        levels: { full: 2, summary: 2, digest: 2, wisdom: 2 },
      });
      expect(await idsOf(current(), { levels: ["summary", "wisdom"] })).toEqual(["b", "c", "f", "g"]);
      expect(await idsOf(current(), { levels: [] })).toEqual([]);
    });

    it("is full for what is not reviewed, preserved or of no date", async () => {
      verifies("decisions/process-protect");
      const old = { date: daysAgo(100) };
      await addAll(current(), [
        record({ id: "pending", ...old, status: "pending" }),
        record({ id: "superseded", ...old, status: "superseded" }),
        record({ id: "capital", ...old, status: "Reviewed" }),
        record({ id: "preserved", ...old, preserve: true }),
        record({ id: "undated", date: "soon" }),
        record({ id: "dateless", date: null }),
        record({ id: "old", ...old }),
      ]);
      const { old: last, ...rest } = await levels(VIEW);
      expect(last).toBe("wisdom");
      expect(new Set(Object.values(rest))).toEqual(new Set(["full"]));
      const survey = await current().read((log) => log.survey({ filter: {}, view: VIEW, includePreserved: false }));
      expect(survey).toEqual({ total: 6, preserved: 0, levels: { full: 5, summary: 0, digest: 0, wisdom: 1 } });
    });
  });

  describe("a policy", () => {
    const old = (changes: RawDecision) => record({ date: daysAgo(20), ...changes });

    it("governs an agent, a category, or both, the narrowest first", async () => {
      verifies("decisions/phase-configurable-policies");
      await addAll(current(), [
        old({ id: "both", recorded_by: "coder", category: "security" }),
        old({ id: "agent", recorded_by: "coder" }),
        old({ id: "category", category: "security" }),
        old({ id: "neither" }),
        old({ id: "nameless", recorded_by: undefined, category: undefined }),
      ]);
      const view = withPolicies([
        { name: "security", category: "security", thresholds: { full: 5, summary: 10, digest: 15 } },
        { name: "coder", agent: "coder", isEnabled: false },
        { name: "both", agent: "coder", category: "security", thresholds: { full: 1, summary: 18 } },
      ]);
      const expected = { both: "digest", agent: "full", category: "wisdom", neither: "summary", nameless: "summary" };
      expect(await levels(view)).toEqual(expected);
      const survey = (filter: DecisionFilter) =>
        current().read(async (log) => (await log.survey({ filter, view })).levels);
      expect(await survey({})).toEqual({ full: 1, summary: 2, digest: 1, wisdom: 1 });
      expect(await survey({ agent: "coder" })).toEqual({ full: 1, summary: 0, digest: 1, wisdom: 0 });
      expect(await survey({ category: "security" })).toEqual({ full: 0, summary: 0, digest: 1, wisdom: 1 });
      expect(await survey({ agent: "" })).toEqual({ full: 0, summary: 1, digest: 0, wisdom: 0 });
    });

    it("may count from the review", async () => {
      await addAll(current(), [
        old({ id: "fresh", date: daysAgo(200), reviewed_at: daysAgo(1) }),
        old({ id: "stale", date: daysAgo(8), reviewed_at: daysAgo(7) }),
        old({ id: "without" }),
        old({ id: "unreadable", reviewed_at: "then" }),
        old({ id: "undated", date: undefined, reviewed_at: daysAgo(95) }),
      ]);
      expect(await levels(withPolicies([], { ageBasis: "review" }))).toEqual({
        fresh: "full",
        stale: "summary",
        without: "full",
        unreadable: "full",
        undated: "wisdom",
      });
    });

    it("may keep stakes and tags", async () => {
      await addAll(current(), [
        old({ id: "high", stakes: "high" }),
        old({ id: "low", stakes: "low" }),
        old({ id: "tagged", tags: ["other", "keep"] }),
        old({ id: "number", tags: [2031] }),
        old({ id: "untagged", tags: ["Keep"] }),
        old({ id: "marked", preserve: true }),
        old({ id: "security", category: "security", stakes: "high", tags: ["keep"] }),
      ]);
      const view = withPolicies([{ name: "security", category: "security", preserveStakes: [] }], {
        preserveStakes: ["high", "extreme"],
        preserveTags: ["keep", "2031"],
      });
      expect(await levels(view)).toEqual({
        high: "full",
        low: "summary",
        tagged: "full",
        number: "full",
        untagged: "summary",
        marked: "full",
        security: "full",
      });
      // A policy of a category takes what it does not say from the default one; this one says no stakes, and keeps tags.
      await current().write((log) => log.change("security", { tags: [] }));
      const without = await levels(view);
      expect(without.security).toBe("summary");
      const left = await idsOf(current(), { view, includePreserved: false });
      expect([...left].sort()).toEqual(["low", "security", "untagged"]);
      expect(await current().read((log) => log.survey({ filter: {}, view }))).toMatchObject({ preserved: 4 });
    });
  });

  describe("a filter", () => {
    it("is exact on category, agent and status", async () => {
      await addAll(current(), [
        record({ id: "a", category: "process", recorded_by: "coder", status: "pending" }),
        record({ id: "b", category: "Process", recorded_by: "coder", status: "reviewed" }),
        record({ id: "c", category: undefined, recorded_by: undefined, agent: "writer", status: undefined }),
      ]);
      const ids = (filter: DecisionFilter) => idsOf(current(), { filter });
      expect(await ids({ category: "process" })).toEqual(["a"]);
      expect(await ids({ category: "uncategorized" })).toEqual(["c"]);
      expect(await ids({ agent: "coder" })).toEqual(["a", "b"]);
      expect(await ids({ agent: "writer" })).toEqual(["c"]);
      expect(await ids({ status: "pending" })).toEqual(["a", "c"]);
      expect(await ids({ agent: "coder", status: "reviewed", category: "Process" })).toEqual(["b"]);
      expect(await ids({ agent: "nobody" })).toEqual([]);
    });

    it("finds words in every field that says something, each anywhere, without case", async () => {
      await addAll(current(), [
        record({
          decision: "Alpha chosen",
          context: "βeta ΔΕΛΤΑ",
          pattern: "Gamma Pattern",
          lessons: "Straße gelernt",
          actual_result: "Ergebnis ÄÖÜ",
          reasons: [{ text: "because 日本語" }, "plain reason"],
          tags: ["tag-one", 2031],
          custom: "elsewhere",
        }),
      ]);
      const finds = async (...words: string[]) => (await idsOf(current(), { filter: { words } })).length === 1;
      for (const word of ["ALPHA", "δελτα", "gamma", "STRAße", "äöü", "本語", "plain", "TAG-", "2031"]) {
        expect(await finds(word), word).toBe(true);
      }
      expect(await finds("alpha", "gamma", "one")).toBe(true);
      expect(await finds("alpha", "missing")).toBe(false);
      expect(await finds("elsewhere")).toBe(false);
      expect(await finds("chosenβeta")).toBe(false);
      expect(await finds("chosen", "")).toBe(true);
      for (const word of ["%", "_", "*", '"', "a%a"]) expect(await finds(word), word).toBe(false);
    });
  });
}

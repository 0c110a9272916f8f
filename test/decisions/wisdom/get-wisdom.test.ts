// Figures, principles and ways to fail, from records written by hand, in both forms.
import { describe, expect, it } from "vitest";
import type { RawDecision } from "../../../src/decisions/decision.ts";
import type { DecisionLog } from "../../../src/decisions/decision-log.ts";
import { decisionPolicies } from "../../../src/decisions/levels.ts";
import { getCompacted } from "../../../src/decisions/serving/query-decisions.ts";
import { getWisdom, type WisdomRequest } from "../../../src/decisions/wisdom/get-wisdom.ts";
import { specForm, structuredForm } from "../../../src/decisions/wisdom/wisdom.ts";

import { verifies } from "../../requirements/verifies.ts";
import { logOf, many, NOW, OPTIONS, old, randomFrom, shuffled } from "./records.ts";

const both = async (log: DecisionLog, request: WisdomRequest = {}) => {
  const wisdom = await getWisdom(log, request, OPTIONS);
  return { spec: specForm(wisdom), structured: structuredForm(wisdom) };
};
const LEAST_ONE = { minDecisions: 1 };

/** Ten decisions with their patterns. */
const TEN: readonly RawDecision[] = [
  ...many(6, "s", "success", { confidence: 0.8, pattern: "Search first" }),
  old("f0", "failure", { confidence: 0.8, pattern: "Search first" }),
  old("f1", "failure", { confidence: 0.8, pattern: "Skip query" }),
  old("p0", "partial", { confidence: 0.8, pattern: "Skip query" }),
  old("a0", "abandoned", { confidence: 0.8 }),
];

/** 45 decisions as in the specification's example, 42 of them successes. */
const EXAMPLE: readonly RawDecision[] = [
  ...many(2, "m", "success", { pattern: "Manual type resolution beats annotation magic" }),
  old("m2", "success", { lessons: "manual type resolution beats annotation magic." }),
  ...many(5, "w", "success", { pattern: "Search-first prevents duplicate work" }),
  ...many(3, "v", "success", { reasons: [{ type: "pattern", text: "Searching first prevented duplicate work" }] }),
  ...many(5, "r", "success", { pattern: "Parallel independent reasons > single strong argument" }),
  ...many(26, "x", "success"),
  ...many(2, "k", "failure", { pattern: "Skipping pre-decision query" }),
  old("l", "failure", { pattern: "skipped the pre-decision queries" }),
].map((record) => ({ ...record, category: "architecture" }));

describe("wisdom", () => {
  it("gives the figures of ten decisions", async () => {
    verifies("values/wisdom-worked-example", "rulings/wisdom-statistics");
    const { spec, structured } = await both(await logOf(...TEN));
    expect(spec).toEqual({
      wisdom: [
        {
          category: "process",
          decisions: 10,
          success_rate: 0.6,
          key_principles: ["Search first (6 confirmations, 1 contradiction)"],
          common_failure_mode: "Skip query (1 failure)",
        },
      ],
      total_decisions: 10,
      categories_analyzed: 1,
    });
    expect(structured.wisdom).toEqual([
      {
        category: "process",
        decisions: 10,
        successRate: 0.6,
        keyPrinciples: [
          {
            text: "Search first",
            confirmations: 6,
            contradictions: 1,
            exampleIds: ["s0", "s1", "s2"],
            contradictingIds: ["f0"],
          },
        ],
        commonFailureMode: "Skip query",
        failureModes: [{ text: "Skip query", failures: 1, decisions: 2, exampleIds: ["f1"] }],
        avgConfidence: 0.8,
        brierScore: 0.225,
        calibrationGap: -0.15,
      },
    ]);
  });

  it("is the specification's example to the letter", async () => {
    verifies("decisions/example-wisdom-shape", "decisions/phase-wisdom-extraction");
    // The most confirmed first, as is ruled. Four failures among 45 would make a rate of 0.91 at most: three make its 0.93.
    const example = {
      category: "architecture",
      decisions: 45,
      success_rate: 0.93,
      key_principles: [
        "Search-first prevents duplicate work (8 confirmations)",
        "Parallel independent reasons > single strong argument (5 confirmations)",
        "Manual type resolution beats annotation magic (3 confirmations)",
      ],
      common_failure_mode: "Skipping pre-decision query (3 failures)",
    };
    const { spec } = await both(await logOf(...EXAMPLE));
    expect(JSON.stringify(spec)).toBe(
      JSON.stringify({ wisdom: [example], total_decisions: 45, categories_analyzed: 1 }),
    );
    const more = [...many(14, "y", "success"), old("z", "failure", { pattern: "Skipping pre-decision query" })];
    const later = await both(
      await logOf(...EXAMPLE, ...more.map((record) => ({ ...record, category: "architecture" }))),
    );
    expect(later.spec.wisdom).toEqual([
      { ...example, decisions: 60, common_failure_mode: "Skipping pre-decision query (4 failures)" },
    ]);
  });

  it("rounds half up, two decimals in one form and three or four in the other", async () => {
    verifies("values/wisdom-rounding");
    const nine = (count: number, prefix: string, outcome: string | null) =>
      many(count, prefix, outcome, { confidence: 0.9 });
    const first = await both(
      await logOf(
        ...nine(2, "f", "failure"),
        ...nine(1, "p", "partial"),
        ...nine(1, "s", "success"),
        ...nine(1, "n", null),
      ),
    );
    expect(first.structured.wisdom[0]).toMatchObject({
      decisions: 5,
      successRate: 0.25,
      brierScore: 0.4475,
      avgConfidence: 0.9,
    });
    const second = await both(await logOf(...nine(3, "p", "partial"), ...nine(4, "s", "success")));
    expect(second.structured.wisdom[0]).toMatchObject({ successRate: 0.571, brierScore: 0.0743 });
    expect(second.spec.wisdom[0]?.success_rate).toBe(0.57);
    const third = await both(await logOf(old("s", "success"), ...many(15, "f", "failure")));
    expect(third.structured.wisdom[0]?.successRate).toBe(0.063);
    expect(third.spec.wisdom[0]?.success_rate).toBe(0.06);
  });

  it("says nothing of fewer decisions than the least, 1 to 100", async () => {
    verifies("values/wisdom-minimum");
    const log = await logOf(...many(4, "s", "success", { pattern: "Search first" }));
    expect((await both(log, { minDecisions: 5 })).spec).toEqual({
      wisdom: [],
      total_decisions: 4,
      categories_analyzed: 0,
    });
    expect((await both(log)).spec.wisdom).toEqual([]);
    expect((await both(log, { minDecisions: 4 })).spec.wisdom).toHaveLength(1);
    expect((await both(log, { minDecisions: -1 })).spec.wisdom).toHaveLength(1);
    const hundred = await logOf(...many(100, "s", "success"));
    expect((await both(hundred, { minDecisions: 999 })).spec.wisdom).toHaveLength(1);
    await expect(both(log, { minDecisions: Number.NaN })).rejects.toMatchObject({ code: "INVALID_MIN_DECISIONS" });
  });

  it("asks the policy of each category for its least", async () => {
    const policies = decisionPolicies({ minDecisions: 3 }, [
      { name: "careful", category: "security", minDecisions: 5 },
      { name: "ours", agent: "planner", minDecisions: 1 },
    ]);
    const records = ["process", "security"].flatMap((category) =>
      many(3, category, "success", { category, recorded_by: "planner" }),
    );
    const log = await logOf(...records);
    const of = (request: WisdomRequest) => getWisdom(log, request, { policies, now: NOW });
    expect((await of({})).categories.map(({ category }) => category)).toEqual(["process"]);
    expect((await of({ agent: "planner" })).categories.map(({ category }) => category)).toEqual([
      "process",
      "security",
    ]);
    const one = await of({ category: "security" });
    expect(one.policy).toMatchObject({ name: "careful", minDecisions: 5 });
    expect((await of({})).otherPolicies?.map(({ name }) => name)).toEqual(["ours", "careful"]);
  });

  it("counts reviewed decisions of 90 days and more, preserved ones too, and no others", async () => {
    const log = await logOf(
      ...many(5, "s", "success"),
      old("kept", "success", { preserve: true }),
      old("day90", "success", {}, 90),
      old("day89", "failure", {}, 89.99),
      old("open", "failure", { status: "pending" }),
    );
    expect((await both(log)).spec.wisdom[0]).toEqual({ category: "process", decisions: 7, success_rate: 1 });
  });

  it("leaves out what there is nothing to say of, and sorts categories", async () => {
    const log = await logOf(
      ...many(5, "b", null, { category: "tooling" }),
      ...many(5, "a", "failure", { category: "integration" }),
    );
    expect((await both(log)).spec.wisdom).toEqual([
      { category: "integration", decisions: 5, success_rate: 0, common_failure_mode: "Decision a0 (1 failure)" },
      { category: "tooling", decisions: 5 },
    ]);
  });

  it("lists records that cannot be read beside what it says", async () => {
    const log = await logOf(...many(5, "s", "success"), old("bad", "success", { date: "soon" }));
    const { spec, structured } = await both(log);
    expect(spec.wisdom[0]?.decisions).toBe(5);
    expect(spec.errors).toMatchObject([{ id: "bad", code: "UNREADABLE_DATE" }]);
    expect(structured.errors).toEqual(spec.errors);
  });
});

describe("principles", () => {
  const principles = async (...records: readonly RawDecision[]) =>
    (await both(await logOf(...records), LEAST_ONE)).spec.wisdom[0]?.key_principles;

  it("need two successes", async () => {
    expect(await principles(old("a", "success", { pattern: "Once" }))).toBeUndefined();
    expect(
      await principles(old("a", "success", { pattern: "Twice" }), old("b", "success", { lessons: "twice" })),
    ).toEqual(["Twice (2 confirmations)"]);
    expect(
      await principles(...many(3, "p", "partial", { pattern: "Half" }), ...many(3, "n", null, { pattern: "Half" })),
    ).toBeUndefined();
  });

  it("need as many successes as failures", async () => {
    const even = [...many(2, "s", "success", { pattern: "Even" }), ...many(2, "f", "failure", { pattern: "Even" })];
    expect(await principles(...even)).toEqual(["Even (2 confirmations, 2 contradictions)"]);
    expect(await principles(...even, old("f9", "failure", { reasons: ["Even"] }))).toBeUndefined();
  });

  it("are not contradicted by what a failure has taught", async () => {
    const records = [
      ...many(2, "s", "success", { pattern: "Search first" }),
      ...many(3, "f", "failure", { lessons: "Search first" }),
    ];
    expect(await principles(...records)).toEqual(["Search first (2 confirmations)"]);
  });

  it("are what is served of decisions of 90 days and more, with their figures", async () => {
    verifies("decisions/level-wisdom");
    const aged = (id: string, days: number) => old(id, "success", { pattern: "Search first" }, days);
    const log = await logOf(aged("young", 89.99), aged("first", 90), aged("second", 400));
    const { decisions, levels } = await getCompacted(log, {}, OPTIONS);
    expect(decisions.map(({ id, level }) => [id, level])).toEqual([["young", "digest"]]);
    expect(levels).toMatchObject({ digest: 1, wisdom: 2 });
    expect((await both(log, LEAST_ONE)).structured.wisdom).toMatchObject([
      { decisions: 2, successRate: 1, keyPrinciples: [{ text: "Search first", confirmations: 2 }] },
    ]);
  });

  it("are not confirmed by decisions that others took the place of", async () => {
    verifies("field/superseded-shown-as-current");
    const records = [
      ...many(3, "rest", "success", { pattern: "Use one protocol" }),
      old("next", "success", { supersedes: ["rest0", "rest1"], pattern: "Use another" }),
      old("recent", "success", { superseded_by: "next" }, 8),
    ];
    const log = await logOf(...records);
    const { decisions } = await getCompacted(log, {}, OPTIONS);
    expect(decisions).toMatchObject([{ id: "recent", superseded: true, supersededBy: "next" }]);
    const wise = await getCompacted(log, { level: "wisdom" }, OPTIONS);
    expect(wise.decisions.filter(({ superseded }) => superseded === true).map(({ id }) => id)).toEqual([
      "rest0",
      "rest1",
    ]);
    const { structured } = await both(log, LEAST_ONE);
    expect(structured.wisdom[0]).toMatchObject({ decisions: 4, successRate: 1 });
    expect(structured.wisdom[0]?.keyPrinciples).toBeUndefined();
  });

  it("keep a decision that says one thing in two wordings for one", async () => {
    const records = [
      old("a", "success", {
        pattern: "Search first prevents duplicate work",
        lessons: "Search first reliably prevents duplicate work",
      }),
      old("b", "success", { pattern: "Search first reliably prevents duplicate work" }),
    ];
    expect(await principles(...records)).toEqual(["Search first reliably prevents duplicate work (2 confirmations)"]);
  });

  it("are five at most: most confirmations first, equals by text, whatever order they came in", async () => {
    const records = ["golf", "foxtrot", "echo", "delta", "charlie", "bravo", "alpha"].flatMap((text, at) =>
      many(at === 3 ? 4 : 2, text, "success", { pattern: text }),
    );
    const expected = [
      "delta (4 confirmations)",
      ...["alpha", "bravo", "charlie", "echo"].map((text) => `${text} (2 confirmations)`),
    ];
    for (let seed = 1; seed <= 5; seed += 1) {
      expect(await principles(...shuffled(records, randomFrom(seed)))).toEqual(expected);
    }
  });

  it("are patterns before lessons of successes before reasons, however often these were confirmed", async () => {
    verifies("rulings/principles-by-kind");
    const records = [
      ...many(5, "r", "success", { reasons: [{ type: "analysis", text: "One binary is easier to ship" }] }),
      ...many(4, "l", "success", { lessons: "Profile the hot path" }),
      ...many(2, "p", "success", { pattern: "Search the log before a change" }),
      ...many(3, "f", "failure", { lessons: "One binary is easier to ship" }),
    ];
    expect(await principles(...records)).toEqual([
      "Search the log before a change (2 confirmations)",
      "Profile the hot path (4 confirmations)",
      "One binary is easier to ship (5 confirmations)",
    ]);
  });

  it("are never made of filler", async () => {
    verifies("rulings/principles-by-kind");
    const filler = ["The client wanted it", "It is more robust", "Works fine", "Time was short", "As discussed above"];
    for (const text of [...filler, "No problems so far", "Everything went as planned", "Simplest and fastest"]) {
      expect(await principles(...many(2, "a", "success", { pattern: text, lessons: text, reasons: [text] }))).toBe(
        undefined,
      );
    }
    for (const text of ["Ask first", "Ask the client before a change", "Works offline", "Deadlines need slack"]) {
      expect(await principles(...many(2, "a", "success", { lessons: text }))).toEqual([`${text} (2 confirmations)`]);
    }
  });

  it("are told on one line", async () => {
    expect(await principles(...many(2, "a", "success", { lessons: "Search first,\n  then write." }))).toEqual([
      "Search first, then write. (2 confirmations)",
    ]);
  });

  it("are never made of placeholders", async () => {
    expect(
      await principles(...many(5, "a", "success", { lessons: "None", pattern: "n/a", reasons: ["-"] })),
    ).toBeUndefined();
  });
});

describe("failure modes", () => {
  const modes = async (...records: readonly RawDecision[]) =>
    (await both(await logOf(...records), LEAST_ONE)).structured.wisdom[0]?.failureModes?.map(
      ({ text, failures, decisions }) => `${text} ${failures}/${decisions}`,
    );

  it("are patterns of failures, not their reasons, nor what they taught", async () => {
    const failed = old("a", "failure", {
      pattern: "Skip tests",
      lessons: "Never skip tests",
      reasons: ["It was late"],
    });
    expect(await modes(failed)).toEqual(["Skip tests 1/1"]);
  });

  it("are what was decided where there is no pattern, never what it taught", async () => {
    verifies("rulings/lesson-never-a-failure");
    const lessons = "Check which host a key belongs to";
    expect(await modes(old("a", "failure", { lessons, reasons: ["It was late"] }))).toEqual(["Decision a 1/1"]);
    expect(await modes(old("a", "failure", { lessons, pattern: "n/a" }))).toEqual(["Decision a 1/1"]);
    const rotate = { decision: "Rotate all keys at once", lessons };
    expect(
      await modes(old("a", "failure", rotate), old("b", "failure", rotate), old("c", "success", { lessons })),
    ).toEqual(["Rotate all keys at once 2/2"]);
  });

  it("have beside them what their failures taught, each lesson once", async () => {
    const failed = (id: string, lessons: string) => old(id, "failure", { pattern: "Skip the sandbox check", lessons });
    const log = await logOf(
      failed("a", "Check the host first"),
      failed("b", "check the host first."),
      failed("c", "Keep the\n  key of each host apart"),
      old("d", "failure", { decision: "Ship on Friday", lessons: "None" }),
    );
    const { spec, structured } = await both(log, LEAST_ONE);
    const learned = ["Keep the key of each host apart", "check the host first."];
    const [wisdom] = structured.wisdom;
    expect(wisdom?.failureModes?.map((mode) => [mode.text, [...(mode.learned ?? [])].sort()])).toEqual([
      ["Skip the sandbox check", learned],
      ["Ship on Friday", []],
    ]);
    expect(spec.wisdom[0]?.common_failure_mode).toBe("Skip the sandbox check (3 failures)");
    expect([...(spec.wisdom[0]?.learned ?? [])].sort()).toEqual(learned);
  });

  it("count failures alone", async () => {
    const pattern = "Skip tests";
    expect(
      await modes(...many(3, "p", "partial", { pattern }), ...many(3, "a", "abandoned", { pattern })),
    ).toBeUndefined();
    expect(await modes(...many(3, "p", "partial", { pattern }), old("f", "failure", { pattern }))).toEqual([
      "Skip tests 1/4",
    ]);
  });

  it("are sorted by count, then by share, then by text", async () => {
    const failed = (count: number, text: string) => many(count, text, "failure", { pattern: text });
    const partly = (count: number, text: string) => many(count, `p${text}`, "partial", { pattern: text });
    const records = [
      ...failed(2, "b"),
      ...failed(2, "a"),
      ...failed(2, "half"),
      ...partly(2, "half"),
      ...failed(3, "z"),
      ...partly(9, "z"),
    ];
    const worded = records.map((record) => ({ ...record, pattern: `way ${record.pattern} of it` }));
    expect(await modes(...worded)).toEqual([
      "way z of it 3/12",
      "way a of it 2/2",
      "way b of it 2/2",
      "way half of it 2/4",
    ]);
  });

  it("are never principles", async () => {
    const records = [
      ...many(4, "s", "success", { pattern: "Search first" }),
      ...many(3, "f", "failure", { pattern: "Search first" }),
    ];
    expect(await modes(...records)).toBeUndefined();
  });

  it("count failures that were superseded", async () => {
    expect(
      await modes(old("a", "failure", { pattern: "Skip tests", superseded_by: "b" }), old("b", "success")),
    ).toEqual(["Skip tests 1/1"]);
  });
});

describe("decisions of which no principle tells", () => {
  it("keep a line, those of small categories too, what failed first", async () => {
    verifies("rulings/nothing-is-lost");
    const log = await logOf(
      ...many(4, "s", "success", { pattern: "Search first" }),
      old("plain", "success", {}, 120),
      old("late", "success", { lessons: "Ask the harbour\n master" }, 101),
      old("half", "partial", {}, 130),
      old("lone", "failure", { category: "tooling", lessons: "Search first" }),
      old("open", null, { status: "pending" }),
      old("young", "success", {}, 50),
      old("kept", "success", { preserve: true }),
    );
    const { spec, structured } = await both(log);
    expect(structured.lines?.map(({ id }) => id)).toEqual(["lone", "half", "late", "plain"]);
    expect(structured.lines?.[0]).toMatchObject({
      ...{ level: "wisdom", category: "tooling", oneLine: "Decision lone", outcome: "failure" },
    });
    expect(structured.lines?.map(({ lessons }) => lessons)).toEqual([
      "Search first",
      undefined,
      "Ask the harbour master",
      undefined,
    ]);
    expect(spec).not.toHaveProperty("lines");
    expect((await both(log, { category: "tooling" })).structured.lines?.map(({ id }) => id)).toEqual(["lone"]);
    const all = await both(log, LEAST_ONE);
    expect(all.structured.lines?.map(({ id }) => id)).toEqual(["half", "late", "plain"]);
  });
});

describe("principles across categories", () => {
  it("are confirmed in two at least, also where each has too few decisions", async () => {
    const records = [
      old("a", "success", { category: "process", pattern: "Search first" }),
      old("b", "success", { category: "tooling", lessons: "Searching first" }),
      old("c", "failure", { category: "security", pattern: "search first" }),
      ...many(3, "d", "success", { category: "tooling", pattern: "Only here" }),
      old("e", "success", { category: "tooling", pattern: "Failed there" }),
      old("f", "failure", { category: "process", pattern: "Failed there" }),
    ];
    const { spec, structured } = await both(await logOf(...records));
    expect(structured.crossCategory).toEqual([
      {
        text: "Search first",
        confirmations: 2,
        contradictions: 1,
        exampleIds: ["a", "b"],
        contradictingIds: ["c"],
        categories: ["process", "tooling"],
      },
    ]);
    expect(spec).not.toHaveProperty("crossCategory");
    expect((await both(await logOf(...records), { category: "process" })).structured).not.toHaveProperty(
      "crossCategory",
    );
  });
});

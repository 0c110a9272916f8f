// Recording a decision, reviewing it, and marking it as never to be compacted.
import { describe, expect, it } from "vitest";
import { compactDecisions } from "../../../src/decisions/compaction/compact-decisions.ts";
import { decisionPolicies } from "../../../src/decisions/levels.ts";
import { type RecordRequest, recordDecision } from "../../../src/decisions/record-decision.ts";
import { reviewDecision, setPreserve } from "../../../src/decisions/review-decision.ts";
import { getDecision } from "../../../src/decisions/serving/get-decision.ts";
import { getCompacted } from "../../../src/decisions/serving/query-decisions.ts";
import { verifies } from "../../requirements/verifies.ts";
import { filled, logs, rawRecords } from "../levels/logs.ts";
import { aged, options } from "../levels/records.ts";

describe.each(logs)("recording in a %s log", (_, open) => {
  it("offers the wording that is there, of what may be the same principle", async () => {
    verifies("rulings/existing-wording-offered");
    const log = await filled(open, [
      aged("a1", 50, { pattern: "Feature flags keep releases small", outcome: "success" }),
      aged("a2", 50, { pattern: "feature flags keep releases small", outcome: "success" }),
      aged("a3", 50, { pattern: "Never deploy on Friday", outcome: "success" }),
    ]);
    const record = async (pattern: string) =>
      (await recordDecision(log, { decision: "Flag it", category: "tooling", pattern }, options)).nearWordings;
    const known = [{ text: "Feature flags keep releases small", decisions: 2 }];
    expect(await record("With feature flags a release stays small")).toEqual(known);
    expect(await record("Feature flags keep releases small")).toBeUndefined();
    expect(await record("Feature flags never keep a release small")).toBeUndefined();
    expect(await record("Deploy on Friday")).toBeUndefined();
    const reviewed = await reviewDecision(
      log,
      { id: "a3", outcome: "failure", lessons: "Small releases need feature flags" },
      options,
    );
    expect(reviewed.nearWordings).toEqual(known);
  });

  it("takes the log's wording of a pattern with the review, and gives the one before back", async () => {
    const log = await filled(open, [aged("a1", 50, { status: "pending", outcome: undefined, pattern: "Flags help" })]);
    const review = (pattern?: string) => reviewDecision(log, { id: "a1", outcome: "success", pattern }, options);
    expect((await review("Feature flags keep releases small")).replaced).toEqual({ pattern: "Flags help" });
    expect((await getDecision(log, "a1", options)).decision.pattern).toBe("Feature flags keep releases small");
    expect((await review()).replaced).not.toHaveProperty("pattern");
    expect((await getDecision(log, "a1", options)).decision.pattern).toBe("Feature flags keep releases small");
  });

  it("stores what was said under the keys of a record, zeros as zeros, and makes nothing up", async () => {
    const log = await filled(open, [aged("abcd1234", 50)]);
    const { id, record, ...answer } = await recordDecision(
      log,
      {
        decision: "  Use one queue  ",
        category: "architecture",
        confidence: 0,
        stakes: "high",
        context: "Jobs were lost",
        reasons: ["Simple", { type: "empirical", text: "Two incidents", strength: 0, confidence: 0.4 }],
        tags: ["jobs"],
        pattern: "One way",
        bridge: { structure: "queue", function: "no loss", tolerance: ["twice"] },
        deliberation: { inputs: ["a"], total_duration_ms: 12 },
        trace: [{ step: 1 }],
        relatedTo: [{ id: "x1", summary: "alike", distance: 0.2 }],
        supersedes: "abcd",
        kpiIndicators: ["loss"],
        mentalState: "calm",
        reviewBy: "2026-03-01",
        preserve: false,
        pr: 12,
        agent: "ada",
      },
      options,
    );
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect(answer).toEqual({
      status: "pending",
      date: "2026-02-15T12:00:00.000Z",
      compactionLevel: "full",
      supersedes: ["abcd1234"],
    });
    expect(record).toEqual({
      id,
      summary: "Use one queue",
      decision: "Use one queue",
      category: "architecture",
      status: "pending",
      date: "2026-02-15T12:00:00.000Z",
      confidence: 0,
      stakes: "high",
      context: "Jobs were lost",
      reasons: [
        { type: "analysis", text: "Simple" },
        { type: "empirical", text: "Two incidents", strength: 0, confidence: 0.4 },
      ],
      tags: ["jobs"],
      pattern: "One way",
      bridge: { structure: "queue", function: "no loss", tolerance: ["twice"] },
      deliberation: { inputs: ["a"], total_duration_ms: 12 },
      trace: [{ step: 1 }],
      related_to: [{ id: "x1", summary: "alike", distance: 0.2 }],
      supersedes: ["abcd1234"],
      kpi_indicators: ["loss"],
      mental_state: "calm",
      review_by: "2026-03-01",
      preserve: false,
      pr: 12,
      recorded_by: "ada",
    });
    expect((await getDecision(log, id, options)).decision).toEqual(record);
    expect((await getDecision(log, "abcd1234", options)).standing).toMatchObject({
      superseded: true,
      supersededBy: id,
    });
    expect((await getDecision(log, "abcd1234", options)).decision).toEqual(aged("abcd1234", 50));
    const { record: least } = await recordDecision(log, { decision: "Wait", category: "process" }, options);
    expect(Object.keys(least)).toHaveLength(6);
    const { decisions } = await getCompacted(log, { category: "architecture" }, options);
    expect(decisions[0]).toMatchObject({ confidence: 0, reasons: [{}, { strength: 0 }] });
  });

  it("takes an id that is given, and refuses one that is there", async () => {
    const log = await filled(open, []);
    const request = { id: "my-decision_1.0", decision: "Wait", category: "process" };
    expect((await recordDecision(log, request, options)).id).toBe("my-decision_1.0");
    await expect(recordDecision(log, request, options)).rejects.toMatchObject({
      kind: "Conflict",
      code: "DECISION_EXISTS",
    });
    expect(await rawRecords(log)).toHaveLength(1);
  });

  it("refuses what it cannot mean, names the field and quotes nothing", async () => {
    const log = await filled(open, []);
    const good = { decision: "A secret plan", category: "process" };
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ decision: " " }, /^The decision was not stored\. decision: must not be empty/],
      [{ category: "" }, /category/],
      [{ category: undefined }, /category/],
      [{ confidence: 1.01 }, /confidence/],
      [{ confidence: "0.5" }, /confidence/],
      [{ confidence: Number.NaN }, /confidence/],
      [{ stakes: "huge" }, /stakes/],
      [{ reasons: [{ text: "x", strength: -0.1 }] }, /reasons/],
      [{ bridge: { purpose: "x" } }, /bridge/],
      [{ preserve: "false" }, /preserve/],
      [{ tags: ["a", ""] }, /tags/],
      [{ id: "../escape" }, /id: must be up to 100 letters/],
      [{ id: ".hidden" }, /id/],
      [{ line: 1.5 }, /line/],
      [{ outcome: "success" }, /outcome/],
    ];
    for (const [change, message] of wrong) {
      const refused = expect(recordDecision(log, { ...good, ...change } as RecordRequest, options)).rejects;
      await refused.toMatchObject({
        kind: "InvalidInput",
        code: "INVALID_DECISION",
        message: expect.stringMatching(message),
      });
    }
    const unknown = { ...good, supersedes: ["nowhere"] };
    await expect(recordDecision(log, unknown, options)).rejects.toMatchObject({ code: "UNKNOWN_DECISION" });
    expect(await rawRecords(log)).toEqual([]);
  });
});

describe.each(logs)("reviewing in a %s log", (_, open) => {
  it("gives an old decision the level of its age, or of its review", async () => {
    verifies("values/age-basis-option");
    for (const [ageBasis, level] of [
      ["decision", "digest"],
      ["review", "full"],
    ] as const) {
      const log = await filled(open, [aged("abcd1234", 50, { status: "pending", outcome: undefined })]);
      const under = { ...options, policies: decisionPolicies({ ageBasis }) };
      expect(await reviewDecision(log, { id: "abcd", outcome: "success" }, under)).toEqual({
        id: "abcd1234",
        status: "reviewed",
        outcome: "success",
        reviewedAt: "2026-02-15T12:00:00.000Z",
        compactionLevel: level,
      });
      const { decisions } = await getCompacted(log, {}, under);
      expect(decisions).toMatchObject([{ level, outcome: "success", actualConfidence: 1 }]);
    }
  });

  it("may be done again: the new review takes the whole place of the old, which the answer gives back", async () => {
    const { outcome: _outcome, ...pending } = aged("abcd1234", 3, { status: "pending" });
    const log = await filled(open, [pending]);
    const first = {
      id: "abcd1234",
      outcome: "Failure",
      actualResult: "It broke",
      lessons: "Test it",
      notes: "Sad",
      agent: "ada",
    };
    const answer = await reviewDecision(log, first, options);
    expect(answer).not.toHaveProperty("replaced");
    const reviewed = {
      ...pending,
      status: "reviewed",
      outcome: "failure",
      reviewed_at: "2026-02-15T12:00:00.000Z",
      actual_result: "It broke",
      lessons: "Test it",
      review_notes: "Sad",
      reviewed_by: "ada",
    };
    expect(await rawRecords(log)).toEqual([reviewed]);
    const later = { ...options, now: options.now + 1000 };
    const again = { id: "abcd1234", outcome: "success", actualResult: "It works now", agent: "bob" };
    expect((await reviewDecision(log, again, later)).replaced).toEqual({
      outcome: "failure",
      reviewed_at: "2026-02-15T12:00:00.000Z",
      actual_result: "It broke",
      lessons: "Test it",
      review_notes: "Sad",
      reviewed_by: "ada",
    });
    expect(await rawRecords(log)).toEqual([
      {
        ...reviewed,
        outcome: "success",
        reviewed_at: "2026-02-15T12:00:01.000Z",
        actual_result: "It works now",
        lessons: null,
        review_notes: null,
        reviewed_by: "bob",
      },
    ]);
  });

  it("leaves a superseded decision superseded", async () => {
    const log = await filled(open, [
      aged("by-status", 50, { status: "superseded by new-one1" }),
      aged("new-one1", 10),
      aged("unnamed", 50, { status: "superseded" }),
    ]);
    await reviewDecision(log, { id: "by-status", outcome: "partial" }, options);
    const { standing, compactionLevel } = await getDecision(log, "by-status", options);
    expect(standing).toMatchObject({ superseded: true, supersededBy: "new-one1" });
    expect(compactionLevel).toBe("digest");
    await expect(reviewDecision(log, { id: "unnamed", outcome: "partial" }, options)).rejects.toMatchObject({
      kind: "Conflict",
      code: "SUPERSEDED",
    });
    await recordDecision(log, { decision: "Another", category: "process", supersedes: "unnamed" }, options);
    await reviewDecision(log, { id: "unnamed", outcome: "partial" }, options);
    expect((await getDecision(log, "unnamed", options)).standing.superseded).toBe(true);
  });

  it("refuses an outcome that is none, and an id that is unknown", async () => {
    const log = await filled(open, [aged("abcd1234", 3)]);
    const before = await rawRecords(log);
    await expect(reviewDecision(log, { id: "abcd1234", outcome: "great" }, options)).rejects.toMatchObject({
      kind: "InvalidInput",
      code: "INVALID_DECISION",
    });
    await expect(reviewDecision(log, { id: "nowhere", outcome: "success" }, options)).rejects.toMatchObject({
      kind: "NotFound",
      code: "UNKNOWN_DECISION",
    });
    expect(await rawRecords(log)).toEqual(before);
  });
});

describe.each(logs)("preserving in a %s log", (_, open) => {
  it("moves the counts at once, is stored, and is undone", async () => {
    verifies("values/preserve-in-every-store");
    const ages = [0, 3, 6, 7, 15, 29, 30, 60, 89, ...Array.from({ length: 11 }, (_, at) => 90 + at)];
    const kept = [aged("kept-1", 200, { preserve: true }), aged("kept-2", 20, { preserve: true })];
    const log = await filled(open, [...ages.map((days) => aged(`day-${days}`, days)), ...kept]);
    const counts = async () => {
      const { preserved, levels } = await compactDecisions(log, {}, options);
      return [preserved, levels.wisdom, levels.full];
    };
    expect(await counts()).toEqual([2, 11, 5]);
    expect(await setPreserve(log, { id: "day-95", preserve: true }, options)).toEqual({
      success: true,
      decisionId: "day-95",
      preserve: true,
    });
    expect((await getDecision(log, "day-95", options)).decision).toEqual({ ...aged("day-95", 95), preserve: true });
    expect(await counts()).toEqual([3, 10, 6]);
    await setPreserve(log, { id: "day-95", preserve: false }, options);
    expect(await counts()).toEqual([2, 11, 5]);
  });

  it("answers for an unknown id, and leaves a record alone that is marked so already", async () => {
    const log = await filled(open, [aged("abcd1234", 3), aged("abcd9999", 3, { preserve: "yes" })]);
    const before = await rawRecords(log);
    expect(await setPreserve(log, { id: "nowhere", preserve: true }, options)).toEqual({
      success: false,
      decisionId: "nowhere",
      preserve: true,
      error: "Decision not found: nowhere",
    });
    expect(await setPreserve(log, { id: "abcd1", preserve: false }, options)).toMatchObject({ decisionId: "abcd1234" });
    expect(await rawRecords(log)).toEqual(before);
    await expect(setPreserve(log, { id: "abcd", preserve: true }, options)).rejects.toMatchObject({
      code: "AMBIGUOUS_ID",
    });
    await setPreserve(log, { id: "abcd9999", preserve: true }, options);
    expect((await getDecision(log, "abcd9999", options)).decision.preserve).toBe(true);
  });
});

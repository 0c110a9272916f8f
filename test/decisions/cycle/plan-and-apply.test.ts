// The plan of a cycle, what applying it does, and when it is refused.
import { describe, expect, it } from "vitest";
import { applyDecisionCompaction } from "../../../src/decisions/compaction/apply-decision-compaction.ts";
import { planDecisionCompaction } from "../../../src/decisions/compaction/plan-decision-compaction.ts";
import type { RawDecision } from "../../../src/decisions/decision.ts";
import type { DecisionLog } from "../../../src/decisions/decision-log.ts";
import { decisionPolicies } from "../../../src/decisions/levels.ts";
import { recordDecision } from "../../../src/decisions/record-decision.ts";
import { reviewDecision, setPreserve } from "../../../src/decisions/review-decision.ts";

import { getCompacted } from "../../../src/decisions/serving/query-decisions.ts";
import { verifies } from "../../requirements/verifies.ts";
import { filled, logs, rawRecords } from "../levels/logs.ts";
import { aged, options } from "../levels/records.ts";
import { recordedTrace, scriptedTexts } from "./cycles.ts";

const reasons = (...confidences: readonly number[]) =>
  confidences.map((confidence, at) => ({ type: "analysis", text: `Reason ${at}`, confidence }));

const RECORDS: readonly RawDecision[] = [
  aged("fresh", 1),
  aged("sure", 12, { confidence: 0.9 }),
  aged("split", 13, { confidence: 0.9, reasons: reasons(0.9, 0.5) }),
  aged("weak", 40, { confidence: 0.9, reasons: reasons(0.3, 0.3) }),
  aged("none", 41, { confidence: undefined }),
  aged("old", 100, { confidence: 0.5, recorded_by: "ada" }),
  aged("open", 100, { status: "pending" }),
];

/** Everything a cycle may leave behind. */
async function kept(log: DecisionLog) {
  return log.read(async (reader) => ({
    runs: await reader.runs(10),
    texts: await reader.texts(await reader.idsLike("", 100)),
    lease: await reader.state("lease"),
    changes: await reader.levelChanges({ policies: options.policies, now: options.now }, {}),
  }));
}

describe.each(logs)("a plan over a %s log", (_, open) => {
  it("names what will change and why, most settled first, and writes nothing", async () => {
    verifies("decisions/confidence-integration");
    const log = await filled(open, RECORDS);
    const before = [await kept(log), await rawRecords(log)];
    const { trace, events } = recordedTrace();
    const plan = await planDecisionCompaction(log, {}, { ...options, trace });
    expect(plan).toMatchObject({
      version: 2,
      part: "decisions",
      created_at: "2026-02-15T12:00:00.000Z",
      filter: {},
      last_run: null,
      counts: { "full->digest": 2, "full->summary": 2, "full->wisdom": 1 },
      rewrites: [],
      survey: { total: 7, preserved: 0, levels: { full: 2, summary: 2, digest: 2, wisdom: 1 } },
    });
    expect(plan.policies).toMatchObject([{ name: "default", thresholds: { full: 7, summary: 30, digest: 90 } }]);
    expect(plan.items.map(({ id, from, to, priority }) => [id, from, to, Number(priority.toFixed(9))])).toEqual([
      ["sure", "full", "summary", 0.9],
      ["none", "full", "digest", 0.5],
      ["old", "full", "wisdom", 0.5],
      ["split", "full", "summary", 0.3],
      ["weak", "full", "digest", 0.3],
    ]);
    expect(plan.items[0]).toMatchObject({
      category: "process",
      agent: "",
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(plan.items.map(({ why }) => why)).toEqual([
      'Reviewed, 7 to 30 days since the decision (policy "default").',
      'Reviewed, 30 to 90 days since the decision (policy "default").',
      'Reviewed, 90 days or more since the decision (policy "default").',
      'Reviewed, 7 to 30 days since the decision (policy "default").',
      'Reviewed, 30 to 90 days since the decision (policy "default").',
    ]);
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
    expect([await kept(log), await rawRecords(log)]).toEqual(before);
    expect(events).toEqual([
      {
        event: "compact.plan",
        part: "decisions",
        session_id: "decisions",
        at: "2026-02-15T12:00:00.000Z",
        ids: ["sure", "none", "old", "split", "weak"],
        counts: { total: 7, preserved: 0, changes: 5, rewrites: 0, full: 2, summary: 2, digest: 2, wisdom: 1 },
        // The clock goes on from `now`.
        started_at: expect.stringMatching(/^2026-02-15T12:00:0/),
        duration_ms: expect.any(Number),
      },
    ]);
  });

  it("is of one category or agent where that is asked for", async () => {
    const log = await filled(open, [...RECORDS, aged("tool", 12, { category: "tooling" })]);
    const ids = async (filter: { category?: string; agent?: string }) =>
      (await planDecisionCompaction(log, filter, options)).items.map(({ id }) => id);
    expect(await ids({ category: "tooling" })).toEqual(["tool"]);
    expect(await ids({ agent: "ada" })).toEqual(["old"]);
    expect(await ids({ category: "none" })).toEqual([]);
  });

  it("tells why a decision is whole again", async () => {
    const log = await filled(open, RECORDS);
    await applyDecisionCompaction(log, await planDecisionCompaction(log, {}, options), options);
    await setPreserve(log, { id: "old", preserve: true }, options);
    await log.write(async (writer) => {
      await writer.change("sure", { status: "pending" });
      await writer.change("weak", { date: "soon" });
      await writer.change("split", { date: "2026-02-14" });
      await writer.change("none", { stakes: "high" });
    });
    const policies = decisionPolicies({ preserveStakes: ["high"] });
    const { items } = await planDecisionCompaction(log, {}, { ...options, policies });
    expect(Object.fromEntries(items.map(({ id, from, to, why }) => [id, `${from} ${to}: ${why}`]))).toEqual({
      old: "wisdom full: Preserved.",
      sure: 'summary full: Not reviewed (policy "default").',
      weak: 'digest full: Without a readable date (policy "default").',
      split: 'summary full: Less than 7 days old (policy "default").',
      none: 'digest full: Preserved for its stakes or a tag (policy "default").',
    });
  });
});

describe.each(logs)("applying a plan to a %s log", (_, open) => {
  it("sets the levels, keeps the texts in order of priority and notes the run; records stay as they are", async () => {
    verifies("decisions/phase-model-summaries");
    const log = await filled(open, RECORDS);
    const before = await rawRecords(log);
    const texts = scriptedTexts();
    const plan = JSON.parse(JSON.stringify(await planDecisionCompaction(log, {}, { ...options, texts })));
    const { trace, events } = recordedTrace();
    const report = await applyDecisionCompaction(log, plan, { ...options, texts, trace, trigger: "test" });
    expect(texts.asked).toEqual(["sure summary", "none digest", "split summary", "weak digest"]);
    expect(report).toMatchObject({ changed: 5, texts: { llm: 4, extractive: 0, failed: 0 } });
    const { id, ...run } = report.run;
    expect(run).toMatchObject({
      started_at: expect.stringMatching(/^2026-02-15T12:0/),
      finished_at: expect.stringMatching(/^2026-02-15T12:0/),
      trigger: "test",
      total: 7,
      preserved: 0,
      levels: { full: 2, summary: 2, digest: 2, wisdom: 1 },
      changed: 5,
      texts: { llm: 4, extractive: 0, failed: 0 },
    });
    const left = await kept(log);
    expect(left.runs).toEqual([report.run]);
    expect(left.lease).toBeUndefined();
    expect(left.changes).toEqual([]);
    expect(
      left.texts.map((text) => [text.id, text.level, text.strategy, text.model, text.source, text.text]).sort(),
    ).toEqual([
      ["none", "digest", "brief", "small", "llm", "digest of none: no lessons"],
      ["split", "summary", "brief", "small", "llm", "summary of split: no lessons"],
      ["sure", "summary", "brief", "small", "llm", "summary of sure: no lessons"],
      ["weak", "digest", "brief", "small", "llm", "digest of weak: no lessons"],
    ]);
    expect(await rawRecords(log)).toEqual(before);
    const { decisions } = await getCompacted(log, {}, options);
    expect(decisions.find((item) => item.id === "sure")).toMatchObject({
      summary: "summary of sure: no lessons",
      summarySource: "llm",
    });
    expect(events).toMatchObject([
      {
        event: "compact.applied",
        part: "decisions",
        ids: ["sure", "none", "old", "split", "weak"],
        counts: { total: 7, changed: 5, texts_llm: 4, texts_extractive: 0, texts_failed: 0 },
      },
    ]);
    expect(JSON.stringify(events)).not.toContain("Decision ");
    expect((await planDecisionCompaction(log, {}, { ...options, texts })).last_run).toBe(id);
  });

  it("is not refused because time passed; levels are those of the plan", async () => {
    const log = await filled(open, RECORDS);
    const plan = await planDecisionCompaction(log, {}, options);
    const { run } = await applyDecisionCompaction(log, plan, { ...options, now: options.now + 30 * 86_400_000 });
    expect(run.levels).toEqual(plan.survey.levels);
    expect((await kept(log)).changes).toEqual([]);
  });

  it("counts a text that failed, keeps none of it, and asks again in the next plan", async () => {
    const log = await filled(open, RECORDS);
    const failing = scriptedTexts(({ id }) =>
      id === "sure" ? { text: "by code", source: "extractive", hasFailed: true } : undefined,
    );
    const plan = await planDecisionCompaction(log, {}, { ...options, texts: failing });
    const report = await applyDecisionCompaction(log, plan, { ...options, texts: failing });
    expect(report.texts).toEqual({ llm: 3, extractive: 0, failed: 1 });
    expect((await kept(log)).texts.map(({ id }) => id)).not.toContain("sure");
    const next = await planDecisionCompaction(log, {}, { ...options, texts: failing });
    expect(next.items).toEqual([]);
    expect(next.rewrites).toMatchObject([{ id: "sure", level: "summary", priority: 0.9 }]);
  });

  const changes: readonly (readonly [string, (log: DecisionLog) => Promise<unknown>, readonly string[]])[] = [
    ["a record was changed", (log) => log.write((writer) => writer.change("weak", { lessons: "New" })), ["weak"]],
    ["a decision is preserved now", (log) => setPreserve(log, { id: "old", preserve: true }, options), ["old"]],
    ["it was reviewed again", (log) => reviewDecision(log, { id: "sure", outcome: "failure" }, options), ["sure"]],
  ];
  it.each(changes)("is refused when %s", async (_case, change, ids) => {
    const log = await filled(open, RECORDS);
    const plan = await planDecisionCompaction(log, {}, options);
    await change(log);
    const before = await kept(log);
    const texts = scriptedTexts();
    const { trace, events } = recordedTrace();
    await expect(applyDecisionCompaction(log, plan, { ...options, texts, trace })).rejects.toMatchObject({
      kind: "Conflict",
      code: "STALE_PLAN",
      data: { ids },
    });
    expect(texts.asked).toEqual([]);
    expect(await kept(log)).toEqual(before);
    expect(events).toMatchObject([{ event: "compact.error", part: "decisions", code: "STALE_PLAN", fallback: "none" }]);
  });

  it("is refused when a decision is gone, another policy governs it, or another cycle ran since", async () => {
    const log = await filled(open, RECORDS);
    const stale = { kind: "Conflict", code: "STALE_PLAN" };
    const plan = await planDecisionCompaction(log, {}, options);
    const other = await filled(
      open,
      RECORDS.filter(({ id }) => id !== "none"),
    );
    await expect(applyDecisionCompaction(other, plan, options)).rejects.toMatchObject({
      ...stale,
      data: { ids: ["none"] },
    });
    const policies = decisionPolicies({ thresholds: { full: 20 } });
    await expect(applyDecisionCompaction(log, plan, { ...options, policies })).rejects.toMatchObject(stale);
    await applyDecisionCompaction(log, plan, { ...options, now: options.now - 1e6 });
    await expect(applyDecisionCompaction(log, plan, options)).rejects.toMatchObject(stale);
    expect((await kept(log)).runs).toHaveLength(1);
  });

  it("is refused when a record changes while a text is written; texts that were written stay", async () => {
    const log = await filled(open, RECORDS);
    const texts = scriptedTexts(async ({ id }) => {
      if (id === "weak") await log.write((writer) => writer.change("weak", { lessons: "Learned meanwhile" }));
      return undefined;
    });
    const plan = await planDecisionCompaction(log, {}, options);
    await expect(applyDecisionCompaction(log, plan, { ...options, texts })).rejects.toMatchObject({
      code: "STALE_PLAN",
    });
    const left = await kept(log);
    expect(left.runs).toEqual([]);
    expect(left.lease).toBeUndefined();
    expect(left.texts.map(({ id }) => id).sort()).toEqual(["none", "split", "sure"]);
  });

  it("goes on with new decisions that the plan does not know", async () => {
    const log = await filled(open, RECORDS);
    const plan = await planDecisionCompaction(log, {}, options);
    await recordDecision(log, { decision: "New", category: "process" }, options);
    const { run } = await applyDecisionCompaction(log, plan, options);
    expect(run).toMatchObject({ total: 8, changed: 5 });
  });

  it("refuses what is no plan, and says where", async () => {
    const log = await filled(open, RECORDS);
    const plan = await planDecisionCompaction(log, {}, options);
    const [item] = plan.items;
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      [undefined, /^The plan cannot be read: it is not an object with the fields of a plan\.$/],
      [{}, /: version is missing\.$/],
      [{ ...plan, survey: undefined }, /: survey is missing\.$/],
      [{ ...plan, version: 1 }, /^The plan is of version 1; version 2 is read\.$/],
      [{ ...plan, part: "observations" }, /^It is a plan of observations, not of decisions\.$/],
      [{ ...plan, items: plan.items.slice(1) }, /^The plan was edited: nothing in it may be changed\.$/],
      [{ ...plan, created_at: "today" }, /created_at/],
      [{ ...plan, items: [{ ...item, to: "gone" }] }, /items\.0\.to/],
      [{ ...plan, items: [{ ...item, priority: 2 }] }, /items\.0\.priority/],
      [{ ...plan, items: [item, item] }, /: one decision stands in it twice\.$/],
    ];
    for (const [value, message] of wrong) {
      const refused = expect(applyDecisionCompaction(log, value, options)).rejects;
      await refused.toMatchObject({
        kind: "InvalidInput",
        code: "INVALID_PLAN",
        message: expect.stringMatching(message),
      });
    }
    expect((await kept(log)).runs).toEqual([]);
  });
});

// What is served at each level, how long lists are paged, and what an answer says about what it does not hold.
import { describe, expect, it } from "vitest";
import type { DecisionLog, DecisionText } from "../../../src/decisions/decision-log.ts";
import { decisionPolicies } from "../../../src/decisions/levels.ts";
import { getCompacted } from "../../../src/decisions/serving/query-decisions.ts";
import { verifies } from "../../requirements/verifies.ts";
import { filled, logs } from "../levels/logs.ts";
import { aged, options } from "../levels/records.ts";

const WHOLE = {
  decision: "Use one queue for all jobs",
  summary: "Use one queue for all jobs",
  confidence: 0,
  stakes: "high",
  context: "Jobs were lost when a worker died",
  reasons: [{ type: "empirical", text: "Two incidents in May", strength: 0 }, "It is simpler"],
  tags: ["jobs", 7],
  pattern: "One way to do a thing",
  bridge: {
    structure: "a queue with acknowledgements",
    function: "no job is lost",
    tolerance: ["a job may run twice"],
    enforcement: [],
  },
  deliberation: { inputs: ["incident reports"] },
  trace: [{ step: 1 }],
  outcome: "failure",
  actual_result: "Workers starved",
  lessons: "Long jobs need a queue of their own",
  recorded_by: "ada",
};

async function keep(log: DecisionLog, texts: readonly Omit<DecisionText, "hash">[], hash?: string): Promise<void> {
  await log.write(async (writer) => {
    for (const text of texts) {
      const [decision] = await writer.decisions([text.id]);
      await writer.putTexts([{ ...text, hash: hash ?? decision?.hash ?? "" }]);
    }
  });
}

describe.each(logs)("decisions served from a %s log", (_, open) => {
  it("are all one line each where that is asked for, whatever their age", async () => {
    const log = await filled(open, [
      aged("recent", 3, WHOLE),
      aged("summary", 10, WHOLE),
      aged("oldest", 200, WHOLE),
      aged("open", 200, { ...WHOLE, status: "pending", outcome: undefined }),
    ]);
    const { decisions, leftOut } = await getCompacted(log, { form: "lines" }, options);
    const line = { oneLine: "Use one queue for all jobs", category: "process", confidence: 0 };
    const bridge = { structure: "a queue with acknowledgements", function: "no job is lost" };
    const failed = { ...line, bridge, outcome: "failure", actualConfidence: 0 };
    expect(decisions).toEqual([
      { id: "recent", level: "full", date: "2026-02-12", ...failed },
      { id: "summary", level: "summary", date: "2026-02-05", ...failed },
      { id: "oldest", level: "wisdom", date: "2025-07-30", ...failed },
      { id: "open", level: "full", date: "2025-07-30", ...line, bridge, status: "pending" },
    ]);
    expect(leftOut.wisdom).toBe(0);
  });

  it("come with the reviews that are overdue, but for decisions that were superseded", async () => {
    const due = (id: string, review_by: string, rest = {}) =>
      aged(id, 100, { status: "pending", outcome: undefined, review_by, ...rest });
    const log = await filled(open, [
      due("late", "2026-02-01"),
      due("later", "2026-01-02T10:00:00Z"),
      due("today", "2026-02-15"),
      due("gone", "2026-01-01", { superseded_by: "late" }),
      due("unreadable", "1 soon"),
    ]);
    const { overdue, nextCursor } = await getCompacted(log, { limit: 2 }, options);
    expect(overdue).toEqual([
      { id: "later", category: "process", reviewBy: "2026-01-02", oneLine: "Decision later" },
      { id: "late", category: "process", reviewBy: "2026-02-01", oneLine: "Decision late" },
    ]);
    expect(await getCompacted(log, { limit: 2, cursor: nextCursor }, options)).not.toHaveProperty("overdue");
    expect(await getCompacted(log, { category: "other" }, options)).not.toHaveProperty("overdue");
  });

  it("are whole while they are recent", async () => {
    verifies("decisions/level-full");
    const log = await filled(open, [aged("recent", 3, WHOLE)]);
    const { decisions } = await getCompacted(log, {}, options);
    expect(decisions).toEqual([
      {
        id: "recent",
        level: "full",
        decision: "Use one queue for all jobs",
        category: "process",
        date: "2026-02-12",
        outcome: "failure",
        confidence: 0,
        actualConfidence: 0,
        pattern: "One way to do a thing",
        stakes: "high",
        status: "reviewed",
        agent: "ada",
        context: "Jobs were lost when a worker died",
        reasons: [
          { type: "empirical", text: "Two incidents in May", strength: 0 },
          { type: "analysis", text: "It is simpler" },
        ],
        tags: ["jobs", "7"],
        deliberation: { inputs: ["incident reports"] },
        trace: [{ step: 1 }],
        actualResult: "Workers starved",
        lessons: "Long jobs need a queue of their own",
        bridge: {
          structure: "a queue with acknowledgements",
          function: "no job is lost",
          tolerance: ["a job may run twice"],
        },
      },
    ]);
  });

  it("are text, outcome, pattern and confidence against actual as a summary", async () => {
    verifies("decisions/level-summary", "decisions/calibration-integration");
    const log = await filled(open, [aged("older", 12, { ...WHOLE, outcome: "partial" })]);
    const { decisions } = await getCompacted(log, {}, options);
    const [{ summary, ...rest } = { summary: undefined }] = decisions;
    expect(rest).toEqual({
      id: "older",
      level: "summary",
      decision: "Use one queue for all jobs",
      category: "process",
      date: "2026-02-03",
      outcome: "partial",
      confidence: 0,
      actualConfidence: 0.5,
      pattern: "One way to do a thing",
      stakes: "high",
      summarySource: "extractive",
      bridge: { structure: "a queue with acknowledgements", function: "no job is lost" },
    });
    expect(summary).toContain("Long jobs need a queue of their own");
  });

  it("are one line each as a digest, grouped by category, with bridge and calibration", async () => {
    verifies("decisions/level-digest", "rulings/digest-and-survivors", "decisions/bridge-integration");
    const long = "Move the nightly reports to the new cluster because the old one is switched off in the autumn";
    const log = await filled(open, [
      aged("d1", 40, { ...WHOLE, decision: long }),
      aged("d2", 41, { category: "architecture" }),
      aged("d3", 42),
      aged("s1", 12, WHOLE),
      aged("w1", 100, WHOLE),
    ]);
    const answer = await getCompacted(log, {}, options);
    expect(answer.decisions.find(({ id }) => id === "d1")).toEqual({
      id: "d1",
      level: "digest",
      category: "process",
      date: "2026-01-06",
      oneLine: "Move the nightly reports to the new cluster because the old one is switched...",
      outcome: "failure",
      confidence: 0,
      actualConfidence: 0,
      bridge: { structure: "a queue with acknowledgements", function: "no job is lost" },
    });
    expect(answer.digests).toEqual([
      { category: "architecture", count: 1, ids: ["d2"] },
      { category: "process", count: 2, ids: ["d1", "d3"] },
    ]);
    expect(JSON.stringify(answer)).not.toContain("autumn");
    const { decisions } = await getCompacted(log, { level: "wisdom" }, options);
    expect(decisions[0]?.bridge).toEqual({ structure: "a queue with acknowledgements", function: "no job is lost" });
  });

  it("hold structure and function as summary and as digest", async () => {
    verifies("values/bridge-in-summary-and-digest");
    const log = await filled(open, [aged("s", 12, WHOLE), aged("d", 40, WHOLE)]);
    const { decisions } = await getCompacted(log, {}, options);
    const bridge = { structure: "a queue with acknowledgements", function: "no job is lost" };
    expect(decisions.map(({ level, bridge }) => [level, bridge])).toEqual([
      ["summary", bridge],
      ["digest", bridge],
    ]);
  });

  it("show no text of wisdom's age, count it without being asked, and limits change no count", async () => {
    verifies("values/wisdom-level-hides-raw");
    const log = await filled(open, [
      aged("w1", 100, { ...WHOLE, preserve: false }),
      aged("w2", 200, { confidence: undefined, outcome: undefined }),
      ...[1, 2, 3].map((day) => aged(`full-${day}`, day)),
    ]);
    const wisdom = await getCompacted(log, { level: "wisdom" }, options);
    expect(wisdom.decisions).toEqual([
      {
        id: "w1",
        level: "wisdom",
        category: "process",
        date: "2025-11-07",
        outcome: "failure",
        confidence: 0,
        actualConfidence: 0,
        bridge: { structure: "a queue with acknowledgements", function: "no job is lost" },
      },
      { id: "w2", level: "wisdom", category: "process", date: "2025-07-30" },
    ]);
    const whole = await getCompacted(log, {}, options);
    expect(whole.decisions.map(({ level }) => level)).toEqual(["full", "full", "full"]);
    expect(whole.levels).toEqual({ full: 3, summary: 0, digest: 0, wisdom: 2 });
    expect(whole.leftOut).toEqual({ byLimit: 0, before: 0, wisdom: 2, otherLevels: 0 });
    const two = await getCompacted(log, { limit: 2 }, options);
    expect(two.decisions.map(({ id }) => id)).toEqual(["full-1", "full-2"]);
    expect(two.levels).toEqual(whole.levels);
    expect(two.leftOut).toEqual({ byLimit: 1, before: 0, wisdom: 2, otherLevels: 0 });
  });

  it("are 22 of 22 when the date of one cannot be read, and a date without a zone is UTC", async () => {
    verifies("values/one-unreadable-date");
    const good = Array.from({ length: 20 }, (_, at) => aged(`good-${at}`, at));
    const log = await filled(open, [
      ...good,
      aged("naive", 0, { date: "2026-01-01T00:00:00" }),
      aged("bad", 0, { date: "soon" }),
    ]);
    const { decisions, errors, levels } = await getCompacted(log, {}, options);
    expect(decisions).toHaveLength(22);
    expect(decisions.find(({ id }) => id === "naive")?.level).toBe("digest");
    expect(decisions.at(-1)).toMatchObject({ id: "bad", level: "full", date: "soon" });
    expect(errors).toEqual([
      { id: "bad", code: "UNREADABLE_DATE", message: "Its date cannot be read, so it stays full." },
    ]);
    expect(levels).toEqual({ full: 8, summary: 13, digest: 1, wisdom: 0 });
  });

  it("have the text that is kept of them, a model's before one of code, while the record is the same", async () => {
    verifies("decisions/phase-model-summaries");
    const log = await filled(open, [aged("s", 12, WHOLE), aged("d", 40, WHOLE)]);
    const kept = (id: string, level: "summary" | "digest", source: "llm" | "extractive", model: string) =>
      ({ id, level, source, model, strategy: "brief", text: `${level} by ${model}` }) as const;
    await keep(log, [
      kept("s", "summary", "extractive", "extractive"),
      kept("s", "digest", "llm", "small"),
      kept("d", "digest", "llm", "small"),
      kept("d", "digest", "extractive", "a-model"),
    ]);
    const served = async () => {
      const { decisions } = await getCompacted(log, {}, options);
      return decisions.map(({ summary, summarySource, oneLine }) => [summary ?? oneLine, summarySource]);
    };
    expect(await served()).toEqual([
      ["summary by extractive", "extractive"],
      ["digest by small", undefined],
    ]);
    await keep(log, [kept("s", "summary", "llm", "small")]);
    expect((await served())[0]).toEqual(["summary by small", "llm"]);
    await log.write(async (writer) => {
      await writer.change("s", { lessons: "Measure first" });
      await writer.change("d", { decision: "Use two queues" });
    });
    const [summary, digest] = await served();
    expect(summary?.[0]).toContain("Measure first");
    expect(summary?.[1]).toBe("extractive");
    expect(digest?.[0]).toBe("Use two queues");
  });

  it("come under the policies of the request", async () => {
    const log = await filled(open, [aged("a", 3)]);
    const policies = decisionPolicies({ thresholds: { full: 1, summary: 2, digest: 3 } });
    const { levels, policy } = await getCompacted(log, {}, { ...options, policies });
    expect(levels.wisdom).toBe(1);
    expect(policy.thresholds).toEqual({ full: 1, summary: 2, digest: 3 });
  });
});

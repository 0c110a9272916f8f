// What the log in memory does beyond the suite that all logs pass: supersession in both orders of arrival, the way back of
// a transaction, levels that agree with levels.ts.
import { describe, expect, it } from "vitest";
import type { RawDecision } from "../../../src/decisions/decision.ts";
import type { DecisionLog, LevelView } from "../../../src/decisions/decision-log.ts";
import { decisionPolicies, levelOf } from "../../../src/decisions/levels.ts";

import { createMemoryDecisionLog } from "../../../src/decisions/memory-decision-log.ts";
import { DAY_MS, isoTime } from "../../../src/time.ts";

const NOW = Date.UTC(2031, 2, 31, 12);
const view: LevelView = { policies: decisionPolicies(), now: NOW };
const daysAgo = (days: number) => isoTime(NOW - days * DAY_MS);

async function logOf(...records: readonly RawDecision[]): Promise<DecisionLog> {
  const log = createMemoryDecisionLog();
  await log.write(async (writer) => {
    for (const record of records) await writer.add(record);
  });
  return log;
}

const reviewed = (id: string, days: number, more: RawDecision = {}): RawDecision => ({
  id,
  decision: `Choose ${id}`,
  category: "architecture",
  status: "reviewed",
  date: daysAgo(days),
  ...more,
});

describe("the decision log in memory", () => {
  it("orders by time, those without a readable date last, equals by id", async () => {
    const log = await logOf(
      reviewed("b", 3),
      reviewed("nodate", 0, { date: "soon" }),
      reviewed("a", 3),
      reviewed("c", 1),
      { id: "0", decision: "No date at all" },
    );
    const page = await log.read((reader) => reader.page({ filter: {}, view, limit: 10 }));
    expect(page.map(({ decision }) => decision.id)).toEqual(["c", "a", "b", "0", "nodate"]);
    const rest = await log.read((reader) =>
      reader.page({ filter: {}, view, limit: 10, after: { decidedAt: NOW - 3 * DAY_MS, id: "a" } }),
    );
    expect(rest.map(({ decision }) => decision.id)).toEqual(["b", "0", "nodate"]);
    const last = await log.read((reader) => reader.page({ filter: {}, view, limit: 10, after: { id: "0" } }));
    expect(last.map(({ decision }) => decision.id)).toEqual(["nodate"]);
    expect(await log.read((reader) => reader.faults(10))).toEqual({
      count: 1,
      faults: [expect.objectContaining({ id: "nodate", code: "UNREADABLE_DATE" })],
    });
  });

  it("counts as many of each level as the rule of levels gives", async () => {
    const log = await logOf(
      ...[0, 6.99, 7, 29.99, 30, 89.99, 90, 400].map((days) => reviewed(`d${days}`, days)),
      reviewed("kept", 200, { preserve: true }),
      reviewed("pending", 200, { status: "pending" }),
    );
    const survey = await log.read((reader) => reader.survey({ filter: {}, view }));
    expect(survey).toEqual({ total: 10, preserved: 1, levels: { full: 4, summary: 2, digest: 2, wisdom: 2 } });
    const page = await log.read((reader) => reader.page({ filter: {}, view, limit: 99 }));
    for (const { decision, level } of page) expect(level).toBe(levelOf(view.policies, decision, NOW));
    const unkept = await log.read((reader) => reader.survey({ filter: {}, view, includePreserved: false }));
    expect(unkept).toEqual({ total: 9, preserved: 0, levels: { full: 3, summary: 2, digest: 2, wisdom: 2 } });
  });

  it.each([["the successor first"], ["the successor last"]])("resolves supersession with %s", async (order) => {
    const records = [reviewed("new", 1, { supersedes: ["old"] }), reviewed("old", 200)];
    const log = await logOf(...(order === "the successor first" ? records : records.reverse()));
    const superseded = () => log.read(async (reader) => (await reader.decisions(["old"]))[0]?.supersededBy);
    expect(await superseded()).toBe("new");
    await log.write((writer) => writer.change("new", { supersedes: [] }));
    expect(await superseded()).toBeUndefined();
  });

  it("lets a record's own word stand before the claim of another, and a bare status take the claim", async () => {
    const log = await logOf(
      reviewed("one", 9, { superseded_by: "two" }),
      reviewed("bare", 9, { status: "superseded" }),
      reviewed("claims", 1, { supersedes: ["one", "bare"] }),
      reviewed("lonely", 9, { status: "superseded" }),
    );
    const found = await log.read((reader) => reader.decisions(["one", "bare", "lonely", "claims"]));
    expect(found.map(({ supersededBy }) => supersededBy)).toEqual(["two", "claims", "", undefined]);
  });

  it("leaves nothing of a write that rejects", async () => {
    const log = await logOf(reviewed("a", 100), reviewed("b", 100));
    const state = () =>
      log.read(async (reader) => ({
        ids: await reader.idsLike("", 9),
        decisions: await reader.decisions(["a", "b", "c"]),
        texts: await reader.texts(["a"]),
        runs: await reader.runs(9),
        lease: await reader.state("lease"),
        changes: await reader.levelChanges(view, {}),
      }));
    const before = await state();
    const failing = log.write(async (writer) => {
      await writer.add(reviewed("c", 1, { supersedes: ["a"] }));
      await writer.change("b", { preserve: true });
      const hash = (await writer.decisions(["a"]))[0]?.hash ?? "";
      const text = { id: "a", level: "summary", hash, strategy: "s", model: "m", text: "t", source: "llm" } as const;
      await writer.putTexts([text]);
      await writer.setLevels([{ id: "a", level: "wisdom" }]);
      await writer.setState("lease", { owner: "one" });
      await writer.addRun({
        id: "run",
        started_at: isoTime(NOW),
        finished_at: isoTime(NOW),
        trigger: "test",
        total: 0,
        preserved: 0,
        levels: { full: 0, summary: 0, digest: 0, wisdom: 0 },
        changed: 0,
        texts: { llm: 0, extractive: 0, failed: 0 },
      });
      expect(await writer.texts(["a"])).toEqual([text]);
      throw new Error("on purpose");
    });
    await expect(failing).rejects.toThrow("on purpose");
    expect(await state()).toEqual(before);
  });

  it("refuses a writer whose transaction is over, and work after closing", async () => {
    const log = await logOf();
    const writer = await log.write(async (given) => given);
    await expect(writer.add(reviewed("late", 1))).rejects.toMatchObject({ code: "TRANSACTION_OVER" });
    await log.close();
    await expect(log.read(async () => 1)).rejects.toMatchObject({ code: "STORE_CLOSED" });
  });

  it("drops a text once its record is another", async () => {
    const log = await logOf(reviewed("a", 40));
    const put = (text: string) =>
      log.write(async (writer) => {
        const hash = (await writer.decisions(["a"]))[0]?.hash ?? "";
        await writer.putTexts([
          { id: "a", level: "summary", hash, strategy: "s", model: "m", text, source: "extractive" },
        ]);
      });
    const texts = () => log.read(async (reader) => (await reader.texts(["a"])).map(({ text }) => text));
    await put("first");
    await put("second");
    expect(await texts()).toEqual(["second"]);
    await log.write((writer) => writer.change("a", { preserve: true }));
    expect(await texts()).toEqual(["second"]);
    await log.write((writer) => writer.change("a", { outcome: "failure" }));
    expect(await texts()).toEqual([]);
    await put("third");
    expect(await texts()).toEqual(["third"]);
  });

  it("keeps what it was given apart from what the caller holds", async () => {
    const record = { ...reviewed("a", 1), tags: ["one"] };
    const log = await logOf(record);
    record.tags.push("two");
    expect((await log.read((reader) => reader.decisions(["a"])))[0]?.tags).toEqual(["one"]);
  });

  it("refuses records that could not be read back", async () => {
    const log = await logOf(reviewed("a", 1));
    const add = (raw: RawDecision) => log.write((writer) => writer.add(raw));
    await expect(add({ id: "x" })).rejects.toMatchObject({ kind: "InvalidInput", code: "UNREADABLE_RECORD" });
    await expect(add({ decision: "x" })).rejects.toMatchObject({ kind: "InvalidInput" });
    await expect(add(reviewed("a", 1))).rejects.toMatchObject({ kind: "Conflict", code: "DECISION_EXISTS" });
    const change = (id: string, changes: RawDecision) => log.write((writer) => writer.change(id, changes));
    await expect(change("zz", {})).rejects.toMatchObject({ kind: "NotFound" });
    await expect(change("a", { id: "b" })).rejects.toMatchObject({ kind: "InvalidInput" });
    await expect(change("a", { decision: null })).rejects.toMatchObject({ kind: "InvalidInput" });
  });

  it("groups wordings: each decision once, the most frequent wording, the latest ids", async () => {
    const log = await logOf(
      reviewed("s1", 100, { outcome: "success", pattern: "Search first" }),
      reviewed("s2", 101, { outcome: "success", pattern: "search first", lessons: "Look before." }),
      reviewed("s3", 102, { outcome: "success", pattern: "search first" }),
      reviewed("s4", 103, { outcome: "success", pattern: "Search first", superseded_by: "s1" }),
      reviewed("f1", 104, { outcome: "failure", lessons: "Search first", category: "process" }),
      reviewed("f2", 105, { outcome: "failure", reasons: [{ type: "analysis", text: "Search first" }] }),
      reviewed("young", 5, { outcome: "success", pattern: "Search first" }),
    );
    const query = { filter: {}, view };
    const [first] = await log.read((reader) => reader.wordings({ ...query, filter: { category: "architecture" } }, 1));
    expect(first).toMatchObject({ confirmations: 3, contradictions: 1, failures: 0, decisions: 5 });
    const lesson = (await log.read((reader) => reader.wordings(query, 9))).find(({ key }) => key !== first?.key);
    const groups = [[first?.key ?? "", lesson?.key ?? ""], ["nothing"]];
    expect(await log.read((reader) => reader.groupWordings(query, groups))).toEqual([
      {
        text: "Search first",
        categories: ["architecture", "process"],
        confirmations: 3,
        contradictions: 1,
        failures: 0,
        decisions: 6,
        rank: 0,
        confirmingIds: ["s1", "s2", "s3"],
        contradictingIds: ["f2"],
        failingIds: [],
      },
      {
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
      },
    ]);
  });

  it("tells level changes with the confidence of the components", async () => {
    const log = await logOf(
      reviewed("parts", 8, {
        confidence: 0.9,
        reasons: [
          { text: "a", confidence: 0.25 },
          { text: "b", confidence: 0.75 },
        ],
      }),
      reviewed("whole", 40, { confidence: 0.5 }),
      reviewed("none", 100),
      reviewed("young", 1),
    );
    await log.write((writer) => writer.setLevels([{ id: "whole", level: "summary" }]));
    const changes = await log.read((reader) => reader.levelChanges(view, {}));
    expect(changes.map(({ id, from, to, confidence }) => ({ id, from, to, confidence }))).toEqual([
      { id: "none", from: "full", to: "wisdom", confidence: undefined },
      { id: "parts", from: "full", to: "summary", confidence: { least: 0.25, spread: 0.5 } },
      { id: "whole", from: "summary", to: "digest", confidence: { least: 0.5, spread: 0 } },
    ]);
  });
});

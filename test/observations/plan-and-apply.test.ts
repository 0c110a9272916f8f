import { describe, expect, it } from "vitest";
import { applyObservationCompaction } from "../../src/observations/compaction/apply-observation-compaction.ts";
import {
  type PlanCompactionRequest,
  planObservationCompaction,
} from "../../src/observations/compaction/plan-observation-compaction.ts";
import { restoreObservations } from "../../src/observations/compaction/restore-observations.ts";
import type { ObservationStore } from "../../src/observations/observation-store.ts";
import { createExtractiveSummarizer } from "../../src/summaries/record.ts";
import type { SummaryRequest } from "../../src/summaries/summarizer.ts";
import { verifies } from "../requirements/verifies.ts";
import { DIFFERENT } from "../similarity/pairs.ts";
import { allRows, count, liveIds, longNote, NOW, type Note, storeOf } from "./grouping/rows.ts";

const now = NOW;

function plan(store: ObservationStore, request: Partial<PlanCompactionRequest> = {}) {
  const summarizer = createExtractiveSummarizer();
  return planObservationCompaction(store, { olderThanDays: 30, summarizer, count, ...request }, { now });
}

const topic = (family: string, numbers: readonly number[]): readonly Note[] =>
  numbers.map((number) => ({ title: `Note ${number}`, content: longNote(number), topic_key: `${family}/n${number}` }));

describe("copies of a fact", () => {
  it("leave in favour of one row, and a second run finds nothing to do", async () => {
    verifies("field/repeating-removes-both");
    const contents = [
      "Keep the lock",
      "keep the lock.",
      "- Keep **the** lock",
      "Use 3 workers",
      "Use three workers",
      "Use 4 workers",
    ];
    for (const order of [contents, [...contents].reverse()]) {
      const store = await storeOf(order.map((content) => ({ content })));
      const first = await plan(store);
      expect(first.groups.map(({ ids }) => ids.length).sort()).toEqual([1, 2]);
      const report = await applyObservationCompaction(store, first, { now });
      expect(report).toMatchObject({ deleted: 3, refused: [] });
      const live = (await allRows(store)).filter(({ deleted_at }) => deleted_at === null);
      expect(live).toHaveLength(3);
      const second = await plan(store);
      expect(second.groups).toEqual([]);
      expect(await applyObservationCompaction(store, second, { now })).toMatchObject({ applied: [], deleted: 0 });
    }
  });

  it("are never texts that differ in a fact, however long what they share", async () => {
    verifies("field/different-facts-merged", "rulings/false-duplicate-guard");
    const frame = "The team agreed on this after the review and wrote it down so that nobody has to ask again. ".repeat(
      6,
    );
    const pairs = Object.values(DIFFERENT).flat();
    const notes = pairs.flatMap(([a, b], at) =>
      [a, b].map((text) => ({ title: `pair ${at}`, content: `${frame}\n\n${text}\n\n${frame}` })),
    );
    const store = await storeOf(notes);
    const { groups, left } = await plan(store);
    expect(groups).toEqual([]);
    expect(left.ungrouped).toBe(notes.length);
    expect(left.look_alikes.count).toBeGreaterThan(pairs.length / 2);
    expect(left.look_alikes.pairs.length).toBe(20);
  });

  it("are not sought across projects, spellings of a project, scopes and namespaces", async () => {
    const content = "Keep the lock";
    const store = await storeOf([
      { content },
      { content, project: "P" },
      { content, project: null },
      { content, scope: "personal" },
      { content, namespace: "n" },
      { content, title: "Other title" },
    ]);
    expect((await plan(store)).groups).toEqual([]);
  });

  it("are never chained from one to the next", async () => {
    verifies("field/different-facts-merged");
    const words = Array.from({ length: 40 }, (_, i) => `word${i}`);
    const chain = [0, 1, 2].map((from) => words.slice(from, from + 38).join(" "));
    const store = await storeOf(chain.map((content) => ({ content })));
    const { groups, left } = await plan(store);
    expect(groups).toEqual([]);
    expect(left.look_alikes.count).toBeGreaterThanOrEqual(2);
  });

  it("come back whole", async () => {
    const store = await storeOf([
      { content: "Keep the lock" },
      { content: "keep the lock" },
      { content: "**keep** the lock!" },
    ]);
    const before = await allRows(store);
    const report = await applyObservationCompaction(store, await plan(store), { now });
    const [group] = report.applied;
    expect(await liveIds(store)).toEqual([3]);
    const relations = await store.read((rows) => rows.relations([3]));
    expect(relations.map(({ from_id, to_id, type }) => [from_id, to_id, type])).toEqual([
      [3, 1, "compacted_from"],
      [3, 2, "compacted_from"],
    ]);
    await restoreObservations(store, { summaryId: group?.restore.summary_id }, { now });
    expect(await allRows(store)).toEqual(before);
  });
});

describe("notes of a topic", () => {
  it("leave in favour of a summary that cites each", async () => {
    verifies("rulings/no-model-needed");
    const store = await storeOf([...topic("sdd/payments", [1, 2, 3, 4]), ...topic("other", [5, 6])]);
    const made = await plan(store);
    expect(made.groups).toHaveLength(1);
    const [group] = made.groups;
    if (group?.kind !== "topic") throw new Error("no topic group");
    expect(group).toMatchObject({
      family: "sdd/payments",
      ids: [1, 2, 3, 4],
      project: "p",
      scope: "project",
      namespace: null,
    });
    expect(group.summary).toMatchObject({
      title: "Compacted 4 notes on sdd/payments (2026-01-10)",
      source: "extractive",
    });
    for (const id of group.ids) expect(group.summary.content).toContain(`[#${id}] Note ${id}`);
    expect(group.summary.content).not.toMatch(/777|passages|archive|assistant/);
    expect(group.tokens_after).toBe(count(`${group.summary.title}\n\n${group.summary.content}`));
    expect(group.tokens_after).toBeLessThan(group.tokens_before * 0.75);

    const report = await applyObservationCompaction(store, JSON.parse(JSON.stringify(made)), { now });
    expect(report).toMatchObject({
      deleted: 4,
      refused: [],
      tokens_before: group.tokens_before,
      tokens_after: group.tokens_after,
    });
    const summary = (await allRows(store)).find(({ type }) => type === "compaction_summary");
    expect(summary).toMatchObject({
      title: group.summary.title,
      content: group.summary.content,
      id: report.applied[0]?.stands_for,
      project: "p",
    });
    expect((await plan(store)).groups).toEqual([]);
    const again = await planObservationCompaction(
      store,
      { olderThanDays: 30, summarizer: createExtractiveSummarizer(), count },
      { now: now + 90 * 86_400_000 },
    );
    expect(again.groups).toEqual([]);
    expect(again.left.summaries).toBe(1);
  });

  it("keep their figures, also those that look like a citation", async () => {
    const figures = ["budget limit = 777.1 USD", "invoice total = 778.3 EUR", "error code 777.2 stops the pump"];
    const notes = topic("pump/costs", [1, 2, 3]).map((note, at) => ({
      ...note,
      content: `${figures[at]}. ${note.content}`,
    }));
    const [group] = (await plan(await storeOf(notes))).groups;
    if (group?.kind !== "topic") throw new Error("no topic group");
    for (const figure of ["777.1", "778.3", "777.2"]) expect(group.summary.content).toContain(figure);
    expect(group.summary.content).not.toMatch(/#\d+ (?:USD|EUR)/);
  });

  it("keep each its own value of what all of them name", async () => {
    const ports = { prod: 5432, staging: 5433, dev: 5434 };
    const notes = Object.entries(ports).map(([name, port], at) => ({
      ...topic("db", [at + 1])[0],
      title: `Database of ${name}`,
      content: `The port is ${port}. ${topic("db", [at + 1])[0]?.content}`,
    }));
    const [group] = (await plan(await storeOf(notes as Note[]))).groups;
    if (group?.kind !== "topic") throw new Error("no topic group");
    for (const port of Object.values(ports)) expect(group.summary.content).toContain(String(port));
    expect(group.summary.content).not.toContain("in force");
  });

  it("take their copies along, each row in one group", async () => {
    const rows = topic("a", [1, 2, 3]);
    const store = await storeOf([...rows, ...rows, { ...(rows[0] as Note), topic_key: null }]);
    const { groups } = await plan(store);
    expect(groups.map(({ kind, ids }) => [kind, ids.toSorted((a, b) => a - b)])).toEqual([
      ["topic", [1, 2, 3, 4, 5, 6, 7]],
    ]);
    expect(groups[0]).toMatchObject({ summary: { title: "Compacted 7 notes on a (2026-01-10)" } });
  });

  it("stay where a summary would be no shorter, with a second run saying the same", async () => {
    const short = [1, 2, 3].map((n) => ({ title: `t${n}`, content: `short note ${n}`, topic_key: `a/${n}` }));
    const store = await storeOf([...short, short[0] as Note]);
    const first = await plan(store);
    expect(first.groups.map(({ kind }) => kind)).toEqual(["near_duplicates"]);
    expect(first.left.not_beneficial).toEqual([{ family: "a", ids: [2, 3, 4] }]);
    await applyObservationCompaction(store, first, { now });
    const second = await plan(store);
    expect(second.groups).toEqual([]);
    expect(second.left).toMatchObject({ not_beneficial: [{ family: "a", ids: [2, 3, 4] }], ungrouped: 3 });
  });

  it("are put to a model as records with their ids, and none is asked while applying", async () => {
    const asked: SummaryRequest[] = [];
    const summarizer = {
      kind: "model" as const,
      async summarize(request: SummaryRequest) {
        asked.push(request);
        return { text: `## Notes\n- The queue was rebuilt [${request.passages[0]?.id}]`, source: "model" as const };
      },
    };
    const store = await storeOf(topic("a", [1, 2, 3]));
    const made = await plan(store, { summarizer, redact: (text) => text.replaceAll("queue", "line") });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.passages.map(({ source, at }) => [source, at])).toEqual(
      Array(3).fill(["record", "2026-01-10T08:00:00.000Z"]),
    );
    expect(asked[0]?.passages.every(({ text }) => text.startsWith("Note ") && !text.includes("queue"))).toBe(true);
    expect(made.groups[0]).toMatchObject({
      summary: { source: "model", content: expect.stringContaining("rebuilt [#1]") },
    });
    await applyObservationCompaction(store, made, { now });
    expect(asked).toHaveLength(1);
  });
});

describe("what is left alone", () => {
  it("is counted: living rows, summaries, unreadable times, young rows", async () => {
    const content = "Keep the lock";
    const store = await storeOf([
      { content },
      { content, updated_at: "2026-05-30 00:00:00" },
      { content, last_seen_at: "2026-05-30T00:00:00Z" },
      { content, type: "compaction_summary" },
      { content, created_at: "soon", updated_at: "2026-01-01 00:00:00" },
      { content, updated_at: "soon" },
      { content, created_at: "2026-05-20 00:00:00" },
    ]);
    const { groups, left, totals } = await plan(store);
    expect(left).toMatchObject({ living: 2, summaries: 1, unreadable: 2, ungrouped: 0 });
    // The newest kept one is a living document; only the first row may leave.
    expect(groups).toMatchObject([{ kind: "near_duplicates", kept: 3, ids: [1] }]);
    expect(totals).toMatchObject({ groups: 1, rows: 1 });
  });

  it("is what the filter does not name", async () => {
    const content = "Keep the lock";
    const store = await storeOf([{ content }, { content }, { content, project: "q" }, { content, project: "q" }]);
    expect((await plan(store, { project: "q", scope: " PROJECT " })).groups).toMatchObject([{ kept: 4, ids: [3] }]);
    expect((await plan(store, { scope: "personal" })).groups).toEqual([]);
    expect((await plan(store, { groups: ["topic"] })).groups).toEqual([]);
    await expect(plan(store, { olderThanDays: 0 })).rejects.toMatchObject({ kind: "InvalidInput" });
  });
});

describe("applying a plan", () => {
  it("refuses the groups whose rows changed since, and goes on with the others", async () => {
    const contents = ["a one", "a two", "a three", "a four", "a five"];
    const store = await storeOf([...contents, ...contents].map((content) => ({ content })));
    const made = await plan(store);
    expect(made.groups.map(({ ids, rows }) => [ids, rows.length])).toEqual([
      [[1], 2],
      [[2], 2],
      [[3], 2],
      [[4], 2],
      [[5], 2],
    ]);
    await store.write(async (rows) => {
      await rows.changeObservations([1], { content: "a one and more" });
      await rows.changeObservations([7], { updated_at: "2026-05-31 00:00:00" });
      await rows.changeObservations([3], { deleted_at: "2026-05-31 00:00:00" });
      await rows.removeObservation(9);
    });
    const report = await applyObservationCompaction(store, made, { now });
    expect(report.refused.map(({ group, code, ids }) => [group, code, ids])).toEqual([
      [0, "STALE_PLAN", [1]],
      [1, "STALE_PLAN", [2]],
      [2, "STALE_PLAN", [3]],
      [3, "STALE_PLAN", [4]],
    ]);
    expect(report.refused[1]?.message).toContain("observation 7 has changed");
    expect(report.applied).toMatchObject([{ ids: [5], stands_for: 10, deleted: 1, restore: { summary_id: 10 } }]);
    expect(report.deleted).toBe(1);
    expect(await liveIds(store)).toEqual([1, 2, 4, 6, 7, 8, 10]);
  });

  it("does nothing twice", async () => {
    const store = await storeOf([{ content: "a" }, { content: "a" }, ...topic("t", [1, 2, 3])]);
    const made = await plan(store);
    expect((await applyObservationCompaction(store, made, { now })).deleted).toBe(4);
    const rows = await allRows(store);
    const report = await applyObservationCompaction(store, made, { now: now + 1000 });
    expect(report.refused.map(({ code }) => code)).toEqual(["STALE_PLAN", "STALE_PLAN"]);
    expect(await allRows(store)).toEqual(rows);
  });

  it("leaves a group whole when its summary cannot be stored", async () => {
    const store = await storeOf(topic("t", [1, 2, 3]));
    const made = await plan(store);
    const failing: ObservationStore = {
      ...store,
      write: (work) =>
        store.write((rows) =>
          work({
            ...rows,
            addObservation: async () => {
              throw new Error("the disk is full");
            },
          }),
        ),
    };
    const before = await allRows(store);
    await expect(applyObservationCompaction(failing, made, { now })).rejects.toThrow("the disk is full");
    expect(await allRows(store)).toEqual(before);
  });

  it("refuses what is no plan before anything is written", async () => {
    const store = await storeOf([{ content: "a" }, { content: "a" }]);
    const made = JSON.parse(JSON.stringify(await plan(store)));
    const [group] = made.groups;
    const wrong = [
      undefined,
      [],
      { ...made, version: 1 },
      { ...made, part: "decisions" },
      { ...made, groups: [] },
      { ...made, groups: [{ ...group, project: "q" }] },
      { ...made, groups: [{ ...group, ids: ["1"] }] },
      { ...made, groups: [{ ...group, ids: [1, 1] }] },
      { ...made, groups: [{ ...group, kept: 1 }] },
      { ...made, groups: [{ ...group, rows: [] }] },
      { ...made, groups: [{ ...group, kind: "other" }] },
    ];
    for (const value of wrong) {
      await expect(applyObservationCompaction(store, value, { now })).rejects.toMatchObject({ code: "INVALID_PLAN" });
    }
    expect(await liveIds(store)).toEqual([1, 2]);
  });
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compactObservations } from "../../../src/observations/compaction/compact-observations.ts";
import { restoreObservations } from "../../../src/observations/compaction/restore-observations.ts";
import type { ObservationStore } from "../../../src/observations/observation-store.ts";
import { getObservation } from "../../../src/observations/reading/get-observation.ts";
import { memoryContext, memoryStats, memoryTimeline } from "../../../src/observations/reading/memory-overview.ts";
import { searchObservations } from "../../../src/observations/reading/search-observations.ts";
import { countTokens } from "../../mcp/tools/tool-context.ts";
import { verifies } from "../../requirements/verifies.ts";
import { daysAgo, NOW, row, seed } from "../rows.ts";
import { stores } from "../stores.ts";
import { newPrompt, newRelation } from "../suite/sample-rows.ts";

describe.each(stores)("reading the %s store", (_, open) => {
  let store: ObservationStore;
  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store.close());

  const compact = (ids: readonly number[], summaryTitle?: string) =>
    compactObservations(
      store,
      { olderThanDays: 30, ids: ids, ...(summaryTitle && { summaryTitle, summaryContent: "Kept" }) },
      { now: NOW },
    );
  const relate = (pairs: readonly (readonly [number, number, string])[]) =>
    store.write(async (rows) => {
      for (const [from, to, type] of pairs) await rows.addRelation(newRelation(from, to, { type, note: "why" }));
    });
  const remove = (id: number) =>
    store.write((rows) => rows.changeObservations([id], { deleted_at: "2026-02-20 00:00:00" }));

  describe("getObservation", () => {
    it("gives relations in both directions and the graph to a depth", async () => {
      const [a = 0, b = 0, c = 0, d = 0, e = 0] = await seed(
        store,
        "abcde".split("").map((title) => row({ title })),
      );
      await relate([
        [a, b, "implements"],
        [c, a, "depends_on"],
        [b, d, "relates_to"],
        [d, e, "relates_to"],
        [e, a, "relates_to"],
      ]);
      const read = await getObservation(store, { id: a, depth: 1 });
      expect(read.observation.title).toBe("a");
      expect(read.relations.map((one) => [one.direction, one.neighbour.id, one.relation.type])).toEqual([
        ["to", b, "implements"],
        ["from", c, "depends_on"],
        ["from", e, "relates_to"],
      ]);
      expect(read.graph.nodes.map(({ id, depth }) => [id, depth])).toEqual([
        [b, 1],
        [c, 1],
        [e, 1],
      ]);
      const deeper = await getObservation(store, { id: b, depth: 2 });
      expect(deeper.graph.nodes.map(({ id, depth }) => [id, depth])).toEqual([
        [a, 1],
        [d, 1],
        [c, 2],
        [e, 2],
      ]);
      expect((await getObservation(store, { id: a })).graph.nodes).toEqual([]);
    });

    it("names deleted neighbours without their text, and goes no further through them", async () => {
      const [a = 0, b = 0, c = 0, d = 0] = await seed(
        store,
        ["a", "secret b", "secret c", "secret d"].map((title) => row({ title })),
      );
      await relate([
        [a, b, "relates_to"],
        [a, c, "relates_to"],
        [b, d, "relates_to"],
      ]);
      const { summaryId } = await compact([b], "Summary");
      await remove(c);
      const read = await getObservation(store, { id: a, depth: 5 });
      expect(read.graph.nodes.map(({ id, isDeleted, compactedInto }) => [id, isDeleted, compactedInto])).toEqual([
        [b, true, [summaryId]],
        [c, true, []],
      ]);
      expect(JSON.stringify(read)).not.toContain("secret");
    });

    it("stops at a graph too large to read, and says so", async () => {
      const ids = await seed(
        store,
        Array.from({ length: 300 }, () => row()),
      );
      const [hub = 0, ...others] = ids;
      await relate(others.map((id) => [hub, id, "relates_to"]));
      const { graph, relations } = await getObservation(store, { id: hub, depth: 1 });
      expect([graph.nodes.length, graph.isBounded, relations.length]).toEqual([200, true, 299]);
    });

    it("shows what a summary stands for, and what stands for a row, until it is restored", async () => {
      verifies("values/search-trace-and-restore");
      const ids = await seed(store, [row({ content: "alpha" }), row({ content: "beta" }), row({ content: "other" })]);
      const order = [ids[1] ?? 0, ids[0] ?? 0];
      const { summaryId = 0 } = await compact(order, "Digest of greek");
      expect((await searchObservations(store, { query: "alpha" })).total).toBe(0);
      expect((await searchObservations(store, { query: "greek" })).total).toBe(1);
      const summary = await getObservation(store, { id: summaryId });
      expect([...summary.compactedFrom].sort()).toEqual([...order].sort());
      expect(summary.relations).toEqual([]);
      const compacted = await getObservation(store, { id: order[0] ?? 0, includeCompacted: true });
      expect([compacted.compactedInto, compacted.compactedFrom]).toEqual([[summaryId], []]);
      await restoreObservations(store, { ids: order }, { now: NOW });
      expect((await searchObservations(store, { query: "alpha" })).total).toBe(1);
      expect((await getObservation(store, { id: order[0] ?? 0 })).compactedInto).toEqual([]);
      await expect(restoreObservations(store, { ids: order }, { now: NOW })).rejects.toMatchObject({
        kind: "Conflict",
      });
    });

    it("refuses unknown and deleted ids with what to do", async () => {
      const ids = await seed(store, [row(), row()]);
      const { summaryId } = await compact(ids.slice(0, 1), "Summary");
      await remove(ids[1] ?? 0);
      await expect(getObservation(store, { id: ids[0] ?? 0 })).rejects.toMatchObject({
        kind: "NotFound",
        message: expect.stringContaining(`compacted into observation ${summaryId}`),
        data: { compacted_into: [summaryId] },
      });
      await expect(getObservation(store, { id: ids[1] ?? 0 })).rejects.toMatchObject({
        kind: "NotFound",
        hint: expect.stringContaining("among compacted rows"),
      });
      await expect(getObservation(store, { id: 999, includeCompacted: true })).rejects.toMatchObject({
        kind: "NotFound",
        message: expect.stringContaining("999"),
      });
      for (const id of [0, -1, 1.5, Number.NaN, 2 ** 53 + 2]) {
        await expect(getObservation(store, { id })).rejects.toMatchObject({ kind: "InvalidInput" });
      }
      for (const depth of [-1, 6, 0.5, Number.NaN]) {
        await expect(getObservation(store, { id: summaryId ?? 0, depth })).rejects.toMatchObject({
          kind: "InvalidInput",
          message: expect.stringContaining("depth"),
        });
      }
    });
  });

  describe("memoryContext", () => {
    it("gives 5 sessions, 10 prompts and the newest live observations of the filter", async () => {
      const rows = Array.from({ length: 30 }, (_, index) =>
        row({ title: `t${index}`, session_id: `s${index % 8}`, created_at: daysAgo(100 - index) }),
      );
      const ids = await seed(store, [...rows, row({ project: "depot", session_id: "other", created_at: daysAgo(0) })]);
      await store.write(async (writer) => {
        for (let index = 0; index < 12; index++) {
          await writer.addPrompt(
            newPrompt({ session_id: "s0", content: `p${index}`, created_at: daysAgo(50 - index) }),
          );
        }
      });
      await remove(ids[29] ?? 0);
      const context = await memoryContext(store, { project: "shop" });
      expect(context.sessions.map(({ id }) => id)).toEqual(["s7", "s6", "s5", "s4", "s3"]);
      expect(context.prompts.map(({ content }) => content)).toEqual(
        Array.from({ length: 10 }, (_, index) => `p${11 - index}`),
      );
      expect(context.observations.map(({ title }) => title)).toEqual(
        Array.from({ length: 20 }, (_, index) => `t${28 - index}`),
      );
      expect(context.total).toBe(29);
      const second = await memoryContext(store, { project: "shop", offset: 20 });
      expect([second.sessions, second.prompts, second.observations.length]).toEqual([[], [], 9]);
      expect((await memoryContext(store)).total).toBe(30);
      expect((await memoryContext(store, { scope: "personal" })).total).toBe(0);
    });

    it("is empty on an empty store", async () => {
      expect(await memoryContext(store)).toEqual({ sessions: [], prompts: [], observations: [], total: 0 });
    });
  });

  describe("memoryTimeline", () => {
    it("gives the live neighbours of the same session by id", async () => {
      const ids = await seed(store, [
        ...Array.from({ length: 8 }, () => row({ session_id: "s" })),
        row({ session_id: "other" }),
        row({ session_id: "s" }),
      ]);
      await remove(ids[2] ?? 0);
      const line = await memoryTimeline(store, { observationId: ids[4] ?? 0, before: 2, after: 4 });
      expect(line.before.map(({ id }) => id)).toEqual([ids[1], ids[3]]);
      expect(line.after.map(({ id }) => id)).toEqual([ids[5], ids[6], ids[7], ids[9]]);
      expect([line.total, line.session?.id, line.observation.id]).toEqual([8, "s", ids[4]]);
      const alone = await memoryTimeline(store, { observationId: ids[4] ?? 0, before: 0, after: 0 });
      expect([alone.before, alone.after, alone.total]).toEqual([[], [], 8]);
      const usual = await memoryTimeline(store, { observationId: ids[9] ?? 0, before: -1 });
      expect(usual.before).toHaveLength(5);
    });

    it("refuses unknown and deleted rows", async () => {
      const [id = 0] = await seed(store, [row()]);
      await remove(id);
      await expect(memoryTimeline(store, { observationId: id })).rejects.toMatchObject({ code: "OBSERVATION_DELETED" });
      await expect(memoryTimeline(store, { observationId: 77 })).rejects.toMatchObject({
        code: "OBSERVATION_NOT_FOUND",
      });
    });
  });

  describe("memoryStats", () => {
    it("counts live rows, deleted ones, summaries and relations; tokens only when asked", async () => {
      const ids = await seed(store, [row({ content: "alpha" }), row({ content: "beta" }), row({ project: "depot" })]);
      await compact(ids.slice(0, 2), "Summary");
      const stats = await memoryStats(store);
      expect(stats).toEqual({
        sessions: 1,
        observations: 2,
        prompts: 0,
        deleted: 2,
        summaries: 1,
        relations: 2,
        projects: ["depot", "shop"],
      });
      const summary = await store.read((rows) => rows.list({ filter: {}, standing: "live", limit: 10, offset: 0 }));
      const expected = summary.reduce((sum, { title, content }) => sum + countTokens(`${title}\n${content}`), 0);
      expect((await memoryStats(store, { count: countTokens })).tokens).toBe(expected);
    });

    it("counts the tokens of more rows than a page holds", async () => {
      await seed(
        store,
        Array.from({ length: 1201 }, () => row()),
      );
      expect((await memoryStats(store, { count: () => 1 })).tokens).toBe(1201);
    });
  });
});

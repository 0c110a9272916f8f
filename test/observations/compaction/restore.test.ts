import { describe, expect, it } from "vitest";
import { compactObservations, compactRows } from "../../../src/observations/compaction/compact-observations.ts";
import { type RestoreRequest, restoreObservations } from "../../../src/observations/compaction/restore-observations.ts";
import type { ObservationStore } from "../../../src/observations/observation-store.ts";
import { verifies } from "../../requirements/verifies.ts";
import { daysAgo, everyRow, liveIds, NOW, row, seed } from "../rows.ts";
import { stores } from "../stores.ts";

const restore = (store: ObservationStore, request: RestoreRequest) => restoreObservations(store, request, { now: NOW });

async function compact(store: ObservationStore, ids: readonly number[]): Promise<number> {
  const request = { olderThanDays: 30, ids, summaryTitle: "Compacted notes", summaryContent: "together" };
  return (await compactObservations(store, request, { now: NOW })).summaryId ?? 0;
}

const live = async (store: ObservationStore) => (await everyRow(store)).filter(({ deleted_at }) => deleted_at === null);

describe.each(stores)("restoring observations in the %s store", (_name, open) => {
  it("by the summary gives back the very rows, and the summary leaves", async () => {
    const store = await open();
    const ids = await seed(store, [row({ topic_key: "a" }), row({ last_seen_at: daysAgo(40) }), row()]);
    const before = await live(store);
    const summaryId = await compact(store, ids);
    expect(await restore(store, { summaryId })).toEqual({
      restored: ids,
      retired: [summaryId],
      remaining: [],
      empty: [],
      sameTopic: [],
    });
    expect(await live(store)).toEqual(before);
  });

  it("by all ids does the same", async () => {
    const store = await open();
    const ids = await seed(store, [row(), row()]);
    const before = await live(store);
    const summaryId = await compact(store, ids);
    expect(await restore(store, { ids: JSON.stringify(ids) })).toMatchObject({ retired: [summaryId] });
    expect(await live(store)).toEqual(before);
  });

  it("by some ids leaves the summary to stand for the others", async () => {
    const store = await open();
    const [a = 0, b = 0, c = 0] = await seed(store, [row(), row(), row()]);
    const summaryId = await compact(store, [a, b, c]);
    expect(await restore(store, { ids: [b] })).toMatchObject({
      restored: [b],
      retired: [],
      remaining: [{ id: summaryId, standsFor: 2 }],
    });
    expect(await liveIds(store)).toEqual([b, summaryId]);
    expect(await restore(store, { summaryId })).toMatchObject({ restored: [a, c], retired: [summaryId] });
    expect(await liveIds(store)).toEqual([a, b, c]);
  });

  it("a second time is refused, and changes nothing", async () => {
    const store = await open();
    const ids = await seed(store, [row()]);
    const summaryId = await compact(store, ids);
    await restore(store, { ids });
    const before = await everyRow(store);
    await expect(restore(store, { ids })).rejects.toMatchObject({ kind: "Conflict", data: { ids } });
    await expect(restore(store, { summaryId })).rejects.toMatchObject({ code: "NOTHING_TO_RESTORE" });
    await expect(restore(store, { ids: [...ids, 77] })).rejects.toMatchObject({
      kind: "NotFound",
      data: { ids: [77] },
    });
    await expect(restore(store, { summaryId: 77 })).rejects.toMatchObject({ kind: "NotFound" });
    expect(await everyRow(store)).toEqual(before);
  });

  it("needs ids or a summary, not both and not neither", async () => {
    const store = await open();
    for (const request of [{}, { ids: [1], summaryId: 2 }, { ids: "x" }, { ids: [] }]) {
      await expect(restore(store, request)).rejects.toMatchObject({ kind: "InvalidInput" });
    }
  });

  it("gives back rows that nobody stands for", async () => {
    const store = await open();
    const [id = 0] = await seed(store, [row({ deleted_at: daysAgo(1) })]);
    expect(await restore(store, { ids: [id] })).toMatchObject({ restored: [id], retired: [], remaining: [] });
    expect(await liveIds(store)).toEqual([id]);
  });

  it("keeps a row that stood for its duplicates", async () => {
    const store = await open();
    const [kept = 0, twin = 0] = await seed(store, [row(), row()]);
    await store.write((rows) => compactRows(rows, { ids: [twin], by: { kept }, now: NOW }));
    expect(await liveIds(store)).toEqual([kept]);
    expect(await restore(store, { summaryId: kept })).toMatchObject({ restored: [twin], retired: [] });
    expect(await liveIds(store)).toEqual([kept, twin]);
  });

  it("goes down through a summary of summaries", async () => {
    const store = await open();
    const ids = await seed(store, [row(), row()]);
    const first = await compact(store, ids);
    const second = await compact(store, [first]);
    expect(await restore(store, { summaryId: first })).toMatchObject({ restored: ids, retired: [] });
    expect(await liveIds(store)).toEqual([...ids, second]);
    expect(await restore(store, { summaryId: second })).toMatchObject({
      restored: [],
      empty: [first],
      retired: [second],
    });
  });

  it("ends where it began, in whatever order nested compactions are undone", async () => {
    for (const order of ["rows first", "inner first", "outer first"]) {
      const store = await open();
      const [a = 0, b = 0, c = 0] = await seed(store, [row(), row(), row()]);
      const before = await live(store);
      const inner = await compact(store, [a, b]);
      const outer = await compact(store, [inner, c]);
      if (order === "rows first") {
        await restore(store, { ids: [a] });
        await restore(store, { ids: [b] });
      }
      if (order === "inner first") await restore(store, { summaryId: inner });
      const undone = await restore(store, { summaryId: outer });
      if (order === "outer first") await restore(store, { summaryId: inner });
      else expect(undone).toMatchObject({ restored: [c], empty: [inner], retired: [outer] });
      expect(await live(store), order).toEqual(before);
    }
  });

  it("names a restored row whose topic is taken by now", async () => {
    const store = await open();
    const [old = 0] = await seed(store, [row({ topic_key: "plan" })]);
    await compact(store, [old]);
    const [fresh = 0] = await seed(store, [row({ topic_key: "plan", updated_at: daysAgo(1) })]);
    expect(await restore(store, { ids: [old] })).toMatchObject({ sameTopic: [{ id: old, other: fresh }] });
  });

  it("works round after round", async () => {
    verifies("field/trace-to-originals-lost");
    const store = await open();
    const ids = await seed(store, [row(), row(), row()]);
    const before = await live(store);
    for (let round = 0; round < 4; round++) {
      const summaryId = await compact(store, ids);
      const relations = await store.read((rows) => rows.relations([summaryId]));
      expect(relations.map(({ to_id }) => to_id)).toEqual(ids);
      await restore(store, { summaryId });
      expect(await live(store)).toEqual(before);
    }
  });
});

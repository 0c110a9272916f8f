import { describe, expect, it } from "vitest";
import { compactObservations } from "../../../src/observations/compaction/compact-observations.ts";
import { COMPACTED_FROM, storedTime } from "../../../src/observations/observation.ts";
import type { ObservationStore } from "../../../src/observations/observation-store.ts";
import {
  deleteObservation,
  type UpdateObservationRequest,
  updateObservation,
} from "../../../src/observations/saving/change-observation.ts";
import { normalizedHash } from "../../../src/observations/saving/stored-text.ts";

import { everyRow, NOW, row, seed } from "../rows.ts";
import { stores } from "../stores.ts";

const update = (store: ObservationStore, request: UpdateObservationRequest) =>
  updateObservation(store, request, { now: NOW });
const remove = (store: ObservationStore, id: number, isHard?: boolean) =>
  deleteObservation(store, { id, isHard }, { now: NOW });

describe.each(stores)("updating an observation in the %s store", (_name, open) => {
  it("changes what is given and leaves the rest", async () => {
    const store = await open();
    const [id = 0, other = 0] = await seed(store, [row({ topic_key: "t" }), row({ content: "b" })]);
    const [before, untouched] = await everyRow(store);
    const updated = await update(store, { id, content: "New <private>x</private> text", scope: "PERSONAL" });
    expect(updated).toEqual({
      ...before,
      content: "New [REDACTED] text",
      normalized_hash: normalizedHash("New [REDACTED] text"),
      scope: "personal",
      revision_count: 2,
      updated_at: storedTime(NOW),
    });
    expect(await everyRow(store)).toEqual([updated, untouched]);
    expect(untouched?.id).toBe(other);
    await store.close();
  });

  it("clears project and topic key by an empty text", async () => {
    const store = await open();
    const [id = 0] = await seed(store, [row({ topic_key: "t" })]);
    expect(await update(store, { id, project: "", topicKey: " " })).toMatchObject({ project: null, topic_key: null });
    expect((await everyRow(store))[0]).toMatchObject({ project: null, topic_key: null, title: "Note" });
    await store.close();
  });

  it.each(["title", "content", "type", "scope"] as const)("does not clear %s", async (field) => {
    const store = await open();
    const [id = 0] = await seed(store, [row()]);
    const before = await everyRow(store);
    await expect(update(store, { id, [field]: " " })).rejects.toMatchObject({
      kind: "InvalidInput",
      message: expect.stringContaining(`'${field}'`),
    });
    expect(await everyRow(store)).toEqual(before);
    await store.close();
  });

  it("wants something to change", async () => {
    const store = await open();
    const [id = 0] = await seed(store, [row()]);
    await expect(update(store, { id })).rejects.toMatchObject({ code: "NO_CHANGES" });
    expect((await everyRow(store))[0]?.revision_count).toBe(1);
    await store.close();
  });

  it("refuses unknown, impossible and deleted ids by name, and never changes a dead row", async () => {
    const store = await open();
    const [dead = 0] = await seed(store, [row({ deleted_at: storedTime(NOW) })]);
    const before = await everyRow(store);
    const changing = (id: number) => update(store, { id, title: "New" });
    await expect(changing(999)).rejects.toMatchObject({ kind: "NotFound", message: expect.stringContaining("999") });
    await expect(changing(dead)).rejects.toMatchObject({
      kind: "Conflict",
      message: expect.stringContaining(String(dead)),
    });
    for (const id of [0, -1, 1.5, Number.NaN, 2 ** 53])
      await expect(changing(id)).rejects.toMatchObject({
        kind: "InvalidInput",
        message: expect.stringContaining("'id'"),
      });
    expect(await everyRow(store)).toEqual(before);
    await store.close();
  });

  it("does not make a second live row of a topic", async () => {
    const store = await open();
    const [first = 0, second = 0, elsewhere = 0] = await seed(store, [
      row({ topic_key: "t" }),
      row({ content: "b" }),
      row({ content: "c", topic_key: "t", project: "other" }),
    ]);
    const before = await everyRow(store);
    const conflict = { kind: "Conflict", message: expect.stringContaining(`observation ${first}`) };
    await expect(update(store, { id: second, topicKey: "T" })).rejects.toMatchObject(conflict);
    await expect(update(store, { id: elsewhere, project: "shop" })).rejects.toMatchObject(conflict);
    expect(await everyRow(store)).toEqual(before);
    expect((await update(store, { id: first, topicKey: "t", title: "Same topic" })).title).toBe("Same topic");
    await store.close();
  });
});

describe.each(stores)("deleting an observation in the %s store", (_name, open) => {
  it("sets deleted_at and nothing else", async () => {
    const store = await open();
    const [id = 0] = await seed(store, [row()]);
    const [before] = await everyRow(store);
    expect(await remove(store, id)).toEqual({ id, isHard: false, stoodFor: [] });
    expect(await everyRow(store)).toEqual([{ ...before, deleted_at: storedTime(NOW) }]);
    await store.close();
  });

  it("removes for good where that is asked for, a dead row too", async () => {
    const store = await open();
    const [live = 0, dead = 0] = await seed(store, [row(), row({ content: "b", deleted_at: storedTime(NOW) })]);
    expect(await remove(store, live, true)).toEqual({ id: live, isHard: true, stoodFor: [] });
    await remove(store, dead, true);
    expect(await everyRow(store)).toEqual([]);
    await store.close();
  });

  it("refuses unknown ids and those deleted already", async () => {
    const store = await open();
    const [id = 0] = await seed(store, [row()]);
    await remove(store, id);
    const before = await everyRow(store);
    await expect(remove(store, id)).rejects.toMatchObject({
      kind: "Conflict",
      message: expect.stringContaining(`${id}`),
    });
    await expect(remove(store, 999)).rejects.toMatchObject({ kind: "NotFound" });
    await expect(remove(store, 999, true)).rejects.toMatchObject({ kind: "NotFound" });
    expect(await everyRow(store)).toEqual(before);
    await store.close();
  });

  it("names the rows a summary stood for: they stay deleted", async () => {
    const store = await open();
    const ids = await seed(store, [row(), row({ content: "b" })]);
    const request = { olderThanDays: 30, ids, summaryTitle: "Both", summaryContent: "a and b" };
    const { summaryId = 0 } = await compactObservations(store, request, { now: NOW });
    expect(await remove(store, summaryId, true)).toEqual({ id: summaryId, isHard: true, stoodFor: ids });
    expect((await everyRow(store)).map(({ deleted_at }) => deleted_at === null)).toEqual([false, false]);
    expect((await store.read((rows) => rows.relations(ids))).filter(({ type }) => type === COMPACTED_FROM)).toEqual([]);
    await store.close();
  });
});

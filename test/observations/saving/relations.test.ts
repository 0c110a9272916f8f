import { describe, expect, it } from "vitest";
import { compactObservations } from "../../../src/observations/compaction/compact-observations.ts";
import { storedTime } from "../../../src/observations/observation.ts";
import type { ObservationStore } from "../../../src/observations/observation-store.ts";
import { type RelateRequest, relate, unrelate } from "../../../src/observations/saving/relations.ts";
import { NOW, row, seed } from "../rows.ts";
import { stores } from "../stores.ts";

const add = async (store: ObservationStore, request: Partial<RelateRequest>) =>
  relate(store, { fromId: 1, toId: 2, type: "supersedes", ...request }, { now: NOW });

describe.each(stores)("relating observations in the %s store", (_name, open) => {
  const three = async () => {
    const store = await open();
    const [a = 0, b = 0, dead = 0] = await seed(store, [
      row(),
      row({ content: "b" }),
      row({ content: "c", deleted_at: storedTime(NOW) }),
    ]);
    const everyRelation = () => store.read((rows) => rows.relations([a, b, dead]));
    return { store, a, b, dead, everyRelation };
  };

  it("writes one, or both ways", async () => {
    const { store, a, b, everyRelation } = await three();
    const one = await add(store, { fromId: a, toId: b, type: " caused_by ", note: "why" });
    const created_at = storedTime(NOW);
    expect(one).toEqual([{ id: one[0]?.id, from_id: a, to_id: b, type: "caused_by", note: "why", created_at }]);
    const both = await add(store, { fromId: a, toId: b, isBidirectional: true });
    expect(both.map(({ from_id, to_id }) => [from_id, to_id])).toEqual([
      [a, b],
      [b, a],
    ]);
    expect(await everyRelation()).toEqual([...one, ...both]);
    await store.close();
  });

  it("refuses one to itself, of a blank type, or of the type that compaction writes", async () => {
    const { store, a, b, everyRelation } = await three();
    const refused = { kind: "InvalidInput" };
    await expect(add(store, { fromId: a, toId: a })).rejects.toMatchObject({ ...refused, code: "SELF_RELATION" });
    await expect(add(store, { fromId: a, toId: b, type: " " })).rejects.toMatchObject(refused);
    await expect(add(store, { fromId: a, toId: b, type: "compacted_from" })).rejects.toMatchObject(refused);
    await expect(add(store, { fromId: a, toId: 1.5 })).rejects.toMatchObject(refused);
    expect(await everyRelation()).toEqual([]);
    await store.close();
  });

  it("refuses unknown and deleted ends by name", async () => {
    const { store, a, dead, everyRelation } = await three();
    for (const [fromId, toId] of [
      [a, 999],
      [999, a],
    ] as const)
      await expect(add(store, { fromId, toId })).rejects.toMatchObject({
        kind: "NotFound",
        message: expect.stringContaining("999"),
      });
    for (const [fromId, toId] of [
      [a, dead],
      [dead, a],
    ] as const)
      await expect(add(store, { fromId, toId })).rejects.toMatchObject({
        kind: "Conflict",
        message: expect.stringContaining(`${dead}`),
      });
    expect(await everyRelation()).toEqual([]);
    await store.close();
  });

  it("refuses one that exists, and then writes neither way of two", async () => {
    const { store, a, b, everyRelation } = await three();
    const [known] = await add(store, { fromId: b, toId: a });
    const conflict = { kind: "Conflict", message: expect.stringContaining(`relation ${known?.id}`) };
    await expect(add(store, { fromId: b, toId: a })).rejects.toMatchObject(conflict);
    await expect(add(store, { fromId: a, toId: b, isBidirectional: true })).rejects.toMatchObject(conflict);
    expect(await everyRelation()).toEqual([known]);
    await store.close();
  });

  it("removes one by its id, once", async () => {
    const { store, a, b, everyRelation } = await three();
    const [relation] = await add(store, { fromId: a, toId: b });
    const id = relation?.id ?? 0;
    expect(await unrelate(store, { id })).toEqual(relation);
    expect(await everyRelation()).toEqual([]);
    await expect(unrelate(store, { id })).rejects.toMatchObject({
      kind: "NotFound",
      message: expect.stringContaining(`${id}`),
    });
    await expect(unrelate(store, { id: 0 })).rejects.toMatchObject({ kind: "InvalidInput" });
    await store.close();
  });

  it("keeps what says which rows a summary stands for", async () => {
    const { store, a, b, everyRelation } = await three();
    const request = { olderThanDays: 30, ids: [a, b], summaryTitle: "Both", summaryContent: "a and b" };
    await compactObservations(store, request, { now: NOW });
    const before = await everyRelation();
    expect(before).toHaveLength(2);
    await expect(unrelate(store, { id: before[0]?.id ?? 0 })).rejects.toMatchObject({ kind: "Conflict" });
    expect(await everyRelation()).toEqual(before);
    await store.close();
  });
});

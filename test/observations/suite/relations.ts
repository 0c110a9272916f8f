// Relations: unique by ends and type, gone with either end.
import { describe, expect, it } from "vitest";
import type { ObservationStore } from "../../../src/observations/observation-store.ts";
import { addObservations, deepFreeze, newRelation } from "./sample-rows.ts";

export function describeRelations(current: () => ObservationStore): void {
  describe("relations", () => {
    it("come back as they were written, from either end, ascending", async () => {
      const store = current();
      const [a = 0, b = 0, c = 0] = await addObservations(store, [{}, {}, {}]);
      const [first, second] = await store.write(async (rows) => [
        await rows.addRelation(deepFreeze(newRelation(a, b, { note: "why", type: "caused_by" }))),
        await rows.addRelation(newRelation(b, c)),
      ]);
      const expected = { id: first, ...newRelation(a, b, { note: "why", type: "caused_by" }) };
      expect(await store.read((rows) => rows.relation(first ?? 0))).toStrictEqual(expected);
      const idsOf = async (ids: readonly number[]) =>
        (await store.read((rows) => rows.relations(ids))).map((row) => row.id);
      expect(await idsOf([a])).toEqual([first]);
      expect(await idsOf([c, b])).toEqual([first, second]);
      expect(await idsOf([])).toEqual([]);
      expect((await store.read((rows) => rows.relationsAfter(first ?? 0, 5))).map((row) => row.id)).toEqual([second]);
    });

    it("are not written twice; another type or the other way is another relation", async () => {
      const store = current();
      const [a = 0, b = 0] = await addObservations(store, [{}, {}]);
      const add = (from: number, to: number, type: string) =>
        store.write((rows) => rows.addRelation(newRelation(from, to, { type })));
      expect(await add(a, b, "x")).toBeTypeOf("number");
      expect(await add(a, b, "x")).toBeUndefined();
      expect(await add(b, a, "x")).toBeTypeOf("number");
      expect(await add(a, b, "y")).toBeTypeOf("number");
      expect((await store.read((rows) => rows.totals())).relations).toBe(3);
    });

    it("need both ends", async () => {
      const store = current();
      const [a = 0] = await addObservations(store, [{}]);
      for (const [from, to] of [
        [a, 999],
        [999, a],
      ] as const)
        await expect(store.write((rows) => rows.addRelation(newRelation(from, to)))).rejects.toMatchObject({
          kind: "StoreFailed",
        });
    });

    it("are removed once and can be written again under a new id", async () => {
      const store = current();
      const [a = 0, b = 0] = await addObservations(store, [{}, {}]);
      const id = (await store.write((rows) => rows.addRelation(newRelation(a, b)))) ?? 0;
      const remove = () => store.write((rows) => rows.removeRelation(id));
      expect([await remove(), await remove()]).toEqual([true, false]);
      expect(await store.read((rows) => rows.relation(id))).toBeUndefined();
      expect(await store.write((rows) => rows.addRelation(newRelation(a, b)))).toBeGreaterThan(id);
    });

    it("go with either of their rows, and stay when a row is only soft-deleted", async () => {
      const store = current();
      const [a = 0, b = 0, c = 0] = await addObservations(store, [{}, {}, {}]);
      await store.write(async (rows) => {
        await rows.addRelation(newRelation(a, b));
        await rows.addRelation(newRelation(b, c));
        await rows.addRelation(newRelation(a, c));
        await rows.changeObservations([a], { deleted_at: "2031-03-02 00:00:00" });
      });
      expect(await store.read((rows) => rows.relations([a, b, c]))).toHaveLength(3);
      await store.write((rows) => rows.removeObservation(b));
      expect((await store.read((rows) => rows.relations([a, b, c]))).map((row) => [row.from_id, row.to_id])).toEqual([
        [a, c],
      ]);
    });
  });
}

// Observations: every column as it was written, ids that are never used twice, changes, removal.
import { describe, expect, it } from "vitest";
import type { Observation } from "../../../src/observations/observation.ts";
import type { ObservationStore } from "../../../src/observations/observation-store.ts";
import { addObservations, allObservations, deepFreeze, newObservation } from "./sample-rows.ts";

const FULL = {
  session_id: "session-7",
  type: "bugfix",
  title: 'A "title" with quotes; and 日本語',
  content: "line one\nline two\t\u{1F600} é e\u0301 ".concat("x".repeat(5000)),
  tool_name: "editor",
  project: "shop",
  scope: "personal",
  topic_key: "bug/one",
  normalized_hash: "0".repeat(64),
  revision_count: 3,
  duplicate_count: 4,
  last_seen_at: "2031-03-02T01:02:03.004Z",
  created_at: "2031-03-01T14:30:00+05:00",
  updated_at: "1930204799",
  deleted_at: "2031-03-05",
};

export function describeRows(current: () => ObservationStore): void {
  describe("observations", () => {
    it("come back as they were written, column by column", async () => {
      const store = current();
      const [id = 0] = await addObservations(store, [FULL]);
      const [row] = await store.read((rows) => rows.observations([id]));
      expect(row).toStrictEqual({ id, ...newObservation(FULL) });
    });

    it("keep a namespace where the store has them", async ({ skip }) => {
      const store = current();
      if (!(await store.read(async (rows) => rows.hasNamespaces))) skip();
      const [id = 0] = await addObservations(store, [{ namespace: "team/a" }]);
      expect((await store.read((rows) => rows.observations([id])))[0]?.namespace).toBe("team/a");
    });

    it("are read in the order asked for, deleted ones too, unknown ones left out", async () => {
      const store = current();
      const [first = 0, second = 0] = await addObservations(store, [{}, { deleted_at: "2031-03-02 00:00:00" }]);
      const rows = await store.read((reader) => reader.observations([second, 999, first]));
      expect(rows.map((row) => row.id)).toEqual([second, first]);
      expect(await store.read((reader) => reader.observations([]))).toEqual([]);
    });

    it("may be asked for by more ids than a statement takes values", async () => {
      const store = current();
      const [id = 0] = await addObservations(store, [{}]);
      const ids = Array.from({ length: 5000 }, (_, index) => id + 4999 - index);
      expect((await store.read((reader) => reader.observations(ids))).map((row) => row.id)).toEqual([id]);
    });

    it("need their session", async () => {
      const store = current();
      await expect(
        store.write((rows) => rows.addObservation(newObservation({ session_id: "nobody" }))),
      ).rejects.toMatchObject({ kind: "StoreFailed", message: expect.stringContaining("nobody") });
      expect(await allObservations(store)).toEqual([]);
    });

    it("take a given id, refuse one in use, and never use one twice", async () => {
      const store = current();
      const [given = 0, next = 0] = await addObservations(store, [{ id: 40 }, {}]);
      expect([given, next]).toEqual([40, 41]);
      await expect(addObservations(store, [{ id: 40 }])).rejects.toMatchObject({ kind: "StoreFailed" });
      await store.write((rows) => rows.removeObservation(next));
      const [after = 0] = await addObservations(store, [{}]);
      expect(after).toBeGreaterThan(next);
    });

    it("change in the columns given and in no other", async () => {
      const store = current();
      const [first = 0, second = 0, third = 0] = await addObservations(store, [{ topic_key: "a" }, {}, {}]);
      const changed = await store.write((rows) =>
        rows.changeObservations([first, second, 999], { title: "New", topic_key: null, revision_count: 2 }),
      );
      expect(changed).toBe(2);
      const change = { title: "New", topic_key: null, revision_count: 2 };
      expect(await allObservations(store)).toStrictEqual([
        { ...newObservation(change), id: first },
        { ...newObservation(change), id: second },
        { ...newObservation(), id: third },
      ]);
    });

    it("are soft-deleted and restored to exactly what they were", async () => {
      const store = current();
      const [id = 0] = await addObservations(store, [{}]);
      const before = await allObservations(store);
      await store.write((rows) => rows.changeObservations([id], { deleted_at: "2031-04-01 00:00:00" }));
      expect((await allObservations(store))[0]?.deleted_at).toBe("2031-04-01 00:00:00");
      await store.write((rows) => rows.changeObservations([id], { deleted_at: null }));
      expect(await allObservations(store)).toStrictEqual(before);
    });

    it("change by the hundreds in one call", async () => {
      const store = current();
      const ids = await addObservations(
        store,
        Array.from({ length: 1200 }, () => ({})),
      );
      const changed = await store.write((rows) => rows.changeObservations(ids, { deleted_at: "2031-04-01 00:00:00" }));
      expect(changed).toBe(1200);
      expect(await store.read((rows) => rows.count({}, "live"))).toBe(0);
    });

    it("are removed for good, once", async () => {
      const store = current();
      const [id = 0] = await addObservations(store, [{}]);
      const remove = () => store.write((rows) => rows.removeObservation(id));
      expect([await remove(), await remove()]).toEqual([true, false]);
      expect(await allObservations(store)).toEqual([]);
    });

    it("are the store's own: neither frozen inputs nor changed results touch them", async () => {
      const store = current();
      const input = deepFreeze({ ...FULL });
      const [id = 0] = await addObservations(store, [input]);
      await store.write((rows) => rows.changeObservations(deepFreeze([id]), deepFreeze({ title: "New" })));
      const [row] = await store.read((rows) => rows.observations([id]));
      try {
        (row as { -readonly [Key in keyof Observation]: Observation[Key] }).title = "changed outside";
      } catch {
        // Frozen rows are as good as copies.
      }
      expect((await store.read((rows) => rows.observations([id])))[0]?.title).toBe("New");
    });

    it("are exported in pages, ascending", async () => {
      const store = current();
      const ids = await addObservations(store, [{ id: 30 }, { id: 10, deleted_at: "2031-03-02" }, { id: 20 }]);
      expect(ids).toEqual([30, 10, 20]);
      const pageAfter = async (id: number) =>
        (await store.read((rows) => rows.observationsAfter(id, 2))).map((row) => row.id);
      expect([await pageAfter(0), await pageAfter(20), await pageAfter(30)]).toEqual([[10, 20], [30], []]);
    });
  });
}

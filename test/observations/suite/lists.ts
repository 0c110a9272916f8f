// Lists, counts, topics, repetitions, neighbours and totals: what is filtered, and in which order.
import { describe, expect, it } from "vitest";
import type { ObservationFilter, ObservationStore, RowStatus } from "../../../src/observations/observation-store.ts";
import { addObservations, newPrompt, newRelation, newSession } from "./sample-rows.ts";

const DELETED = "2031-03-09 00:00:00";

export function describeLists(current: () => ObservationStore): void {
  describe("lists and counts", () => {
    it("show the newest first by real time, equals by id, unreadable times last", async () => {
      const store = current();
      await addObservations(store, [
        { title: "yesterday", created_at: "yesterday" },
        { title: "offset", created_at: "2031-03-01T14:30:00+05:00" },
        { title: "noon", created_at: "2031-03-01 12:00:00" },
        { title: "noon again", created_at: "2031-03-01T12:00:00Z" },
        { title: "evening", created_at: "2031-03-01 23:00:00" },
        { title: "next day", created_at: "2031-03-02" },
      ]);
      const list = (limit: number, offset: number) =>
        store.read((rows) => rows.list({ filter: {}, standing: "live", limit, offset }));
      const titles = (await list(10, 0)).map((row) => row.title);
      expect(titles).toEqual(["next day", "evening", "noon again", "noon", "offset", "yesterday"]);
      expect((await list(2, 3)).map((row) => row.title)).toEqual(["noon", "offset"]);
    });

    it.each<readonly [ObservationFilter, RowStatus, readonly string[]]>([
      [{}, "live", ["a", "b", "c"]],
      [{}, "deleted", ["d"]],
      [{}, "any", ["a", "b", "c", "d"]],
      [{ project: "shop" }, "live", ["a", "b"]],
      [{ project: "SHOP" }, "live", []],
      [{ project: "shop", scope: "personal" }, "live", ["b"]],
      [{ type: "bugfix" }, "any", ["c", "d"]],
      [{ project: "shop", scope: "project", type: "bugfix" }, "deleted", ["d"]],
    ])("filter by %o, %s", async (filter, standing, expected) => {
      const store = current();
      await addObservations(store, [
        { title: "a" },
        { title: "b", scope: "personal" },
        { title: "c", project: null, type: "bugfix" },
        { title: "d", type: "bugfix", deleted_at: DELETED },
      ]);
      const rows = await store.read((reader) => reader.list({ filter, standing, limit: 10, offset: 0 }));
      expect(rows.map((row) => row.title).sort()).toEqual(expected);
      expect(await store.read((reader) => reader.count(filter, standing))).toBe(expected.length);
    });

    it("filter by namespace where the store has them", async ({ skip }) => {
      const store = current();
      if (!(await store.read(async (rows) => rows.hasNamespaces))) skip();
      await addObservations(store, [{ namespace: "a" }, { namespace: "b" }, {}]);
      expect(await store.read((rows) => rows.count({ namespace: "a" }, "live"))).toBe(1);
      expect(await store.read((rows) => rows.count({}, "live"))).toBe(3);
    });
  });

  describe("a topic", () => {
    it("is its live row of that place, null only where null is asked for", async () => {
      const store = current();
      const ids = await addObservations(store, [
        { topic_key: "t", deleted_at: DELETED },
        { topic_key: "t" },
        { topic_key: "t", project: null },
        { topic_key: "t", scope: "personal" },
        { topic_key: "u" },
      ]);
      const find = async (key: string, project: string | null, scope: string) =>
        (await store.read((rows) => rows.ofTopic(key, project, scope, null)))?.id;
      expect(await find("t", "shop", "project")).toBe(ids[1]);
      expect(await find("t", null, "project")).toBe(ids[2]);
      expect(await find("t", "shop", "personal")).toBe(ids[3]);
      expect(await find("t", "other", "project")).toBeUndefined();
    });

    it("is the latest updated by real time where other writers left several", async () => {
      const store = current();
      const ids = await addObservations(store, [
        { topic_key: "t", updated_at: "2031-03-01 23:00:00" },
        { topic_key: "t", updated_at: "2031-03-01T09:00:00Z" },
      ]);
      expect((await store.read((rows) => rows.ofTopic("t", "shop", "project", null)))?.id).toBe(ids[0]);
    });

    it("is of one namespace where the store has them", async ({ skip }) => {
      const store = current();
      if (!(await store.read(async (rows) => rows.hasNamespaces))) skip();
      const [inside, outside] = await addObservations(store, [{ topic_key: "t", namespace: "n" }, { topic_key: "t" }]);
      expect((await store.read((rows) => rows.ofTopic("t", "shop", "project", "n")))?.id).toBe(inside);
      expect((await store.read((rows) => rows.ofTopic("t", "shop", "project", null)))?.id).toBe(outside);
    });
  });

  describe("repetitions", () => {
    it("are equal in all that is asked for, newest first", async () => {
      const store = current();
      const ids = await addObservations(store, [
        { created_at: "2031-03-01 11:00:00" },
        { created_at: "2031-03-01T10:59:59Z" },
        { normalized_hash: "other" },
        { normalized_hash: null },
        { type: "bugfix" },
        { title: "Another" },
        { project: null },
        { scope: "personal" },
        { deleted_at: DELETED },
      ]);
      const query = {
        normalized_hash: "hash",
        project: "shop",
        scope: "project",
        type: "decision",
        title: "A title",
        namespace: null,
      };
      const find = async (changes: Partial<typeof query> | { readonly project: null }, standing: RowStatus) =>
        (await store.read((rows) => rows.equals({ ...query, ...changes }, standing))).map((row) => row.id);
      expect(await find({}, "live")).toEqual([ids[0], ids[1]]);
      expect(await find({}, "any")).toEqual([ids[8], ids[0], ids[1]]);
      expect(await find({ project: null }, "live")).toEqual([ids[6]]);
    });
  });

  describe("neighbours", () => {
    it("are the nearest live rows of the session, ascending, without the row itself", async () => {
      const store = current();
      const ids = await addObservations(store, [
        {},
        {},
        { deleted_at: DELETED },
        {},
        {},
        { session_id: "session-2" },
        {},
        {},
      ]);
      const around = async (before: number, after: number) => {
        const found = await store.read((rows) => rows.around(ids[4] ?? 0, "session-1", before, after));
        return [found.before.map((row) => row.id), found.after.map((row) => row.id), found.total];
      };
      expect(await around(2, 1)).toEqual([[ids[1], ids[3]], [ids[6]], 6]);
      expect(await around(9, 9)).toEqual([[ids[0], ids[1], ids[3]], [ids[6], ids[7]], 6]);
      expect(await around(0, 0)).toEqual([[], [], 6]);
    });
  });

  describe("totals", () => {
    it("count every table and name the projects of live rows", async () => {
      const store = current();
      expect(await store.read((rows) => rows.totals())).toEqual({
        sessions: 0,
        observations: 0,
        prompts: 0,
        deleted: 0,
        relations: 0,
        projects: [],
      });
      const [a = 0, b = 0] = await addObservations(store, [
        { project: "zebra" },
        { project: "apple" },
        { project: "zebra" },
        { project: null },
        { project: "gone", deleted_at: DELETED },
      ]);
      await store.write(async (rows) => {
        await rows.addSession(newSession({ id: "session-2" }));
        await rows.addPrompt(newPrompt());
        await rows.addRelation(newRelation(a, b));
      });
      expect(await store.read((rows) => rows.totals())).toEqual({
        sessions: 2,
        observations: 4,
        prompts: 1,
        deleted: 1,
        relations: 1,
        projects: ["apple", "zebra"],
      });
    });
  });
}

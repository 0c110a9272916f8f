// Stale rows: times of every shape compared as times, a strict boundary, pages, ages, what cannot be read.
import { describe, expect, it } from "vitest";
import type { ObservationStore, StaleQuery } from "../../../src/observations/observation-store.ts";
import { DAY_MS } from "../../../src/time.ts";
import { verifies } from "../../requirements/verifies.ts";
import { addObservations } from "./sample-rows.ts";

const NOW = Date.UTC(2031, 2, 31, 12);
const BEFORE = NOW - 30 * DAY_MS;
/** Times around the boundary of 30 days, each in another shape; true where it is stale. */
const SHAPES: readonly (readonly [written: string, isStale: boolean])[] = [
  ["2031-03-01 11:59:59", true],
  ["2031-03-01 12:00:01", false],
  ["2031-03-01T12:00:00.000Z", false],
  ["2031-03-01T11:00:00", true],
  ["2031-03-01T14:30:00+05:00", true],
  [String(BEFORE / 1000 - 5), true],
  [String(BEFORE + 5), false],
  [String(BEFORE - 1), true],
  ["yesterday", false],
  ["", false],
  ["2031-02-30 00:00:00", false],
  ["2031-03-01", true],
];

export function describeStale(current: () => ObservationStore): void {
  describe("stale rows", () => {
    const stale = (query: Partial<StaleQuery> = {}) =>
      current().read((rows) => rows.stale({ filter: {}, before: BEFORE, limit: 100, ...query }));

    it("are found by real time in every shape, and come in its order", async () => {
      verifies("field/age-compared-as-text", "rulings/reading-times");
      const ids = await addObservations(
        current(),
        SHAPES.map(([created_at]) => ({ created_at })),
      );
      expect((await stale()).map((row) => row.created_at)).toEqual([
        "2031-03-01",
        "2031-03-01T14:30:00+05:00",
        "2031-03-01T11:00:00",
        String(BEFORE / 1000 - 5),
        "2031-03-01 11:59:59",
        String(BEFORE - 1),
      ]);
      const survey = await current().read((rows) => rows.surveyStale({}, [BEFORE]));
      expect(survey).toEqual({ total: 6, byAge: [6], unreadable: { count: 3, ids: ids.slice(8, 11) } });
    });

    it("are strictly older: the boundary itself is not", async () => {
      await addObservations(current(), [{ created_at: "2031-03-01 12:00:00" }]);
      expect(await stale()).toEqual([]);
      expect(await stale({ before: BEFORE + 1 })).toHaveLength(1);
    });

    it("are of a session, and of a topic with what stands below it", async () => {
      const old = { created_at: "2030-01-01 00:00:00" };
      const keys = ["plan", "plan/berths", "plan/berths/speed", "planned", "plan-b/x", "other/plan", null];
      const ids = await addObservations(
        current(),
        keys.map((topic_key, at) => ({ ...old, topic_key, ...(at < 3 ? {} : { project: "other" }) })),
      );
      const found = async (filter: StaleQuery["filter"]) => {
        const rows = (await stale({ filter })).map(({ id }) => id);
        const { total } = await current().read((reader) => reader.surveyStale(filter, [BEFORE]));
        expect([total, await current().read((reader) => reader.count(filter, "live"))]).toEqual([
          rows.length,
          rows.length,
        ]);
        return rows;
      };
      expect(await found({ topic: "plan" })).toEqual(ids.slice(0, 3));
      expect(await found({ topic: "plan/berths" })).toEqual(ids.slice(1, 3));
      expect(await found({ topic: "plan", project: "other" })).toEqual([]);
      expect(await found({ topic: "plan", type: "decision", scope: "project", project: "shop" })).toEqual(
        ids.slice(0, 3),
      );
      const { session_id = "" } = (await stale())[0] ?? {};
      expect(await found({ session_id, topic: "plan" })).toEqual(ids.slice(0, 3));
      expect(await found({ session_id: "elsewhere" })).toEqual([]);
    });

    it("are live rows of the filter", async () => {
      const old = { created_at: "2030-01-01 00:00:00" };
      const ids = await addObservations(current(), [
        old,
        { ...old, deleted_at: "2031-03-09 00:00:00" },
        { ...old, project: "other" },
        { ...old, scope: "personal" },
        { ...old, type: "bugfix" },
      ]);
      const found = async (filter: StaleQuery["filter"]) => (await stale({ filter })).map((row) => row.id);
      expect(await found({})).toEqual([ids[0], ids[2], ids[3], ids[4]]);
      expect(await found({ project: "other" })).toEqual([ids[2]]);
      expect(await found({ project: "shop", scope: "personal" })).toEqual([ids[3]]);
      expect(await found({ type: "bugfix" })).toEqual([ids[4]]);
      const survey = await current().read((rows) => rows.surveyStale({ project: "shop" }, [BEFORE]));
      expect(survey.total).toBe(3);
    });

    it("are paged by time and id, equals in the order of their ids", async () => {
      const store = current();
      const ids = await addObservations(store, [
        { created_at: "2031-01-02 00:00:00" },
        { created_at: "2031-01-02T00:00:00Z" },
        { created_at: "2031-01-01 00:00:00" },
        { created_at: "2031-01-02T02:00:00+02:00" },
        { created_at: "2031-01-03 00:00:00.250" },
      ]);
      const second = Date.UTC(2031, 0, 2);
      expect((await stale({ limit: 2 })).map((row) => row.id)).toEqual([ids[2], ids[0]]);
      const next = await stale({ limit: 2, after: { createdAt: second, id: ids[0] ?? 0 } });
      expect(next.map((row) => row.id)).toEqual([ids[1], ids[3]]);
      const last = await stale({ after: { createdAt: second, id: ids[3] ?? 0 } });
      expect(last.map((row) => row.id)).toEqual([ids[4]]);
      expect(await stale({ after: { createdAt: second + DAY_MS + 250, id: ids[4] ?? 0 } })).toEqual([]);
    });

    it("are counted by age, the bounds strict at their older end", async () => {
      const ages = [31, 45, 60, 61, 95, 200, 400];
      await addObservations(
        current(),
        ages.map((days) => ({ created_at: new Date(NOW - days * DAY_MS).toISOString() })),
      );
      const bounds = [30, 60, 90, 180, 365].map((days) => NOW - days * DAY_MS);
      const survey = await current().read((rows) => rows.surveyStale({}, bounds));
      expect(survey).toEqual({ total: 7, byAge: [3, 1, 1, 1, 1], unreadable: { count: 0, ids: [] } });
    });

    it("leave out unreadable times and name at most twenty of them", async () => {
      const ids = await addObservations(
        current(),
        Array.from({ length: 23 }, () => ({ created_at: "some day" })),
      );
      const { unreadable, total } = await current().read((rows) => rows.surveyStale({}, [BEFORE]));
      expect([total, unreadable.count, unreadable.ids]).toEqual([0, 23, ids.slice(0, 20)]);
    });
  });
}

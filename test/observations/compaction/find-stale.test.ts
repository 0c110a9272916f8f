import { describe, expect, it } from "vitest";
import {
  findStaleObservations,
  identifyStaleObservations,
  type StaleRequest,
} from "../../../src/observations/compaction/find-stale.ts";
import { SUMMARY_TYPE } from "../../../src/observations/observation.ts";
import type { ObservationStore } from "../../../src/observations/observation-store.ts";
import { verifies } from "../../requirements/verifies.ts";
import { daysAgo, NOW, row, seed } from "../rows.ts";
import { stores } from "../stores.ts";

const find = (store: ObservationStore, request: Partial<StaleRequest> = {}, now = NOW) =>
  identifyStaleObservations(store, { olderThanDays: 30, ...request }, { now });
const idsOf = async (store: ObservationStore, request: Partial<StaleRequest> = {}, now = NOW) =>
  (await find(store, request, now)).candidates.map(({ row: { id } }) => id);

describe.each(stores)("stale observations of the %s store", (_name, open) => {
  it("are strictly older than so many times 24 hours", async () => {
    verifies("values/staleness-boundary-at-thirty-days");
    const store = await open();
    const [, older] = await seed(store, [
      row({ created_at: "2026-01-30 00:00:00" }),
      row({ created_at: "2026-01-29 23:59:59" }),
    ]);
    expect(await idsOf(store)).toEqual([older]);
  });

  it("are compared by real time, whatever shape another writer gave it", async () => {
    verifies("field/age-compared-as-text");
    const store = await open();
    const now = Date.UTC(2031, 2, 31, 12);
    const shapes = [
      "2031-03-01 11:59:59",
      "2031-03-01 12:00:01",
      "2031-03-01T12:00:00.000Z",
      "2031-03-01T14:30:00+05:00",
      String(Date.UTC(2031, 2, 1, 11) / 1000),
      String(Date.UTC(2031, 2, 1, 10)),
      "yesterday",
      "2031-02-30 00:00:00",
    ];
    const ids = await seed(
      store,
      shapes.map((created_at) => row({ created_at, updated_at: "2031-01-01 00:00:00" })),
    );
    const found = await find(store, {}, now);
    // The two of 09:30 and 10:00 come before the one of 11:00 and the one a second before the boundary.
    expect(found.candidates.map(({ row: { id } }) => id)).toEqual([ids[3], ids[5], ids[4], ids[0]]);
    expect(found.total).toBe(4);
    expect(found.unreadable).toEqual({ count: 2, ids: [ids[6], ids[7]] });
    expect(await idsOf(store, { olderThanDays: 0.5 }, now)).toHaveLength(6);
  });

  it("come oldest first, equals by id, fifty unless asked, two hundred at most", async () => {
    verifies("values/stale-list-limits", "observations/find-stale-observations");
    const store = await open();
    const ids = await seed(
      store,
      Array.from({ length: 205 }, () => row({ created_at: daysAgo(40) })),
    );
    for (const limit of [undefined, 0, -1]) expect(await idsOf(store, { limit })).toEqual(ids.slice(0, 50));
    expect(await idsOf(store, { limit: 120 })).toEqual(ids.slice(0, 120));
    expect(await idsOf(store, { limit: 500 })).toEqual(ids.slice(0, 200));
    expect((await find(store)).total).toBe(205);
  });

  it("are found without the totals too, the same ones", async () => {
    const store = await open();
    await seed(store, [row(), row({ created_at: daysAgo(50) }), row({ created_at: daysAgo(2) })]);
    const request = { olderThanDays: 30, limit: 1 };
    const { olderThanDays, filter, candidates, hasMore } = await find(store, request);
    const found = await findStaleObservations(store, request, { now: NOW });
    expect(found).toEqual({ olderThanDays, filter, candidates, hasMore });
    expect(found).toMatchObject({ hasMore: true, candidates: [{ ageDays: 50 }] });
  });

  it("page on from the last one", async () => {
    const store = await open();
    const ids = await seed(
      store,
      Array.from({ length: 7 }, (_, index) => row({ created_at: daysAgo(90 - Math.floor(index / 3)) })),
    );
    const seen: number[] = [];
    for (let after: StaleRequest["after"]; ; ) {
      const { candidates, hasMore } = await find(store, { limit: 2, after });
      seen.push(...candidates.map(({ row: { id } }) => id));
      const last = candidates.at(-1);
      if (!hasMore || last === undefined) break;
      after = { createdAt: last.createdAt, id: last.row.id };
    }
    expect(seen).toEqual(ids);
  });

  it("are counted by age", async () => {
    verifies("values/age-buckets");
    const store = await open();
    await seed(
      store,
      [31, 45, 61, 95, 200, 400].map((days) => row({ created_at: daysAgo(days) })),
    );
    const { ages, total } = await find(store);
    expect(ages).toEqual([
      { days: "30-60", count: 2 },
      { days: "60-90", count: 1 },
      { days: "90-180", count: 1 },
      { days: "180-365", count: 1 },
      { days: "365+", count: 1 },
    ]);
    expect(total).toBe(6);
    expect((await find(store, { olderThanDays: 1 })).ages[0]).toEqual({ days: "0-30", count: 0 });
    expect((await find(store, { olderThanDays: 366 })).ages).toEqual([{ days: "365+", count: 1 }]);
  });

  it("show a snippet of a hundred whole characters", async () => {
    verifies("values/snippet-by-code-point");
    const store = await open();
    const short = "y".repeat(99);
    await seed(store, [
      row({ content: `${"界".repeat(100)}x` }),
      row({ content: short }),
      row({ content: "😀".repeat(101) }),
    ]);
    const snippets = (await find(store)).candidates.map(({ snippet }) => snippet);
    expect(snippets).toEqual(["界".repeat(100), short, "😀".repeat(100)]);
  });

  it("are those of a project, a scope or a namespace, and of all when none is named", async () => {
    verifies("observations/find-stale-observations");
    const store = await open();
    const [shared, personal, other] = await seed(store, [row(), row({ scope: "personal" }), row({ project: "bank" })]);
    expect(await idsOf(store)).toEqual([shared, personal, other]);
    for (const scope of ["PERSONAL", " Personal "]) expect(await idsOf(store, { scope })).toEqual([personal]);
    expect(await idsOf(store, { scope: "", project: " " })).toEqual([shared, personal, other]);
    expect(await idsOf(store, { project: "shop", scope: "project" })).toEqual([shared]);
    expect(await idsOf(store, { project: "Shop" })).toEqual([]);
    expect((await find(store, { project: "bank" })).total).toBe(1);
  });

  it("mark what is still being updated and what stands for others", async () => {
    const store = await open();
    await seed(store, [
      row({ created_at: daysAgo(90), updated_at: daysAgo(0) }),
      row({ created_at: daysAgo(80), last_seen_at: daysAgo(3.5) }),
      row({ created_at: daysAgo(70), type: SUMMARY_TYPE }),
      row({ created_at: daysAgo(60) }),
    ]);
    const { candidates } = await find(store);
    expect(candidates.map(({ updatedDaysAgo, isSummary, ageDays }) => [updatedDaysAgo, isSummary, ageDays])).toEqual([
      [0, false, 90],
      [3, false, 80],
      [undefined, true, 70],
      [undefined, false, 60],
    ]);
  });

  it("leave out what is deleted", async () => {
    const store = await open();
    await seed(store, [row({ deleted_at: daysAgo(1) })]);
    expect(await find(store)).toMatchObject({ candidates: [], total: 0, hasMore: false });
  });

  it.each([0, -5, Number.NaN, "abc", undefined, null, "30 days", 1e9, {}])(
    "refuse the age %j by name",
    async (olderThanDays) => {
      verifies("values/age-threshold-errors");
      const store = await open();
      await expect(find(store, { olderThanDays })).rejects.toThrow(/'older_than_days'/);
    },
  );

  it.each([0.5, 1.5, "0.5", "30"])("take %j for an age", async (olderThanDays) => {
    const store = await open();
    await seed(store, [row()]);
    expect(await idsOf(store, { olderThanDays })).toHaveLength(1);
  });
});

import { describe, expect, it } from "vitest";
import { compactObservations } from "../../../src/observations/compaction/compact-observations.ts";
import { COMPACTED_FROM, DEFAULT_SESSION, SUMMARY_TYPE } from "../../../src/observations/observation.ts";
import type { ObservationStore } from "../../../src/observations/observation-store.ts";
import { searchWords } from "../../../src/observations/search-words.ts";
import { createRedactor } from "../../../src/redaction/redactor.ts";
import { createCallbackSink } from "../../../src/trace/callback-sink.ts";
import type { CompactEvent } from "../../../src/trace/compact-event.ts";
import { createTrace } from "../../../src/trace/emit.ts";
import { verifies } from "../../requirements/verifies.ts";
import { daysAgo, everyRow, liveIds, NOW, row, seed } from "../rows.ts";
import { stores } from "../stores.ts";
import { all, compact, refused, SUMMARY } from "./compacting.ts";

describe.each(stores)("compacting observations in the %s store", (_name, open) => {
  it("counts before, deleted and after", async () => {
    verifies("observations/execution-response");
    const store = await open();
    const [first = 0, second = 0, third = 0] = await seed(store, [row(), row(), row()]);
    expect(await compact(store, { ids: [first, second] })).toMatchObject({ before: 3, deleted: 2, after: 1 });
    expect(await liveIds(store)).toEqual([third]);
  });

  it("puts a summary in their place", async () => {
    verifies("values/compact-counts", "observations/summary-metadata", "observations/goal-atomic-batch");
    const store = await open();
    const [first = 0, second = 0] = await seed(store, [row(), row(), row()]);
    const result = await compact(store, { ids: [first, second], project: "shop", ...SUMMARY });
    expect(result).toMatchObject({ before: 3, deleted: 2, after: 2 });
    const summary = (await everyRow(store)).at(-1);
    expect(summary).toMatchObject({
      id: result.summaryId,
      type: SUMMARY_TYPE,
      title: SUMMARY.summaryTitle,
      content: SUMMARY.summaryContent,
      project: "shop",
      scope: "project",
      topic_key: null,
      created_at: "2026-03-01 00:00:00",
      deleted_at: null,
    });
  });

  it.each([
    [["personal", "personal"], "personal"],
    [["personal", "project"], "project"],
  ])("gives the summary of rows of %j the scope %s", async (scopes, scope) => {
    const store = await open();
    const ids = await seed(
      store,
      scopes.map((each) => row({ scope: each })),
    );
    const { summaryId } = await compact(store, { ids, ...SUMMARY });
    expect((await everyRow(store)).find(({ id }) => id === summaryId)?.scope).toBe(scope);
  });

  it("gives the summary the project that its rows share, and none to rows of several", async () => {
    const store = await open();
    const [a = 0, b = 0, c = 0] = await seed(store, [row(), row(), row({ project: "bank" })]);
    const one = await compact(store, { ids: [a], ...SUMMARY });
    const mixed = await compact(store, { ids: [b, c], ...SUMMARY });
    const [first, second] = await store.read((rows) => rows.observations([one.summaryId ?? 0, mixed.summaryId ?? 0]));
    expect([first?.project, second?.project]).toEqual(["shop", null]);
  });

  it("counts all scopes when none is named", async () => {
    verifies("values/scope-spelling-and-no-scope", "rulings/omitted-scope");
    const store = await open();
    const [, personal = 0] = await seed(store, [row(), row({ scope: "personal" })]);
    expect(await compact(store, { ids: [personal] })).toMatchObject({ before: 2, deleted: 1, after: 1 });
  });

  it("counts those of the scope that is named, in any spelling", async () => {
    const store = await open();
    const [, personal = 0] = await seed(store, [row(), row({ scope: "personal" })]);
    const counts = { before: 1, deleted: 1, after: 0 };
    expect(await compact(store, { ids: [personal], scope: " Personal " })).toMatchObject(counts);
  });

  it("relates the summary to each row, in their order", async () => {
    const store = await open();
    const ids = await seed(store, [row(), row(), row()]);
    const [a = 0, b = 0, c = 0] = ids;
    const { summaryId } = await compact(store, { ids: [c, a, b], ...SUMMARY });
    const relations = await store.read((rows) => rows.relations([summaryId ?? 0]));
    expect(relations.map(({ from_id, to_id, type }) => [from_id, to_id, type])).toEqual(
      [c, a, b].map((id) => [summaryId, id, COMPACTED_FROM]),
    );
  });

  it("works in a fresh store, without any session", async () => {
    verifies("values/fresh-store-session");
    const store = await open();
    const [id = 0] = await seed(store, [row({ session_id: "other" })]);
    await compact(store, { ids: [id], ...SUMMARY });
    const sessions = await store.read((rows) => rows.sessionsAfter("", 10));
    expect(sessions.map((session) => session.id)).toEqual([DEFAULT_SESSION, "other"]);
    await compact(store, { ids: [2], ...SUMMARY, sessionId: "named" });
    expect(await store.read((rows) => rows.session("named"))).toBeDefined();
  });

  it("leaves all as it was when the summary cannot be stored", async () => {
    const store = await open();
    const ids = await seed(store, [row(), row()]);
    const before = await all(store);
    const failing: ObservationStore = {
      ...store,
      read: (work) => store.read(work),
      write: (work) =>
        store.write((rows) =>
          work({ ...rows, addObservation: () => Promise.reject(new Error("no room for the summary")) }),
        ),
    };
    await expect(compact(failing, { ids, ...SUMMARY })).rejects.toThrow("no room for the summary");
    expect(await all(store)).toEqual(before);
  });

  it("counts an id once that is given twice", async () => {
    verifies("values/duplicate-id-counts-once");
    const store = await open();
    const [id = 0] = await seed(store, [row()]);
    expect(await compact(store, { ids: [id, id] })).toMatchObject({ deleted: 1, ids: [id] });
  });

  it("hides private parts of a summary", async () => {
    verifies("values/private-parts-of-a-summary");
    const store = await open();
    const ids = await seed(store, [row()]);
    await compact(store, { ids, summaryTitle: "T", summaryContent: "the key is <private>k</private>." });
    expect((await everyRow(store)).at(-1)?.content).toBe("the key is [REDACTED].");
    expect(await refused(store, { ids: [2], summaryTitle: "<private>x</private>", summaryContent: " " })).toBeDefined();
  });

  it("compacts younger rows and living documents too, and names them", async () => {
    verifies("rulings/younger-ids-warned");
    const store = await open();
    const ids = await seed(store, [
      row({ created_at: daysAgo(3) }),
      row({ updated_at: daysAgo(2) }),
      row({ created_at: "soon" }),
      row(),
    ]);
    const result = await compact(store, { ids });
    expect(result).toMatchObject({ deleted: 4, young: [ids[0], ids[2]], living: [ids[1]] });
  });

  it("changes nothing of the rows but that they are deleted", async () => {
    const store = await open();
    const ids = await seed(store, [row({ topic_key: "a/b", last_seen_at: daysAgo(40) })]);
    const before = await everyRow(store);
    await compact(store, { ids });
    expect(await everyRow(store)).toEqual(before.map((each) => ({ ...each, deleted_at: "2026-03-01 00:00:00" })));
  });

  it("takes deleted rows out of every list, count and search", async () => {
    verifies("field/deleted-rows-still-found");
    const store = await open();
    const ids = await seed(
      store,
      Array.from({ length: 5 }, (_, index) => row({ content: `walrus number ${index}`, topic_key: `t/${index}` })),
    );
    await compact(store, { ids, ...SUMMARY });
    const found = await store.read(async (rows) => ({
      search: await rows.search({
        words: searchWords("walrus"),
        filter: {},
        standing: "live",
        limit: 10,
        offset: 0,
      }),
      list: await rows.list({ filter: { type: "manual" }, standing: "live", limit: 10, offset: 0 }),
      stale: await rows.stale({ filter: {}, before: NOW, limit: 10 }),
      survey: await rows.surveyStale({}, [NOW]),
      topic: await rows.ofTopic("t/1", "shop", "project", null),
      totals: await rows.totals(),
    }));
    expect(found.search.rows).toEqual([]);
    expect(found.list).toEqual([]);
    expect(found.stale).toEqual([]);
    expect(found.survey.total).toBe(0);
    expect(found.topic).toBeUndefined();
    expect(found.totals).toMatchObject({ observations: 1, deleted: 5 });
  });

  it("tells what it did, and what went wrong, without a word of the rows", async () => {
    const store = await open();
    const events: CompactEvent[] = [];
    const trace = createTrace([createCallbackSink((event) => events.push(event))], createRedactor(), () => NOW);
    const ids = await seed(store, [row({ content: "walrus" })]);
    const request = { olderThanDays: 30, ids, summaryTitle: "T", summaryContent: "walrus" };
    await compactObservations(store, request, { now: NOW, trace });
    await compactObservations(store, request, { now: NOW, trace }).catch(() => undefined);
    expect(events).toMatchObject([
      { event: "compact.applied", part: "observations", ids, counts: { deleted: 1, before: 1, after: 1 } },
      { event: "compact.error", part: "observations", error_type: "Conflict" },
    ]);
    expect(JSON.stringify(events)).not.toContain("walrus");
  });
});

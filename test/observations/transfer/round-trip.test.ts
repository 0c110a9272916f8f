import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exportObservations } from "../../../src/observations/transfer/export-observations.ts";
import { verifies } from "../../requirements/verifies.ts";
import { daysAgo, NOW, row } from "../rows.ts";
import { stores } from "../stores.ts";
import { dump, exportText, importText, NOTHING_ADDED } from "./dump.ts";
import { fill, storeRows } from "./random-store.ts";

const session = (id: string) => ({
  id,
  project: "shop",
  directory: "",
  started_at: daysAgo(90),
  ended_at: null,
  summary: null,
});

describe.each(stores)("export and import with the %s store", (_name, open) => {
  it("give the same rows in an empty store, and nothing the second time", async () => {
    verifies("values/export-import-round-trip");
    await fc.assert(
      fc.asyncProperty(storeRows, async (rows) => {
        const [from, to] = [await open(), await open()];
        await fill(from, rows);
        const text = await exportText(from);
        await importText(to, text);
        expect(await dump(to)).toEqual(await dump(from));
        expect(await importText(to, text, NOW + 1e9)).toMatchObject({ ...NOTHING_ADDED, skipped: [] });
        expect(await dump(to)).toEqual(await dump(from));
        await Promise.all([from.close(), to.close()]);
      }),
      { numRuns: 40 },
    );
  });

  it("lose nothing of a store that meets another, and add nothing the second time", async () => {
    await fc.assert(
      fc.asyncProperty(storeRows, storeRows, async (mine, others) => {
        const [from, to] = [await open(), await open()];
        await fill(from, others);
        await fill(to, mine);
        const text = await exportText(from);
        const before = await dump(to);
        const first = await importText(to, text);
        const after = await dump(to);
        const given = await dump(from);
        expect(first.added + first.unchanged + first.updated + first.kept_newer).toBe(given.observations.length);
        expect(after.observations).toHaveLength(before.observations.length + first.added);
        // A row that is live again in a newer state is stood for by nothing.
        const live = new Set(after.observations.flatMap(({ id, deleted_at }) => (deleted_at === null ? [id] : [])));
        const kept = before.relations.filter(({ type, to_id }) => type !== "compacted_from" || !live.has(to_id));
        expect(after.relations).toHaveLength(kept.length + first.relations);
        const again = await importText(to, text, NOW + 1e9);
        expect(again).toMatchObject({ ...NOTHING_ADDED, skipped: [] });
        expect(await dump(to)).toEqual(after);
        await Promise.all([from.close(), to.close()]);
      }),
      { numRuns: 40 },
    );
  });

  it("keep compacted rows, what stands for them and namespaces", async () => {
    verifies("values/export-import-round-trip");
    const [from, to] = [await open(), await open()];
    await from.write(async (writer) => {
      await writer.addSession(session("manual-save"));
      await writer.addObservation(row({ id: 7, namespace: "team", deleted_at: daysAgo(1) }));
      await writer.addObservation(row({ id: 9, type: "compaction_summary", content: "what it said" }));
      await writer.addRelation({ from_id: 9, to_id: 7, type: "compacted_from", note: null, created_at: daysAgo(1) });
    });
    const report = await importText(to, await exportText(from));
    expect(report).toMatchObject({ added: 2, relations: 1, sessions: 1, remapped: 0 });
    const { observations, relations } = await dump(to);
    expect(observations.map(({ id, namespace, deleted_at }) => [id, namespace, deleted_at])).toEqual([
      [7, "team", daysAgo(1)],
      [9, null, null],
    ]);
    expect(relations).toMatchObject([{ from_id: 9, to_id: 7, type: "compacted_from" }]);
  });

  it("meet the same ones of equal rows again, and so do their relations", async () => {
    const [from, to] = [await open(), await open()];
    await from.write(async (writer) => {
      await writer.addSession(session("manual-save"));
      for (const id of [4, 5, 7]) await writer.addObservation(row({ id }));
      await writer.addRelation({ from_id: 4, to_id: 5, type: "relates_to", note: null, created_at: daysAgo(1) });
    });
    await to.write(async (writer) => {
      await writer.addSession(session("manual-save"));
      for (const id of [5, 7])
        await writer.addObservation(row({ id, title: "Another", content: "Not the same at all." }));
    });
    const text = await exportText(from);
    expect(await importText(to, text)).toMatchObject({ added: 3, remapped: 2, relations: 1 });
    expect(await importText(to, text)).toMatchObject(NOTHING_ADDED);
    expect((await dump(to)).relations).toMatchObject([{ from_id: 4, to_id: 8 }]);
  });

  it("export a project alone, with the sessions its rows need", async () => {
    const [from, to] = [await open(), await open()];
    await from.write(async (writer) => {
      for (const id of ["used", "unused"]) await writer.addSession({ ...session(id), project: "other" });
      await writer.addObservation(row({ session_id: "used", title: "mine" }));
      await writer.addObservation(row({ session_id: "unused", project: "other", title: "not mine" }));
      await writer.addRelation({ from_id: 1, to_id: 2, type: "relates_to", note: null, created_at: daysAgo(1) });
    });
    await importText(to, await exportText(from, { project: "shop" }));
    const { sessions, observations, relations } = await dump(to);
    expect(sessions.map(({ id }) => id)).toEqual(["used"]);
    expect(observations.map(({ title }) => title)).toEqual(["mine"]);
    expect(relations).toEqual([]);
  });

  it("export in pieces, as one state, and let go of the store when the loop is left", async () => {
    const store = await open();
    await store.write(async (writer) => {
      await writer.addSession(session("manual-save"));
      for (let id = 1; id <= 300; id++) await writer.addObservation(row({ id, content: "x".repeat(2000) }));
    });
    const sizes: number[] = [];
    for await (const piece of exportObservations(store, { now: () => NOW })) sizes.push(piece.length);
    expect(sizes.length).toBeGreaterThan(5);
    expect(Math.max(...sizes)).toBeLessThan(100_000);
    for await (const _piece of exportObservations(store, { now: () => NOW })) break;
    expect(await store.write(async (writer) => writer.removeObservation(1))).toBe(true);
  });

  it("fail an export of a store that is closed", async () => {
    const store = await open();
    await store.close();
    await expect(exportText(store)).rejects.toMatchObject({ kind: "StoreFailed" });
  });
});

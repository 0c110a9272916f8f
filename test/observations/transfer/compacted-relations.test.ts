// What an import writes of relations that say what stands for what, where the store and the file do not agree.
import { describe, expect, it } from "vitest";
import { restoreObservations } from "../../../src/observations/compaction/restore-observations.ts";
import { SUMMARY_TYPE } from "../../../src/observations/observation.ts";
import type { ObservationStore } from "../../../src/observations/observation-store.ts";
import { exportLines } from "../../../src/observations/transfer/export-page.ts";
import { verifies } from "../../requirements/verifies.ts";
import { daysAgo, NOW, row, seed } from "../rows.ts";
import { stores } from "../stores.ts";
import { dump, exportText, importText, lines, NOTHING_ADDED } from "./dump.ts";

const DELETED = daysAgo(2);

describe.each(stores)("relations of compacted rows in the %s store", (_name, open) => {
  /** Two rows that are compacted and the summary that stands for them: 1, 2 and 3. */
  const compacted = async (summary: { readonly deleted_at?: string } = {}): Promise<ObservationStore> => {
    const store = await open();
    await seed(store, [
      row({ content: "a", deleted_at: DELETED }),
      row({ content: "b", deleted_at: DELETED }),
      row({ content: "both", type: SUMMARY_TYPE, created_at: DELETED, ...summary }),
    ]);
    await store.write(async (writer) => {
      for (const to_id of [1, 2])
        await writer.addRelation({ from_id: 3, to_id, type: "compacted_from", note: null, created_at: DELETED });
    });
    return store;
  };
  const pageText = (store: ObservationStore): Promise<readonly string[]> =>
    store.read(async (reader) => {
      const pages: string[] = [];
      for await (const line of exportLines(reader, {})) pages.push(JSON.stringify(line));
      return pages;
    });
  const deleteRow = (store: ObservationStore, id: number) =>
    store.write(async (writer) => writer.changeObservations([id], { deleted_at: daysAgo(0) }));

  it("are not written again after a restore, which is said", async () => {
    verifies("values/export-import-round-trip");
    const [from, to] = [await compacted(), await open()];
    const text = await exportText(from);
    await importText(to, text);
    await restoreObservations(to, { summaryId: 3 }, { now: NOW });
    const restored = await dump(to);
    const report = await importText(to, text);
    expect(report).toMatchObject({ ...NOTHING_ADDED, skipped: [] });
    expect(report.notes).toContainEqual({
      reason: "a relation compacted_from to a row that is live here is not imported",
      count: 2,
      positions: ["relations[0]", "relations[1]"],
    });
    expect(await dump(to)).toEqual(restored);
  });

  it("do not come back from a retired summary when its rows are deleted one by one", async () => {
    const from = await compacted();
    const text = await exportText(from);
    const pages = await pageText(from);
    await restoreObservations(from, { summaryId: 3 }, { now: NOW });
    await deleteRow(from, 1);
    const before = await dump(from);
    const report = await importText(from, text);
    expect(report).toMatchObject({ ...NOTHING_ADDED, skipped: [] });
    expect(report.notes.map(({ reason, count }) => [reason, count])).toContainEqual([
      "a relation compacted_from of a row that was deleted here is not imported",
      1,
    ]);
    // A page has the relation without its rows.
    for (const page of pages) expect(await importText(from, page)).toMatchObject(NOTHING_ADDED);
    expect(await dump(from)).toEqual(before);
  });

  it("come whole into an empty store, also those of a deleted summary, at once or in parts", async () => {
    verifies("values/export-import-round-trip");
    const from = await compacted({ deleted_at: daysAgo(1) });
    const [whole, parts] = [await open(), await open()];
    const report = await importText(whole, await exportText(from));
    expect(report).toMatchObject({ added: 3, relations: 2, skipped: [], notes: [] });
    for (const page of await pageText(from)) await importText(parts, page);
    expect(await dump(whole)).toEqual(await dump(from));
    expect(await dump(parts)).toEqual(await dump(from));
    // The rows of an import that stopped before its relations.
    await whole.write(async (writer) => {
      for (const { id } of await writer.relationsAfter(0, 10)) await writer.removeRelation(id);
    });
    expect(await importText(whole, await exportText(from))).toMatchObject({ relations: 2 });
  });

  it("that are there are not spoken of, whoever deleted the summary since", async () => {
    const store = await compacted();
    const text = await exportText(store);
    await deleteRow(store, 3);
    const report = await importText(store, text);
    expect(report).toMatchObject({ ...NOTHING_ADDED, skipped: [] });
    expect(report.notes.map(({ reason }) => reason).join()).not.toContain("compacted_from");
  });

  it("end with the row's deletion where the file has a later, live state of it", async () => {
    const store = await compacted();
    const edited = { ...row({ content: "edited", updated_at: daysAgo(0) }), id: 1, created_at: daysAgo(45) };
    await importText(store, JSON.stringify({ observations: [edited] }));
    const { observations, relations } = await dump(store);
    expect(observations[0]).toMatchObject({ content: "edited", deleted_at: null });
    expect(relations.map(({ to_id }) => to_id)).toEqual([2]);
    const copy = await open();
    await importText(copy, await exportText(store));
    expect(await dump(copy)).toEqual(await dump(store));
  });

  it("are refused where they are forged: to live rows, or from a row to itself", async () => {
    const observations = [1, 2].map((id) => ({ ...row({ content: `n ${id}` }), id }));
    const relations = [
      { from_id: 1, to_id: 2, type: "compacted_from" },
      { from_id: 1, to_id: 1, type: "compacted_from" },
      { from_id: "2", to_id: 2, type: "relates_to" },
      { from_id: 1, to_id: 2, type: "part_of" },
    ];
    const store = await open();
    const report = await importText(store, JSON.stringify({ observations, relations }));
    expect(report.relations).toBe(1);
    expect(report.skipped).toEqual([
      { reason: "a relation of a row to itself", count: 2, positions: ["relations[1]", "relations[2]"] },
      {
        reason: "a relation compacted_from to a row that is live in the file",
        count: 1,
        positions: ["relations[0]"],
      },
    ]);
    expect((await dump(store)).relations).toMatchObject([{ type: "part_of" }]);
    const graph = lines(
      { type: "entity", name: "Ada", entityType: "person", observations: ["a"] },
      { type: "relation", from: "Ada", to: "Ada", relationType: "knows" },
    );
    expect((await importText(store, graph)).skipped).toMatchObject([{ count: 1, positions: ["line 2"] }]);
  });
});

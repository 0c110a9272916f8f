import { describe, expect, it } from "vitest";
import type { ObservationStore } from "../../../src/observations/observation-store.ts";
import { importObservations } from "../../../src/observations/transfer/import-observations.ts";
import { readImportedRows } from "../../../src/observations/transfer/read-rows.ts";
import { daysAgo, NOW, row } from "../rows.ts";
import { withoutNamespaces } from "../saving/without-namespaces.ts";
import { stores } from "../stores.ts";
import { contents, dump, exportText, importText, NOTHING_ADDED } from "./dump.ts";

const item = (more: object = {}) => ({
  ...row({ created_at: "2026-01-01 00:00:00", updated_at: "2026-01-01 00:00:00" }),
  id: 5,
  ...more,
});
const file = (...observations: readonly object[]) => JSON.stringify({ sessions: [], observations, prompts: [] });

describe.each(stores)("an import into the %s store", (_name, open) => {
  const opened = async (...observations: readonly object[]): Promise<ObservationStore> => {
    const store = await open();
    if (observations.length > 0) await importText(store, file(...observations));
    return store;
  };

  it("keeps ids and makes the sessions that the file lacks", async () => {
    const store = await opened(item({ id: 5, session_id: "s-9" }), item({ id: 3 }));
    const { observations, sessions } = await dump(store);
    expect(observations.map(({ id }) => id)).toEqual([3, 5]);
    expect(sessions.map(({ id, started_at }) => [id, started_at])).toEqual([
      ["manual-save", "2026-01-01 00:00:00"],
      ["s-9", "2026-01-01 00:00:00"],
    ]);
  });

  it("gives new ids where they are taken, never one that the file uses, and turns relations to them", async () => {
    const store = await opened(item({ id: 1, content: "mine" }));
    const relation = { from_id: 1, to_id: 2, type: "compacted_from", note: "why", created_at: "2026-01-01 00:00:00" };
    const text = JSON.stringify({
      observations: [
        item({ id: 1, content: "theirs", created_at: "2026-02-01 00:00:00" }),
        item({ id: 2, content: "second", deleted_at: "2026-02-02 00:00:00" }),
      ],
      relations: [relation],
    });
    expect(await importText(store, text)).toMatchObject({ added: 2, remapped: 1, relations: 1 });
    const { observations, relations } = await dump(store);
    expect(observations.map(({ id, content }) => [id, content])).toEqual([
      [1, "mine"],
      [2, "second"],
      [3, "theirs"],
    ]);
    expect(relations).toEqual([{ ...relation, from_id: 3 }]);
    expect(await importText(store, text)).toMatchObject({ ...NOTHING_ADDED, unchanged: 2 });
  });

  it("has n equal rows for n in the file, however often it is imported", async () => {
    const plain = JSON.stringify([1, 2, 3].map(() => ({ text: "same", createdAt: "2026-01-01" })));
    const store = await open();
    expect(await importText(store, plain)).toMatchObject({ added: 3, unchanged: 0 });
    expect(await importText(store, plain)).toMatchObject({ added: 0, unchanged: 3 });
    const four = JSON.stringify([1, 2, 3, 4].map(() => ({ text: "same", createdAt: "2026-01-01" })));
    expect(await importText(store, four)).toMatchObject({ added: 1, unchanged: 3 });
    expect(await contents(store)).toHaveLength(4);
  });

  it("does not bring back what was compacted here", async () => {
    const plain = JSON.stringify([{ text: "old", createdAt: "2026-01-01" }]);
    const store = await open();
    await importText(store, plain);
    await store.write(async (writer) => writer.changeObservations([1], { deleted_at: daysAgo(0) }));
    expect(await importText(store, plain)).toMatchObject({ added: 0, unchanged: 1 });
    expect((await dump(store)).observations).toMatchObject([{ deleted_at: daysAgo(0) }]);
  });

  it("takes the later state of a row and leaves the store's where that is later", async () => {
    const later = item({ content: "later", updated_at: "2026-02-01 00:00:00", revision_count: 2 });
    const store = await opened(item());
    expect(await importText(store, file(later))).toMatchObject({ added: 0, updated: 1 });
    expect(await contents(store)).toEqual(["later"]);
    expect(await importText(store, file(item()))).toMatchObject({ added: 0, updated: 0, kept_newer: 1 });
    expect(await contents(store)).toEqual(["later"]);
    const revised = item({ content: "third", updated_at: "2026-02-01 00:00:00", revision_count: 3 });
    expect(await importText(store, file(revised))).toMatchObject({ updated: 1 });
    expect(await importText(store, file(revised))).toMatchObject({ updated: 0, unchanged: 1 });
  });

  it("leaves a row alone that differs and is as new, and says so", async () => {
    const store = await opened(item({ content: "dónde está la configuración" }));
    const report = await importText(store, file(item({ content: "dnde est la configuracin" })));
    expect(report).toMatchObject({ added: 0, updated: 0, unchanged: 1 });
    expect(report.notes).toMatchObject([{ count: 1, positions: ["observations[0]"] }]);
    expect(await contents(store)).toEqual(["dónde está la configuración"]);
  });

  it("keeps two memories apart that two stores numbered alike in the same second", async () => {
    const store = await opened(item({ content: "the build needs pnpm" }));
    const other = file(item({ content: "Ana prefers short answers" }));
    expect(await importText(store, other)).toMatchObject({ added: 1, remapped: 1 });
    expect(await importText(store, other)).toMatchObject({ ...NOTHING_ADDED, unchanged: 1 });
    expect(await contents(store)).toEqual(["the build needs pnpm", "Ana prefers short answers"]);
  });

  it("drops namespaces where the database has none, which is said", async () => {
    const store = withoutNamespaces(await open());
    const text = file(item({ namespace: "team" }), item({ id: 6, namespace: "other" }));
    const report = await importText(store, text);
    expect(report).toMatchObject({ added: 2 });
    expect(report.dropped_fields).toEqual({ "namespace (this database has no such column)": 2 });
    expect((await dump(store)).observations.map(({ namespace }) => namespace)).toEqual([null, null]);
    expect(await importText(store, text)).toMatchObject({ ...NOTHING_ADDED, unchanged: 2 });
  });

  it("keeps a deletion that came after the file's later state, and takes an edit that came after the deletion", async () => {
    const store = await opened(item());
    await store.write(async (writer) => writer.changeObservations([5], { deleted_at: "2026-02-10 00:00:00" }));
    await importText(store, file(item({ content: "edited", updated_at: "2026-02-01 00:00:00" })));
    expect((await dump(store)).observations).toMatchObject([{ content: "edited", deleted_at: "2026-02-10 00:00:00" }]);
    await importText(store, file(item({ content: "edited again", updated_at: "2026-02-20 00:00:00" })));
    expect((await dump(store)).observations).toMatchObject([{ content: "edited again", deleted_at: null }]);
  });

  it("knows a living document again that had to take another id", async () => {
    const store = await opened(item({ id: 5, content: "mine", created_at: "2025-01-01 00:00:00" }));
    await importText(store, file(item({ topic_key: "design/a", content: "v1" })));
    const second = item({ topic_key: "design/a", content: "v2", revision_count: 2, updated_at: "2026-02-01 00:00:00" });
    expect(await importText(store, file(second))).toMatchObject({ added: 0, updated: 1 });
    expect(await contents(store)).toEqual(["mine", "v2"]);
  });

  it("says where two rows have one topic key now", async () => {
    const store = await opened(item({ topic_key: "design/a", content: "mine" }));
    const theirs = file(item({ id: 9, topic_key: "design/a", content: "theirs", created_at: "2026-01-05 00:00:00" }));
    const report = await importText(store, theirs);
    expect(report).toMatchObject({ added: 1 });
    expect(report.notes).toMatchObject([{ reason: expect.stringContaining("topic key"), count: 1 }]);
    expect((await dump(store)).observations.map(({ topic_key }) => topic_key)).toEqual(["design/a", "design/a"]);
  });

  it("takes a row that stands twice in the file once", async () => {
    const store = await open();
    expect(await importText(store, file(item(), item()))).toMatchObject({ added: 1, unchanged: 1 });
    expect(await contents(store)).toHaveLength(1);
  });

  it("brings times of any shape into the store's, and knows rows again that have another here", async () => {
    const iso = item({ created_at: "2026-01-01T02:00:00.500+02:00", last_seen_at: 1767225600 });
    const store = await opened(iso);
    expect((await dump(store)).observations).toMatchObject([
      { created_at: "2026-01-01 00:00:00", last_seen_at: "2026-01-01 00:00:00" },
    ]);
    await store.write(async (writer) => writer.changeObservations([5], { created_at: "2026-01-01T00:00:00Z" }));
    expect(await importText(store, file(iso))).toMatchObject({ ...NOTHING_ADDED, unchanged: 1 });
  });

  it("keeps a row deleted whose time of deletion cannot be read", async () => {
    const store = await opened(item({ deleted_at: "long ago" }));
    expect((await dump(store)).observations).toMatchObject([{ deleted_at: "2026-01-01 00:00:00" }]);
  });

  it("ends a session that has ended since, and changes nothing else of it", async () => {
    const store = await open();
    const session = { id: "s", project: "p", directory: "/d", started_at: "2026-01-01 00:00:00" };
    await importText(store, JSON.stringify({ sessions: [session], observations: [] }));
    const ended = { ...session, project: "q", ended_at: "2026-01-02 00:00:00", summary: "done" };
    await importText(store, JSON.stringify({ sessions: [ended], observations: [] }));
    expect((await dump(store)).sessions).toEqual([{ ...session, ended_at: "2026-01-02 00:00:00", summary: "done" }]);
  });

  it("keeps prompts and their ids, and adds none twice", async () => {
    const prompt = (id: number, content: string) => ({
      id,
      session_id: "s",
      content,
      created_at: "2026-01-01 00:00:00",
    });
    const text = JSON.stringify({ observations: [], prompts: [prompt(4, "go"), prompt(6, "go"), prompt(4, "other")] });
    const store = await open();
    expect(await importText(store, text)).toMatchObject({ prompts: 3, sessions: 1 });
    expect((await dump(store)).prompts.map(({ id, content }) => [id, content])).toEqual([
      [4, "go"],
      [6, "go"],
      [7, "other"],
    ]);
    expect(await importText(store, text)).toMatchObject({ prompts: 0 });
  });

  it("speaks of missing times where it takes the import's, not of what is there already", async () => {
    const store = await open();
    const undated = { content: "u", title: "t" };
    const files = [
      JSON.stringify({ sessions: [{ id: "s" }], observations: [undated], prompts: [{ content: "go" }] }),
      JSON.stringify([{ text: "plain" }]),
      JSON.stringify({ name: "Ada", entityType: "person", observations: ["a"] }),
    ];
    for (const [index, text] of files.entries()) {
      const reasons = (await importText(store, text)).notes.map(({ reason, count }) => [reason, count]);
      const time = ["no time of creation that can be read: the time of the import is taken", index === 0 ? 2 : 1];
      expect(reasons).toContainEqual(time);
      if (index === 0) expect(reasons).toContainEqual([expect.stringContaining("no start of the session"), 1]);
      const again = await importText(store, text, NOW + 1e9);
      expect(again).toMatchObject({ ...NOTHING_ADDED, unchanged: 1, notes: [] });
    }
  });

  it("skips relations to rows that nobody has", async () => {
    const relations = [{ from_id: 5, to_id: 99, type: "relates_to" }, { from_id: 5 }];
    const report = await importText(await open(), JSON.stringify({ observations: [item()], relations }));
    expect(report.relations).toBe(0);
    expect(report.skipped.map(({ count, positions }) => [count, positions])).toEqual([
      [1, ["relations[1]"]],
      [1, ["relations[0]"]],
    ]);
  });

  it("is whole or not at all, and tells how far it is", async () => {
    const store = await open();
    const observations = Array.from({ length: 1200 }, (_, index) => item({ id: index + 1, content: `n ${index}` }));
    const rows = readImportedRows(file(...observations));
    const failing = importObservations(store, rows, {
      now: () => NOW,
      onProgress: (done) => {
        if (done > 2000) throw new Error("stopped");
      },
    });
    await expect(failing).rejects.toThrow("stopped");
    expect(await contents(store)).toEqual([]);
    const steps: number[] = [];
    await importObservations(store, rows, { now: () => NOW, onProgress: (done, total) => steps.push(done / total) });
    expect(steps.at(-1)).toBe(1);
    expect(steps).toEqual([...steps].sort((first, second) => first - second));
    expect(await contents(store)).toHaveLength(1200);
    expect(await importText(store, await exportText(store))).toMatchObject({ ...NOTHING_ADDED, unchanged: 1200 });
  });
});

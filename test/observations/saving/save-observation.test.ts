import { describe, expect, it } from "vitest";
import { restoreObservations } from "../../../src/observations/compaction/restore-observations.ts";
import { DEFAULT_SESSION, storedTime } from "../../../src/observations/observation.ts";
import type { ObservationStore } from "../../../src/observations/observation-store.ts";
import { type SaveObservationRequest, saveObservation } from "../../../src/observations/saving/save-observation.ts";
import { verifies } from "../../requirements/verifies.ts";
import { everyRow, NOW, row, seed } from "../rows.ts";
import { stores } from "../stores.ts";
import { withoutNamespaces } from "./without-namespaces.ts";

const MINUTE = 60_000;

function save(store: ObservationStore, changes: Partial<SaveObservationRequest> = {}, now = NOW) {
  return saveObservation(store, { title: "A title", content: "Some text", ...changes }, { now });
}

describe.each(stores)("saving an observation in the %s store", (_name, open) => {
  it("writes every column, with defaults for what was not given", async () => {
    const store = await open();
    const { observation, outcome } = await save(store);
    expect(outcome).toBe("created");
    expect(observation).toEqual({
      id: observation.id,
      session_id: DEFAULT_SESSION,
      type: "manual",
      title: "A title",
      content: "Some text",
      tool_name: null,
      project: null,
      scope: "project",
      topic_key: null,
      namespace: null,
      // SHA-256 of "some text".
      normalized_hash: "b94f6f125c79e3a5ffaa826f584c10d52ada669e6762051b826b55776d05aed2",
      revision_count: 1,
      duplicate_count: 1,
      last_seen_at: null,
      created_at: "2026-03-01 00:00:00",
      updated_at: "2026-03-01 00:00:00",
      deleted_at: null,
    });
    expect(await everyRow(store)).toEqual([observation]);
    await store.close();
  });

  it("normalises scope and topic key, and keeps names exactly", async () => {
    const store = await open();
    const { observation } = await save(store, {
      scope: " Personal ",
      topicKey: "  Bug / Login Page ",
      project: "My Shop",
      type: "decision",
      toolName: "editor",
    });
    expect(observation).toMatchObject({
      scope: "personal",
      topic_key: "bug-/-login-page",
      project: "My Shop",
      type: "decision",
      tool_name: "editor",
    });
    await store.close();
  });

  it("adds the session it names, and takes one that is there", async () => {
    verifies("rulings/sessions-on-demand");
    const store = await open();
    await save(store, { sessionId: "mine", project: "shop" });
    await save(store, { sessionId: "mine", project: "other", content: "More" });
    expect(await store.read((rows) => rows.session("mine"))).toMatchObject({
      project: "shop",
      started_at: storedTime(NOW),
      ended_at: null,
    });
    await save(store, { content: "Without a session" });
    expect(await store.read((rows) => rows.session(DEFAULT_SESSION))).toMatchObject({ project: "" });
    await store.close();
  });

  it("never cuts a text, whatever it holds", async () => {
    const store = await open();
    const content = `${"界".repeat(5000)}\n${"\u{1F600}".repeat(3000)} the end`;
    const { observation } = await save(store, { content });
    expect(observation.content).toBe(content);
    const long = await save(store, { content: "x".repeat(1_000_000) });
    expect(long.observation.content).toHaveLength(1_000_000);
    await store.close();
  });

  it("takes out private parts, lone surrogates and blank ends", async () => {
    const store = await open();
    const { observation } = await save(store, {
      title: " Key <PRIVATE>abc</private> ",
      content: "one <private>\nsecret\n</Private> two \ud800 <private>and the rest",
    });
    expect(observation.title).toBe("Key [REDACTED]");
    expect(observation.content).toBe("one [REDACTED] two \ufffd [REDACTED]");
    await store.close();
  });

  it.each<[string, Partial<SaveObservationRequest>]>([
    ["title", { title: "  " }],
    ["content", { content: "\n" }],
    ["content", { content: "x".repeat(1_000_001) }],
    ["title", { title: "x".repeat(1_000_001) }],
    ["project", { project: "x".repeat(1_000_001) }],
  ])("refuses a %s that is blank or too long, and writes nothing", async (name, changes) => {
    const store = await open();
    const saving = save(store, changes);
    await expect(saving).rejects.toMatchObject({ kind: "InvalidInput", message: expect.stringContaining(`'${name}'`) });
    expect(await store.read((rows) => rows.totals())).toMatchObject({ observations: 0, sessions: 0 });
    await store.close();
  });

  describe("under a topic key", () => {
    it("replaces the live row of that place, which keeps its creation and its session", async () => {
      const store = await open();
      const first = await save(store, { topicKey: "Auth Model", project: "shop", sessionId: "one" });
      const second = await save(
        store,
        {
          topicKey: "auth model",
          project: "shop",
          sessionId: "two",
          title: "New",
          content: "New text",
          type: "decision",
        },
        NOW + 60 * MINUTE,
      );
      expect(second.outcome).toBe("updated");
      expect(second.observation).toEqual({
        ...first.observation,
        title: "New",
        content: "New text",
        type: "decision",
        normalized_hash: second.observation.normalized_hash,
        revision_count: 2,
        last_seen_at: "2026-03-01 01:00:00",
        updated_at: "2026-03-01 01:00:00",
      });
      expect(second.observation.normalized_hash).not.toBe(first.observation.normalized_hash);
      await store.close();
    });

    it("keeps the text that it replaces as a deleted row; a save that changes nothing keeps none", async () => {
      const store = await open();
      const { observation } = await save(store, { topicKey: "t", content: "Tokens live a day" });
      await save(store, { topicKey: "t", content: "Tokens live an hour" }, NOW + 60 * MINUTE);
      await save(store, { topicKey: "t", content: "Tokens live an hour" }, NOW + 120 * MINUTE);
      const [live, earlier, ...more] = await everyRow(store);
      expect(live).toMatchObject({ id: observation.id, content: "Tokens live an hour", deleted_at: null });
      expect(earlier).toEqual({ ...observation, id: earlier?.id, deleted_at: "2026-03-01 01:00:00" });
      expect(more).toEqual([]);
      await restoreObservations(store, { ids: [earlier?.id] }, { now: NOW + 180 * MINUTE });
      expect((await everyRow(store))[1]).toEqual({ ...observation, id: earlier?.id });
      await store.close();
    });

    it("is another row in another project or scope, and after a soft delete", async () => {
      const store = await open();
      const places = [{ project: "shop" }, { project: "other" }, {}, { project: "shop", scope: "personal" }];
      for (const place of places) expect((await save(store, { topicKey: "t", ...place })).outcome).toBe("created");
      const [first] = await everyRow(store);
      await store.write((rows) => rows.changeObservations([first?.id ?? 0], { deleted_at: storedTime(NOW) }));
      const again = await save(store, { topicKey: "t", project: "shop" }, NOW + 60 * MINUTE);
      expect(again.outcome).toBe("created");
      const dead = (await everyRow(store)).find(({ id }) => id === first?.id);
      expect(dead).toEqual({ ...first, deleted_at: storedTime(NOW) });
      await store.close();
    });

    it("is another row in another namespace", async ({ skip }) => {
      const store = await open();
      if (!(await store.read(async (rows) => rows.hasNamespaces))) skip();
      await save(store, { topicKey: "t", namespace: "a" });
      expect((await save(store, { topicKey: "t", namespace: "b" })).outcome).toBe("created");
      expect((await save(store, { topicKey: "t" })).outcome).toBe("created");
      expect((await save(store, { topicKey: "t", namespace: "a" })).outcome).toBe("updated");
      await store.close();
    });

    it("gives its key to the same text saved a moment ago without one", async () => {
      const store = await open();
      const { observation } = await save(store);
      const again = await save(store, { topicKey: "t" });
      expect(again).toMatchObject({ outcome: "repeated", observation: { id: observation.id, topic_key: "t" } });
      expect((await save(store, { topicKey: "another" })).outcome).toBe("created");
      await store.close();
    });
  });

  describe("again", () => {
    it("is counted within 15 minutes, whatever its case and spacing", async () => {
      const store = await open();
      const first = await save(store);
      const again = await save(store, { content: "some\n  TEXT" }, NOW + 15 * MINUTE);
      expect(again.outcome).toBe("repeated");
      expect(again.observation).toEqual({
        ...first.observation,
        duplicate_count: 2,
        last_seen_at: "2026-03-01 00:15:00",
        updated_at: "2026-03-01 00:15:00",
      });
      expect(await everyRow(store)).toHaveLength(1);
      await store.close();
    });

    it("is a new row a second later than that, or where anything differs", async () => {
      const store = await open();
      await save(store);
      expect((await save(store, {}, NOW + 15 * MINUTE + 1000)).outcome).toBe("created");
      const different = [{ title: "Other" }, { type: "bugfix" }, { project: "shop" }, { scope: "personal" }];
      for (const changes of different) expect((await save(store, changes)).outcome).toBe("created");
      expect((await save(store, { content: "Some text 2" })).outcome).toBe("created");
      await store.close();
    });

    it("is a new row when the first was deleted, which stays as it is", async () => {
      const store = await open();
      const { observation } = await save(store);
      await store.write((rows) => rows.changeObservations([observation.id], { deleted_at: storedTime(NOW) }));
      expect((await save(store)).outcome).toBe("created");
      expect((await everyRow(store))[0]).toEqual({ ...observation, deleted_at: storedTime(NOW) });
      await store.close();
    });

    it("reads times that others wrote, and leaves rows of unreadable times alone", async () => {
      const store = await open();
      const same = { title: "A title", content: "Some text", project: null };
      const [, written] = await seed(store, [
        row({ ...same, created_at: "a while ago" }),
        row({ ...same, created_at: "2026-03-01T00:50:00+01:00" }),
      ]);
      expect(await save(store)).toMatchObject({ outcome: "repeated", observation: { id: written } });
      await store.close();
    });
  });

  describe("that relates to others", () => {
    it("writes the relations with it, and reports those it cannot write", async () => {
      const store = await open();
      const [a = 0, dead = 0] = await seed(store, [row(), row({ content: "b", deleted_at: storedTime(NOW) })]);
      const { observation, relations, refusedRelations } = await save(store, { relateTo: [a, a, dead, 999, -1] });
      expect(relations).toMatchObject([{ from_id: observation.id, to_id: a, type: "relates_to" }]);
      expect(refusedRelations).toEqual([
        { id: dead, reason: "is deleted" },
        { id: 999, reason: "is not in the store" },
        { id: -1, reason: "is no id" },
      ]);
      const again = await save(store, { relateTo: [a, observation.id] });
      expect(again.refusedRelations).toEqual([
        { id: a, reason: "is related already" },
        { id: observation.id, reason: "is the observation itself" },
      ]);
      expect(await store.read((rows) => rows.relations([observation.id]))).toEqual(relations);
      await store.close();
    });
  });

  it("says that a database has no namespaces, and writes nothing", async () => {
    const store = withoutNamespaces(await open());
    await expect(save(store, { namespace: "team" })).rejects.toMatchObject({
      kind: "InvalidInput",
      message: expect.stringContaining("no namespace column"),
    });
    expect(await everyRow(store)).toEqual([]);
    expect((await save(store, { namespace: " " })).observation.namespace).toBeNull();
    await store.close();
  });
});

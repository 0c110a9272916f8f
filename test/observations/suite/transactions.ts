// Transactions: all or nothing, one after another, one state for a reader.
import { describe, expect, it } from "vitest";
import type { ObservationStore } from "../../../src/observations/observation-store.ts";
import { addObservations, allObservations, newObservation, newPrompt, newRelation, newSession } from "./sample-rows.ts";

export function describeTransactions(current: () => ObservationStore): void {
  describe("a transaction", () => {
    /** Everything the store holds. */
    const everything = () =>
      current().read(async (rows) => ({
        totals: await rows.totals(),
        sessions: await rows.sessionsAfter("", 100),
        observations: await rows.observationsAfter(0, 100),
        prompts: await rows.promptsAfter(0, 100),
        relations: await rows.relationsAfter(0, 100),
        found: await rows.search({
          words: [{ text: "rolled", isSubstring: false }],
          filter: {},
          standing: "any",
          limit: 10,
          offset: 0,
        }),
      }));

    it("gives back what its work gives back", async () => {
      expect(await current().write(async () => "result")).toBe("result");
      expect(await current().read(async () => 7)).toBe(7);
    });

    it("leaves nothing of what it wrote when it fails, and its error is the caller's", async () => {
      const store = current();
      const [a = 0, b = 0, c = 0] = await addObservations(store, [{}, {}, {}]);
      const relation = await store.write(async (rows) => {
        await rows.addPrompt(newPrompt());
        await rows.addRelation(newRelation(c, a));
        return (await rows.addRelation(newRelation(a, b))) ?? 0;
      });
      const before = await everything();
      const failure = new Error("the work failed");
      const failing = store.write(async (rows) => {
        await rows.addSession(newSession({ id: "session-9" }));
        await rows.endSession("session-1", "2031-03-09 00:00:00", "rolled");
        const added = await rows.addObservation(newObservation({ title: "rolled back", session_id: "session-9" }));
        await rows.changeObservations([a, b], { title: "rolled", deleted_at: "2031-03-09 00:00:00" });
        await rows.changeObservations([a], { title: "rolled twice" });
        await rows.addPrompt(newPrompt({ content: "rolled" }));
        await rows.removeRelation(relation);
        await rows.addRelation(newRelation(b, added));
        await rows.removeObservation(c);
        expect((await rows.totals()).deleted).toBe(2);
        throw failure;
      });
      await expect(failing).rejects.toBe(failure);
      expect(await everything()).toStrictEqual(before);
    });

    it("leaves nothing when one of its own writes is refused", async () => {
      const store = current();
      const [id = 0] = await addObservations(store, [{}]);
      const before = await everything();
      const failing = store.write(async (rows) => {
        await rows.changeObservations([id], { deleted_at: "2031-03-09 00:00:00" });
        await rows.addObservation(newObservation({ session_id: "nobody" }));
      });
      await expect(failing).rejects.toMatchObject({ kind: "StoreFailed" });
      expect(await everything()).toStrictEqual(before);
    });

    it("sees its own writes", async () => {
      await current().write(async (rows) => {
        await rows.addSession(newSession());
        const id = await rows.addObservation(newObservation({ content: "fresh" }));
        expect((await rows.observations([id]))[0]?.content).toBe("fresh");
        expect(await rows.count({}, "live")).toBe(1);
      });
    });

    it("runs alone: a read and a change in two of them never mix", async () => {
      const store = current();
      const [id = 0] = await addObservations(store, [{ revision_count: 0 }]);
      const increase = () =>
        store.write(async (rows) => {
          const [row] = await rows.observations([id]);
          await Promise.resolve();
          await rows.changeObservations([id], { revision_count: (row?.revision_count ?? 0) + 1 });
        });
      await Promise.all(Array.from({ length: 20 }, increase));
      expect((await allObservations(store))[0]?.revision_count).toBe(20);
    });

    it("is not seen half done by a reader", async () => {
      const store = current();
      const [a = 0, b = 0] = await addObservations(store, [{ title: "old" }, { title: "old" }]);
      const writing = store.write(async (rows) => {
        await rows.changeObservations([a], { title: "new" });
        await Promise.resolve();
        await rows.changeObservations([b], { title: "new" });
      });
      const seen = await store.read((rows) => rows.observations([a, b]));
      await writing;
      expect(new Set(seen.map((row) => row.title)).size).toBe(1);
    });

    it("may follow one that failed", async () => {
      const store = current();
      const failing = store.write(async () => {
        throw new Error("failed");
      });
      const following = addObservations(store, [{}]);
      await expect(failing).rejects.toThrow("failed");
      expect(await following).toHaveLength(1);
      expect(await store.read((rows) => rows.count({}, "live"))).toBe(1);
    });
  });
}

// Sessions and prompts.
import { describe, expect, it } from "vitest";
import type { ObservationStore } from "../../../src/observations/observation-store.ts";
import { deepFreeze, newPrompt, newSession } from "./sample-rows.ts";

export function describeSessions(current: () => ObservationStore): void {
  describe("sessions", () => {
    it("are added once and never replaced", async () => {
      const store = current();
      const add = (directory: string) => store.write((rows) => rows.addSession(deepFreeze(newSession({ directory }))));
      expect([await add("/one"), await add("/two")]).toEqual([true, false]);
      expect(await store.read((rows) => rows.session("session-1"))).toStrictEqual(newSession({ directory: "/one" }));
      expect(await store.read((rows) => rows.session("other"))).toBeUndefined();
    });

    it("end with a summary or without one; an unknown one does not", async () => {
      const store = current();
      await store.write(async (rows) => {
        await rows.addSession(newSession());
        expect(await rows.endSession("session-1", "2031-03-01 11:00:00", "Done")).toBe(true);
        expect(await rows.endSession("other", "2031-03-01 11:00:00", null)).toBe(false);
      });
      const ended = newSession({ ended_at: "2031-03-01 11:00:00", summary: "Done" });
      expect(await store.read((rows) => rows.session("session-1"))).toStrictEqual(ended);
    });

    it("are listed latest start first by real time, by project, in pages by id", async () => {
      const store = current();
      await store.write(async (rows) => {
        await rows.addSession(newSession({ id: "b", started_at: "2031-03-01 23:00:00" }));
        await rows.addSession(newSession({ id: "a", started_at: "2031-03-01T22:00:00Z" }));
        await rows.addSession(newSession({ id: "c", started_at: "2031-03-02T03:00:00+09:00", project: "other" }));
      });
      const ids = async (query: { readonly project?: string; readonly limit: number }) =>
        (await store.read((rows) => rows.sessions(query))).map((session) => session.id);
      expect(await ids({ limit: 10 })).toEqual(["b", "a", "c"]);
      expect(await ids({ limit: 1 })).toEqual(["b"]);
      expect(await ids({ project: "other", limit: 10 })).toEqual(["c"]);
      const page = await store.read((rows) => rows.sessionsAfter("", 2));
      const rest = await store.read((rows) => rows.sessionsAfter("b", 2));
      expect([page.map(({ id }) => id), rest.map(({ id }) => id)]).toEqual([["a", "b"], ["c"]]);
    });
  });

  describe("prompts", () => {
    it("come back as they were written, newest first, by project", async () => {
      const store = current();
      const ids = await store.write(async (rows) => {
        await rows.addSession(newSession());
        return [
          await rows.addPrompt(deepFreeze(newPrompt({ content: 'a "b" 日本語' }))),
          await rows.addPrompt(newPrompt({ created_at: "2031-03-01T12:00:01Z", project: null })),
          await rows.addPrompt(newPrompt({ created_at: "2031-03-01 11:59:59", id: 70 })),
        ] as const;
      });
      const prompts = await store.read((rows) => rows.prompts({ limit: 10 }));
      expect(prompts.map((prompt) => prompt.id)).toEqual([ids[1], ids[0], 70]);
      expect(prompts[1]).toStrictEqual({ ...newPrompt({ content: 'a "b" 日本語' }), id: ids[0] });
      expect((await store.read((rows) => rows.prompts({ project: "shop", limit: 1 }))).map(({ id }) => id)).toEqual([
        ids[0],
      ]);
      expect((await store.read((rows) => rows.promptsAfter(ids[0], 9))).map(({ id }) => id)).toEqual([ids[1], 70]);
    });

    it("are of a namespace where the store has them", async ({ skip }) => {
      const store = current();
      if (!(await store.read(async (rows) => rows.hasNamespaces))) skip();
      await store.write(async (rows) => {
        await rows.addSession(newSession());
        await rows.addPrompt(newPrompt({ namespace: "a", content: "in a" }));
        await rows.addPrompt(newPrompt());
      });
      const ofA = await store.read((rows) => rows.prompts({ namespace: "a", limit: 10 }));
      expect(ofA.map((prompt) => prompt.content)).toEqual(["in a"]);
    });

    it("need their session", async () => {
      const store = current();
      await expect(store.write((rows) => rows.addPrompt(newPrompt({ session_id: "nobody" })))).rejects.toMatchObject({
        kind: "StoreFailed",
        message: expect.stringContaining("nobody"),
      });
    });
  });
}

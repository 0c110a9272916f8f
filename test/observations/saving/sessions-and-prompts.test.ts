import { describe, expect, it } from "vitest";
import { DEFAULT_SESSION, storedTime } from "../../../src/observations/observation.ts";
import { endSession, savePrompt, startSession } from "../../../src/observations/saving/sessions.ts";

import { NOW } from "../rows.ts";
import { stores } from "../stores.ts";
import { withoutNamespaces } from "./without-namespaces.ts";

const HOUR = 3_600_000;

describe.each(stores)("sessions in the %s store", (_name, open) => {
  it("start and end", async () => {
    const store = await open();
    const started = await startSession(store, { id: "s", project: "shop", directory: "/shop" }, { now: NOW });
    const session = {
      id: "s",
      project: "shop",
      directory: "/shop",
      started_at: storedTime(NOW),
      ended_at: null,
      summary: null,
    };
    expect(started).toEqual({ session, isNew: true });
    const ended = await endSession(store, { id: "s", summary: "Did <private>x</private>" }, { now: NOW + HOUR });
    expect(ended).toEqual({ ...session, ended_at: storedTime(NOW + HOUR), summary: "Did [REDACTED]" });
    expect(await store.read((rows) => rows.session("s"))).toEqual(ended);
    await store.close();
  });

  it("are left as they are when they start again", async () => {
    const store = await open();
    const first = await startSession(store, { id: "s", project: "shop" }, { now: NOW });
    const again = await startSession(store, { id: "s", project: "other", directory: "/x" }, { now: NOW + HOUR });
    expect(again).toEqual({ session: first.session, isNew: false });
    await store.close();
  });

  it("keep their summary when they end again without one", async () => {
    const store = await open();
    await startSession(store, { id: "s", project: "shop" }, { now: NOW });
    await endSession(store, { id: "s", summary: "Done" }, { now: NOW });
    expect(await endSession(store, { id: "s" }, { now: NOW + HOUR })).toMatchObject({ summary: "Done" });
    await store.close();
  });

  it("must be known to end, and named to start", async () => {
    const store = await open();
    await expect(endSession(store, { id: "nobody" }, { now: NOW })).rejects.toMatchObject({
      kind: "NotFound",
      message: expect.stringContaining("nobody"),
    });
    for (const request of [
      { id: " ", project: "shop" },
      { id: "s", project: "" },
    ])
      await expect(startSession(store, request, { now: NOW })).rejects.toMatchObject({
        kind: "InvalidInput",
      });
    expect((await store.read((rows) => rows.totals())).sessions).toBe(0);
    await store.close();
  });
});

describe.each(stores)("prompts in the %s store", (_name, open) => {
  it("are kept whole, with their session", async () => {
    const store = await open();
    const { id } = await savePrompt(store, { content: " Fix <private>it</private> ", project: "shop" }, { now: NOW });
    expect(await store.read((rows) => rows.prompts({ limit: 5 }))).toEqual([
      {
        id,
        session_id: DEFAULT_SESSION,
        content: "Fix [REDACTED]",
        project: "shop",
        namespace: null,
        created_at: storedTime(NOW),
      },
    ]);
    await store.close();
  });

  it("must not be blank, nor of a namespace that cannot be stored", async () => {
    const store = withoutNamespaces(await open());
    const saving = (content: string, namespace?: string) => savePrompt(store, { content, namespace }, { now: NOW });
    await expect(saving(" ")).rejects.toMatchObject({ kind: "InvalidInput" });
    await expect(saving("text", "team")).rejects.toMatchObject({ code: "NO_NAMESPACES" });
    expect(await store.read((rows) => rows.totals())).toMatchObject({ prompts: 0, sessions: 0 });
    await store.close();
  });
});

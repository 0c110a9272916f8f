// What a session taught, in the store: a row a lesson, however often the session is read, and gone again with one call.
import { describe, expect, it } from "vitest";
import { restoreObservations } from "../../../src/observations/compaction/restore-observations.ts";
import { deleteObservation, updateObservation } from "../../../src/observations/saving/change-observation.ts";
import {
  forgetSession,
  planRemember,
  type RememberRequest,
  rememberSession,
} from "../../../src/observations/saving/remember-session.ts";
import type { Lesson } from "../../../src/summaries/lessons.ts";
import { everyRow, NOW } from "../rows.ts";
import { stores } from "../stores.ts";

const lesson = (key: string, content = `Asked: ${key}. It was done.`): Lesson => ({
  ...{ type: "change", key, title: key, content },
  ...{ from: { step: 1, message: 3 }, to: { step: 1, message: 9 } },
});

const HOUR = 3_600_000;
const FIRST: RememberRequest = { sessionId: "s-1", project: "shop", lessons: [lesson("a"), lesson("b")] };

describe.each(stores)("remembering a session in the %s store", (_name, open) => {
  const start = async () => {
    const store = await open();
    let now = NOW;
    const remember = async (request: RememberRequest = FIRST) => {
      now += HOUR;
      const planned = await planRemember(store, request);
      const written = await rememberSession(store, request, { now });
      expect(planned.map(({ action }) => action)).toEqual(written.map(({ action }) => action));
      return written.map(({ action }) => action);
    };
    const live = async () => (await everyRow(store)).filter(({ deleted_at }) => deleted_at === null);
    return { store, remember, live };
  };

  it("writes a row a lesson, of its project and session, and nothing the second time", async () => {
    const { store, remember, live } = await start();
    expect(await planRemember(store, FIRST)).toMatchObject([
      { action: "new", id: null },
      { action: "new", id: null },
    ]);
    expect(await live()).toEqual([]);
    expect(await remember()).toEqual(["new", "new"]);
    const rows = await live();
    expect(rows).toMatchObject([
      { session_id: "s-1", type: "change", title: "a", project: "shop", tool_name: "remember" },
      { session_id: "s-1", type: "change", title: "b", project: "shop", tool_name: "remember" },
    ]);
    expect(await remember()).toEqual(["known", "known"]);
    expect(await live()).toEqual(rows);
  });

  it("tells more where the session went on, and keeps what the row said before", async () => {
    const { store, remember, live } = await start();
    await remember();
    const more = { ...FIRST, lessons: [lesson("a"), lesson("b", "Asked: b. It was done, and tested."), lesson("c")] };
    expect(await remember(more)).toEqual(["known", "longer", "new"]);
    expect((await live()).map(({ content }) => content)).toContain("Asked: b. It was done, and tested.");
    expect((await everyRow(store)).filter(({ deleted_at }) => deleted_at !== null)).toMatchObject([
      { content: "Asked: b. It was done." },
    ]);
    // From another folder: the rows stay where they are.
    const elsewhere = { ...more, project: "cli", lessons: [lesson("a", "Asked: a. It was done, twice."), lesson("c")] };
    expect(await remember(elsewhere)).toEqual(["longer", "known"]);
    expect((await live()).map(({ project }) => project)).toEqual(["shop", "shop", "shop"]);
  });

  it("leaves what somebody edited, deleted or wrote as it is", async () => {
    const { store, remember, live } = await start();
    await remember();
    const [a = 0, b = 0] = (await live()).map(({ id }) => id);
    await updateObservation(store, { id: a, content: "What I say of a." }, { now: NOW + 2 * HOUR });
    await deleteObservation(store, { id: b }, { now: NOW + 2 * HOUR });
    expect(await remember()).toEqual(["edited", "deleted"]);
    expect((await live()).map(({ content }) => content)).toEqual(["What I say of a."]);
    expect(await remember({ ...FIRST, sessionId: "fork", lessons: [lesson("b")] })).toEqual(["new"]);
    expect(await remember({ ...FIRST, sessionId: "fork of it", lessons: [lesson("b")] })).toEqual(["repeated"]);
    expect(await remember({ ...FIRST, sessionId: "x".repeat(500) })).toEqual(["new", "repeated"]);
  });

  it("is taken back with one call but for what was edited, comes back by a restore, and not by itself", async () => {
    const { store, remember, live } = await start();
    await remember();
    await remember({ ...FIRST, sessionId: "s-10", lessons: [lesson("other")] });
    const before = await live();
    const [a = 0, b = 0] = before.map(({ id }) => id);
    await updateObservation(store, { id: a, title: "Mine" }, { now: NOW + 3 * HOUR });
    const forgotten = await forgetSession(store, "s-1", { now: NOW + 4 * HOUR });
    expect(forgotten).toEqual({ deleted: [b], edited: [a] });
    expect((await live()).map(({ title }) => title)).toEqual(["Mine", "other"]);
    expect(await remember()).toEqual(["edited", "deleted"]);
    await restoreObservations(store, { ids: [b] }, { now: NOW + 5 * HOUR });
    expect((await live())[1]).toEqual(before[1]);
  });
});

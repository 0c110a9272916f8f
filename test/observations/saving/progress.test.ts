import { describe, expect, it } from "vitest";
import { storedTime } from "../../../src/observations/observation.ts";
import { readProgress, writeProgress } from "../../../src/observations/saving/progress.ts";
import { everyRow, NOW } from "../rows.ts";
import { stores } from "../stores.ts";
import { withoutNamespaces } from "./without-namespaces.ts";

describe.each(stores)("the progress of a project in the %s store", (_name, open) => {
  it("is one row of a topic, replaced by each write", async () => {
    const store = await open();
    const { id } = await writeProgress(store, { project: "My Shop", content: '{"done": []}' }, { now: NOW });
    const later = NOW + 60_000;
    await writeProgress(store, { project: "My Shop", content: '{"done": [1]}', sessionId: "other" }, { now: later });
    const row = await readProgress(store, { project: "My Shop" });
    expect(row).toMatchObject({
      id,
      type: "progress",
      topic_key: "progress/my-shop",
      project: "My Shop",
      scope: "project",
      session_id: "manual-save",
      content: '{"done": [1]}',
      revision_count: 2,
      created_at: storedTime(NOW),
      updated_at: storedTime(later),
    });
    expect(await everyRow(store)).toEqual([row]);
    await store.close();
  });

  it("keeps the text of the document as it was sent", async () => {
    const store = await open();
    const content = '{"big": 12345678901234567890, "a":1.0,\n "é": "\\u0000"}';
    await writeProgress(store, { project: "shop", content }, { now: NOW });
    expect((await readProgress(store, { project: "shop" }))?.content).toBe(content);
    await store.close();
  });

  it("is apart for each project and namespace", async ({ skip }) => {
    const store = await open();
    if (!(await store.read(async (rows) => rows.hasNamespaces))) skip();
    const places = [{ project: "shop" }, { project: "SHOP" }, { project: "shop", namespace: "a" }];
    for (const [index, place] of places.entries())
      await writeProgress(store, { ...place, content: `${index}` }, { now: NOW });
    for (const [index, place] of places.entries()) expect((await readProgress(store, place))?.content).toBe(`${index}`);
    expect((await readProgress(store, { project: "shop", namespace: "a" }))?.topic_key).toBe("progress/a/shop");
    expect(await readProgress(store, { project: "none" })).toBeUndefined();
    await store.close();
  });

  it("must be JSON, also without its private parts", async () => {
    const store = await open();
    const writing = (content: string) => writeProgress(store, { project: "p", content }, { now: NOW });
    for (const content of ["", "{", "not json", '{"a": "<private>", "b": 1}'])
      await expect(writing(content)).rejects.toMatchObject({ kind: "InvalidInput", code: "INVALID_JSON" });
    expect(await everyRow(store)).toEqual([]);
    await writing('{"key": "<private>abc</private>"}');
    expect((await everyRow(store))[0]?.content).toBe('{"key": "[REDACTED]"}');
    await store.close();
  });

  it("wants a project, and a namespace only where there are some", async () => {
    const store = withoutNamespaces(await open());
    await expect(readProgress(store, { project: " " })).rejects.toMatchObject({ kind: "InvalidInput" });
    await expect(readProgress(store, { project: "p", namespace: "n" })).rejects.toMatchObject({
      code: "NO_NAMESPACES",
    });
    const writing = writeProgress(store, { project: "p", namespace: "n", content: "1" }, { now: NOW });
    await expect(writing).rejects.toMatchObject({ code: "NO_NAMESPACES" });
    await store.close();
  });
});

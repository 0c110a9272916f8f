import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { Tool } from "../../../src/mcp/tool.ts";
import { memDelete, memRelate, memSession, memUpdate } from "../../../src/mcp/tools/mem-change.ts";
import { memProgress } from "../../../src/mcp/tools/mem-progress.ts";
import { memSave } from "../../../src/mcp/tools/mem-save.ts";
import { compactObservations } from "../../../src/observations/compaction/compact-observations.ts";
import { createMemoryObservationStore } from "../../../src/observations/memory-observation-store.ts";
import { storedTime } from "../../../src/observations/observation.ts";
import type { ObservationStore } from "../../../src/observations/observation-store.ts";
import { everyRow, NOW, row, seed } from "../../observations/rows.ts";
import { stores } from "../../observations/stores.ts";
import { verifies } from "../../requirements/verifies.ts";
import { countTokens, toolContext } from "./tool-context.ts";

const TOOLS: readonly Tool[] = [memSave, memUpdate, memDelete, memSession, memProgress, memRelate];
const LONG = "a very long name ".repeat(5000);

/** Runs a tool as the server does, and holds its answer to its own schema. */
async function call<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
  store: ObservationStore,
  input: z.input<Input>,
) {
  const answer = await tool.run(tool.params.parse(input), toolContext(store));
  const structured = z.strictObject(tool.result.shape).parse(answer.structured) as z.infer<Output>;
  return { text: answer.text, structured };
}

describe("the tools that save", () => {
  it.each(TOOLS.map((tool) => [tool.name, tool] as const))("%s describes itself and every argument", (_name, tool) => {
    expect(tool.description.length).toBeGreaterThan(80);
    for (const field of Object.values(tool.params.shape)) expect((field as z.ZodType).description).toBeTruthy();
    expect(tool.hints.isReadOnly).toBe(false);
    expect(z.toJSONSchema(tool.result).type).toBe("object");
  });

  it("destroys nothing and says so, since hosts refuse what may: mem_save", () => {
    verifies("fault/hints-of-half-a-tool");
    expect(memSave.hints).toMatchObject({ isReadOnly: false, isDestructive: false });
  });

  it("keep their answers short whatever they are sent", async () => {
    const store = createMemoryObservationStore();
    const others = await seed(
      store,
      Array.from({ length: 60 }, (_, index) => row({ content: `${index}`, deleted_at: storedTime(NOW) })),
    );
    const texts = [
      await call(memSave, store, { title: LONG, content: LONG, type: LONG, relate_to: others.slice(0, 50) }),
      await call(memSave, store, { title: LONG, content: "b", topic_key: LONG, relate_to: others }),
      await call(memUpdate, store, { id: others.length + 1, title: `${LONG}!`, project: LONG }),
      await call(memSession, store, { action: "start", id: LONG, project: LONG }),
      await call(memProgress, store, { project: LONG, content: JSON.stringify(LONG) }),
      await call(memProgress, store, { project: LONG }),
    ];
    for (const { text, structured } of texts) {
      expect(countTokens(text)).toBeLessThan(9000);
      expect(countTokens(JSON.stringify(structured))).toBeLessThan(9000);
    }
  });
});

describe("what looks like a secret", () => {
  const KEY = `ghp_${"aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cD3eF5"}`;
  const note = {
    title: "Deploy",
    content: `It runs.\nIt was deployed with ${KEY}\nand <private>password: hunter2</private> is gone`,
  };

  it("is stored as it is by mem_save, with a warning that names its place and not the value", async () => {
    const store = createMemoryObservationStore();
    const { text, structured } = await call(memSave, store, note);
    expect(text).toContain("Warning: stored, and looks like a secret: content line 2 (github-token).");
    expect(structured.secrets).toEqual([{ field: "content", line: 2, rule: "github-token" }]);
    expect(text + JSON.stringify(structured)).not.toContain(KEY);
    expect((await everyRow(store))[0]?.content).toContain(KEY);
  });

  it("is left out with redact, by mem_save, a prompt and mem_update", async () => {
    const store = createMemoryObservationStore();
    const saved = await call(memSave, store, { ...note, title: `Deploy ${KEY}`, redact: true });
    expect(saved.text).toContain("Stored as <REDACTED>: title line 1 (github-token), content line 2 (github-token)");
    await call(memSave, store, { save_type: "prompt", content: `use ${KEY}`, redact: true });
    await call(memUpdate, store, { id: 1, content: `now ${KEY}`, redact: true });
    expect(JSON.stringify(await everyRow(store))).not.toContain(KEY);
    expect((await everyRow(store)).map(({ content }) => content)).toContain("now <REDACTED>");
  });

  it("is told by mem_progress, or left out of what stays JSON", async () => {
    const store = createMemoryObservationStore();
    const sent = { project: "shop", content: `{"next":"deploy with ${KEY}"}` };
    const { text, structured } = await call(memProgress, store, sent);
    expect(text).toContain("Warning: stored, and looks like a secret: content line 1 (github-token).");
    expect(structured.secrets).toEqual([{ field: "content", line: 1, rule: "github-token" }]);
    await call(memProgress, store, { ...sent, redact: true });
    const read = await call(memProgress, store, { project: "shop" });
    expect(JSON.parse(`${read.structured.content}`)).toEqual({ next: "deploy with <REDACTED>" });
  });

  it("is told by mem_update, and of nothing else anything", async () => {
    const store = createMemoryObservationStore();
    const { structured } = await call(memSave, store, {
      title: "Plain",
      content: "the password rules are in SECURITY.md",
    });
    expect(structured).not.toHaveProperty("secrets");
    expect((await call(memUpdate, store, { id: 1, title: `T ${KEY}` })).text).toContain("title line 1 (github-token)");
  });
});

describe.each(stores)("mem_save over the %s store", (_name, open) => {
  it("saves an observation and suggests a topic key", async () => {
    const store = await open();
    const saved = await call(memSave, store, { title: "Use WAL", content: "One writer", type: "decision" });
    const [stored] = await everyRow(store);
    expect(saved.text).toBe(
      `Memory saved: "Use WAL" (decision)\nSuggested topic_key: decision/use-wal\nID: ${stored?.id}`,
    );
    expect(saved.structured).toEqual({
      save_type: "observation",
      id: stored?.id,
      outcome: "created",
      topic_key: null,
      suggested_topic_key: "decision/use-wal",
      revision_count: 1,
      related_to: [],
      not_related: [],
    });
    await store.close();
  });

  it("passes every argument on", async () => {
    const store = await open();
    const [other = 0] = await seed(store, [row()]);
    const { text } = await call(memSave, store, {
      title: "T",
      content: "C",
      type: "bugfix",
      session_id: "s",
      project: "shop",
      scope: "personal",
      topic_key: "Bug/One",
      relate_to: `[${other}]`,
    });
    const stored = (await everyRow(store)).find((observation) => observation.title === "T");
    expect(stored).toMatchObject({
      content: "C",
      type: "bugfix",
      session_id: "s",
      project: "shop",
      scope: "personal",
      topic_key: "bug/one",
    });
    expect(text).toBe(`Memory saved: "T" (bugfix)\nTopic key: bug/one\nID: ${stored?.id}\nRelations created: 1/1`);
    await store.close();
  });

  it("updates a topic, by its key or by the suggested one", async () => {
    const store = await open();
    const input = { title: "Use WAL", content: "One writer", type: "decision", upsert: true };
    const first = await call(memSave, store, input);
    expect(first.text).toContain("Topic key: decision/use-wal");
    const second = await call(memSave, store, { ...input, content: "Many readers" });
    expect(second.structured).toMatchObject({ id: first.structured.id, outcome: "updated", revision_count: 2 });
    const third = await call(memSave, store, { ...input, upsert: false, topic_key: "decision/use-wal" });
    expect(third.structured).toMatchObject({ id: first.structured.id, revision_count: 3 });
    await store.close();
  });

  it("saves the note although its relations cannot be written, and says which", async () => {
    const store = await open();
    const [other = 0] = await seed(store, [row()]);
    const some = await call(memSave, store, { title: "T", content: "C", relate_to: [other, 999] });
    expect(some.text).toContain("\nRelations created: 1/2\nRelation warnings: 999 is not in the store");
    expect(some.structured).toMatchObject({
      related_to: [other],
      not_related: [{ id: 999, reason: "is not in the store" }],
    });
    for (const relate_to of ["not json", "{}", ["1"], [1.5]]) {
      const { text } = await call(memSave, store, { title: "T", content: `with ${relate_to}`, relate_to });
      expect(text).toContain("\nWarning: relate_to ignored ('relate_to' must be a valid JSON array of integers");
    }
    for (const relate_to of ["", []])
      expect((await call(memSave, store, { title: "T", content: "none", relate_to })).text).not.toContain("elation");
    await store.close();
  });

  it("wants a title, some text, and a save_type it knows", async () => {
    const store = await open();
    await expect(call(memSave, store, { content: "C" })).rejects.toThrow(
      "'title' is required for save_type=observation",
    );
    await expect(call(memSave, store, { title: "T", content: " " })).rejects.toThrow("'content' is required");
    await expect(call(memSave, store, { content: "C", save_type: "note" as "prompt" })).rejects.toThrow("observation");
    expect(await everyRow(store)).toEqual([]);
    await store.close();
  });

  it("keeps a prompt", async () => {
    const store = await open();
    const saved = await call(memSave, store, { save_type: "prompt", content: "Fix it", project: "shop" });
    const [prompt] = await store.read((rows) => rows.prompts({ limit: 2 }));
    expect(prompt).toMatchObject({ content: "Fix it", project: "shop" });
    expect(saved).toEqual({
      text: `Prompt saved (ID: ${prompt?.id})`,
      structured: { save_type: "prompt", id: prompt?.id },
    });
    await store.close();
  });

  it("captures what was learned", async () => {
    const store = await open();
    const content =
      "Done.\n\n## Key Learnings\n\n1. Locks are per file\n2. Locks are per file\n3. Two readers may wait\n";
    const capture = () => call(memSave, store, { save_type: "passive", content, project: "shop", source: "agent" });
    expect((await capture()).text).toBe("Passive capture complete: 2 extracted, 2 saved, 0 duplicates");
    expect(await capture()).toEqual({
      text: "Passive capture complete: 2 extracted, 0 saved, 2 duplicates",
      structured: { save_type: "passive", extracted: 2, saved: 0, duplicates: 2 },
    });
    expect((await everyRow(store)).map((observation) => observation.tool_name)).toEqual(["agent", "agent"]);
    await store.close();
  });
});

describe.each(stores)("mem_update and mem_delete over the %s store", (_name, open) => {
  it("update what is sent", async () => {
    const store = await open();
    const [id = 0] = await seed(store, [row({ topic_key: "t" })]);
    const { text, structured } = await call(memUpdate, store, { id, title: "New\ntitle", topic_key: "" });
    expect(text).toBe(`Observation ${id} updated: "New title" (rev 2)`);
    expect(structured).toEqual({
      id,
      revision_count: 2,
      project: "shop",
      scope: "project",
      topic_key: null,
      updated_at: storedTime(NOW),
    });
    await store.close();
  });

  it("delete softly or for good, and only what is there", async () => {
    const store = await open();
    const [id = 0] = await seed(store, [row()]);
    expect((await call(memDelete, store, { id })).text).toBe(`Observation ${id} soft-deleted`);
    await expect(call(memDelete, store, { id })).rejects.toMatchObject({ kind: "Conflict" });
    const hard = await call(memDelete, store, { id, hard_delete: true });
    expect(hard).toEqual({
      text: `Observation ${id} permanently deleted`,
      structured: { id, hard_delete: true, stood_for: [] },
    });
    await expect(call(memDelete, store, { id, hard_delete: true })).rejects.toMatchObject({ kind: "NotFound" });
    await expect(call(memUpdate, store, { id, title: "x" })).rejects.toMatchObject({ kind: "NotFound" });
    await store.close();
  });

  it("say what a deleted summary stood for", async () => {
    const store = await open();
    const ids = await seed(store, [row(), row({ content: "b" })]);
    const request = { olderThanDays: 30, ids, summaryTitle: "Both", summaryContent: "a and b" };
    const { summaryId = 0 } = await compactObservations(store, request, { now: NOW });
    const { text, structured } = await call(memDelete, store, { id: summaryId });
    expect(text).toContain(`It stood for 2 compacted observations, which stay deleted: ${ids.join(", ")}.`);
    expect(structured.stood_for).toEqual(ids);
    await store.close();
  });
});

describe.each(stores)("mem_session over the %s store", (_name, open) => {
  it("starts and ends", async () => {
    const store = await open();
    const start = { action: "start", id: "s", project: "shop" } as const;
    expect((await call(memSession, store, start)).text).toBe('Session "s" started for project "shop"');
    expect((await call(memSession, store, start)).structured.is_new).toBe(false);
    const ended = await call(memSession, store, { action: "end", id: "s", summary: "Done" });
    expect(ended.text).toBe('Session "s" completed');
    expect(await store.read((rows) => rows.session("s"))).toMatchObject({ summary: "Done", ended_at: storedTime(NOW) });
    await store.close();
  });

  it("wants a project to start, and a known session to end", async () => {
    const store = await open();
    await expect(call(memSession, store, { action: "start", id: "s" })).rejects.toThrow("'project' is required");
    await expect(call(memSession, store, { action: "end", id: "s" })).rejects.toMatchObject({ kind: "NotFound" });
    await store.close();
  });
});

describe.each(stores)("mem_relate over the %s store", (_name, open) => {
  it("adds and removes", async () => {
    const store = await open();
    const [a = 0, b = 0] = await seed(store, [row(), row({ content: "b" })]);
    const ends = { from_id: a, to_id: b };
    const one = await call(memRelate, store, { action: "add", ...ends, relation_type: "part_of", note: "why" });
    const [relation] = one.structured.relations;
    expect(one.text).toBe(`Relation created: #${a} → #${b} (part_of)\nRelation ID: ${relation?.id}`);
    const both = await call(memRelate, store, { action: "add", ...ends, relation_type: "x", bidirectional: true });
    const ids = both.structured.relations.map(({ id }) => id).join(", ");
    expect(both.text).toBe(`Bidirectional relation created: #${a} ↔ #${b} (x)\nRelation IDs: ${ids}`);
    const removed = await call(memRelate, store, { action: "remove", id: relation?.id ?? 0 });
    expect(removed).toEqual({
      text: `Relation ${relation?.id} removed`,
      structured: { action: "remove", relations: [relation] },
    });
    await store.close();
  });

  it("names what is missing", async () => {
    const store = await open();
    const [a = 0] = await seed(store, [row()]);
    await expect(call(memRelate, store, { action: "add", to_id: a })).rejects.toThrow("'from_id' is required");
    await expect(call(memRelate, store, { action: "add", from_id: a })).rejects.toThrow("'to_id' is required");
    await expect(call(memRelate, store, { action: "add", from_id: a, to_id: 999 })).rejects.toThrow("relation_type");
    await expect(call(memRelate, store, { action: "remove" })).rejects.toThrow("'id' is required");
    await store.close();
  });
});

describe.each(stores)("mem_progress over the %s store", (_name, open) => {
  it("writes and reads", async () => {
    const store = await open();
    expect(await call(memProgress, store, { project: "shop" })).toEqual({
      text: 'No progress found for "shop". Write it by calling mem_progress with content.',
      structured: { mode: "read" },
    });
    const written = await call(memProgress, store, { project: "shop", content: '{"next": "ship"}' });
    const id = written.structured.id;
    expect(written.text).toBe(`Progress updated for "shop" (ID: ${id})`);
    const read = await call(memProgress, store, { project: "shop", content: "" });
    const updated_at = storedTime(NOW);
    expect(read.text).toBe(
      `# Progress: shop\n\n{"next": "ship"}\n\n---\n_Last updated: ${updated_at} | ID: ${id} | Revisions: 1_\n📏 40 tokens`,
    );
    const structured = { mode: "read", id, content: '{"next": "ship"}', updated_at, revision_count: 1 };
    expect(read.structured).toEqual(structured);
    await store.close();
  });

  it("gives a long document in pages under the limit, none of it lost", async () => {
    const store = await open();
    const content = JSON.stringify({ notes: "界 \u{1F600} and some words, ".repeat(400) });
    await call(memProgress, store, { project: "shop", content });
    let read = "";
    let cursor: string | undefined;
    for (let pages = 0; pages < 100; pages++) {
      const page = await call(memProgress, store, { project: "shop", max_tokens: 1000, ...(cursor && { cursor }) });
      expect(countTokens(page.text)).toBeLessThanOrEqual(1000);
      expect(countTokens(JSON.stringify(page.structured))).toBeLessThanOrEqual(1000);
      read += page.structured.content;
      cursor = page.structured.next_cursor;
      if (cursor === undefined) break;
      expect(page.text).toContain(cursor);
    }
    expect(read).toBe(content);
    await store.close();
  });

  it("does not put parts of two documents together", async () => {
    const store = await open();
    const content = JSON.stringify("word ".repeat(2000));
    await call(memProgress, store, { project: "shop", content });
    const { next_cursor: cursor } = (await call(memProgress, store, { project: "shop", max_tokens: 500 })).structured;
    await call(memProgress, store, { project: "shop", content: `[${content}]` });
    await expect(call(memProgress, store, { project: "shop", cursor })).rejects.toMatchObject({ code: "STALE_CURSOR" });
    await expect(call(memProgress, store, { project: "shop", cursor: "nonsense" })).rejects.toMatchObject({
      code: "INVALID_CURSOR",
    });
    await store.close();
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memExport } from "../../../src/mcp/tools/mem-export.ts";
import { memImport } from "../../../src/mcp/tools/mem-import.ts";
import type { ObservationStore } from "../../../src/observations/observation-store.ts";
import { daysAgo, NOW, row } from "../../observations/rows.ts";
import { stores } from "../../observations/stores.ts";
import { dump, NOTHING_ADDED } from "../../observations/transfer/dump.ts";
import { fill, storeRows } from "../../observations/transfer/random-store.ts";
import { verifies } from "../../requirements/verifies.ts";
import { countTokens, toolContext } from "./tool-context.ts";

interface Page {
  readonly text: string;
  readonly structured: { readonly lines: readonly object[]; readonly next_cursor: string | null };
}

async function pagesOf(store: ObservationStore, max_tokens: number, project?: string): Promise<Page[]> {
  const pages: Page[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const asked = { max_tokens, ...(cursor ? { cursor } : {}), ...(project === undefined ? {} : { project }) };
    const page = (await memExport.run(asked, toolContext(store))) as unknown as Page;
    memExport.result.parse(page.structured);
    pages.push(page);
    cursor = page.structured.next_cursor;
    if (pages.length > 2000) throw new Error("the pages do not end");
  }
  return pages;
}

async function take(store: ObservationStore, content: string, format?: string) {
  const answer = await memImport.run({ content, ...(format === undefined ? {} : { format }) }, toolContext(store));
  return { text: answer.text, structured: memImport.result.parse(answer.structured) };
}

const session = {
  id: "manual-save",
  project: "",
  directory: "",
  started_at: daysAgo(90),
  ended_at: null,
  summary: null,
};

describe.each(stores)("mem_export and mem_import with the %s store", (_name, open) => {
  it("carry a store over page by page, in the text and in the structured part", async () => {
    verifies("values/export-import-round-trip");
    await fc.assert(
      fc.asyncProperty(storeRows, fc.integer({ min: 700, max: 3000 }), async (rows, most) => {
        const [from, byText, byStructure] = [await open(), await open(), await open()];
        await fill(from, rows);
        for (const { text, structured } of await pagesOf(from, most)) {
          expect(countTokens(text)).toBeLessThanOrEqual(most);
          expect(countTokens(JSON.stringify(structured))).toBeLessThanOrEqual(most);
          if (structured.lines.length === 0) continue;
          await take(byText, text);
          await take(byStructure, JSON.stringify(structured));
        }
        expect(await dump(byText)).toEqual(await dump(from));
        expect(await dump(byStructure)).toEqual(await dump(from));
      }),
      { numRuns: 30 },
    );
  });

  it("give pages that can be put together, and repeated", async () => {
    const [from, to] = [await open(), await open()];
    await from.write(async (writer) => {
      await writer.addSession(session);
      for (let id = 1; id <= 80; id++)
        await writer.addObservation(
          row({ content: `note ${id} `.repeat(20), deleted_at: id === 1 ? daysAgo(1) : null }),
        );
      await writer.addRelation({ from_id: 80, to_id: 1, type: "compacted_from", note: null, created_at: daysAgo(1) });
    });
    const pages = await pagesOf(from, 2000);
    expect(pages.length).toBeGreaterThan(4);
    const whole = pages.map(({ text }) => text).join("");
    expect((await take(to, whole)).structured).toMatchObject({ added: 80, relations: 1, skipped: [] });
    for (const { text } of pages.reverse()) expect((await take(to, text)).structured).toMatchObject(NOTHING_ADDED);
    expect(await dump(to)).toEqual(await dump(from));
  });

  it("keep equal rows apart that stand on different pages, also under new ids", async () => {
    const [from, empty, used] = [await open(), await open(), await open()];
    const addEqual = (store: ObservationStore, content: string) =>
      store.write(async (writer) => {
        await writer.addSession(session);
        const prompt = { session_id: "manual-save", content, project: null, namespace: null, created_at: daysAgo(5) };
        for (let id = 1; id <= 12; id++) await writer.addObservation(row({ content, created_at: daysAgo(5) }));
        for (let id = 1; id <= 12; id++) await writer.addPrompt(prompt);
      });
    await addEqual(from, "same ".repeat(100));
    await addEqual(used, "other");
    const pages = await pagesOf(from, 1000);
    expect(pages.length).toBeGreaterThan(5);
    for (const { text } of [...pages, ...pages]) {
      await take(empty, text);
      await take(used, text);
    }
    expect(await dump(empty)).toEqual(await dump(from));
    expect((await dump(used)).observations).toHaveLength(24);
  });

  it("find the ends of a relation again where ids are other ones, a page later", async () => {
    const [from, to] = [await open(), await open()];
    for (const [store, what] of [
      [from, "theirs"],
      [to, "mine"],
    ] as const)
      await store.write(async (writer) => {
        await writer.addSession(session);
        for (let id = 1; id <= 20; id++)
          await writer.addObservation(
            row({
              title: `${what} ${id}`,
              content: what.repeat(40),
              created_at: what === "mine" ? daysAgo(3) : daysAgo(9),
              deleted_at: id === 1 ? daysAgo(1) : null,
            }),
          );
      });
    const relation = { from_id: 20, to_id: 1, type: "compacted_from", note: null, created_at: daysAgo(1) };
    await from.write(async (writer) => writer.addRelation(relation));
    const pages = await pagesOf(from, 1500);
    expect(pages.at(-1)?.text).toContain('"type":"relation"');
    expect(pages.at(-1)?.text).not.toContain('"id":1,"session_id"');
    for (const { text } of pages) await take(to, text);
    const { observations, relations } = await dump(to);
    const titleOf = (id?: number) => observations.find((found) => found.id === id)?.title;
    expect(relations.map(({ from_id, to_id }) => [titleOf(from_id), titleOf(to_id)])).toEqual([
      ["theirs 20", "theirs 1"],
    ]);
  });

  it("name a row that no page can hold, and go on", async () => {
    const [from, to] = [await open(), await open()];
    await from.write(async (writer) => {
      await writer.addSession(session);
      for (const [id, content] of [["a"], ["b ".repeat(3000)], ["c".repeat(900_000)], ["d"]].entries())
        await writer.addObservation(row({ id: id + 1, content: content[0] ?? "" }));
    });
    const pages = await pagesOf(from, 1000);
    const text = pages.map((page) => page.text).join("");
    expect(text).toContain('{"type":"left_out","of":"observation","id":2,');
    expect(text).toContain('{"type":"left_out","of":"observation","id":3,');
    const { structured } = await take(to, text);
    expect(structured).toMatchObject({ added: 2 });
    expect(structured.skipped).toMatchObject([{ count: 2, reason: expect.stringContaining("left it out") }]);
    const named = /"id":2,"tokens":\d+,"max_tokens":(\d+)/.exec(text);
    const larger = await pagesOf(from, Number(named?.[1]));
    expect(larger.map((page) => page.text).join("")).toContain("b b b b");
  });

  it.each(["😀", "𠮷", "👨‍👩‍👧‍👦"])("name no row by half of %s", async (character) => {
    verifies("field/surrogate-pair-cut");
    const from = await open();
    await from.write(async (writer) => {
      for (let shift = 0; shift < 3; shift++) {
        await writer.addSession({
          ...session,
          id: `${"x".repeat(shift)}${character.repeat(60)}`,
          summary: "b ".repeat(3000),
        });
      }
    });
    const pages = await pagesOf(from, 1000);
    const lines = pages.flatMap(({ structured }) => structured.lines) as { type: string; id: string }[];
    expect(lines.map(({ type }) => type)).toEqual(["left_out", "left_out", "left_out"]);
    for (const { id } of lines) expect(id.replace(/^x{0,2}/, "").replaceAll(character, "")).toBe("");
  });

  it("export one project, with the sessions of others that its rows need, and end", async () => {
    const [from, to] = [await open(), await open()];
    await from.write(async (writer) => {
      for (const [id, project] of [
        ["s-1", "site"],
        ["s-2", "shop"],
        ["s-3", "site"],
      ] as const)
        await writer.addSession({ ...session, id, project, summary: "long ".repeat(150) });
      for (let id = 1; id <= 12; id++)
        await writer.addObservation(row({ session_id: id % 2 ? "s-1" : "s-2", content: "text ".repeat(300) }));
      await writer.addObservation(row({ project: "site", session_id: "s-3" }));
    });
    for (const { text } of await pagesOf(from, 800, "shop")) await take(to, text);
    const copied = await dump(to);
    expect(copied.sessions).toEqual((await dump(from)).sessions.slice(0, 2));
    expect(copied.observations).toEqual((await dump(from)).observations.slice(0, 12));
  });
});

describe("mem_export", () => {
  const [, open] = stores[0] ?? [];

  it("refuses a cursor that is none of its own and a limit that nothing fits", async () => {
    const store = (await open?.()) as ObservationStore;
    const context = toolContext(store);
    await expect(memExport.run({ cursor: "abc" }, context)).rejects.toMatchObject({ code: "INVALID_CURSOR" });
    await expect(memExport.run({ max_tokens: 3 }, context)).rejects.toMatchObject({ code: "MAX_TOKENS_TOO_SMALL" });
  });

  it("gives one line for an empty store, which imports as nothing", async () => {
    const store = (await open?.()) as ObservationStore;
    const { text } = await memExport.run({}, toolContext(store));
    expect(text).toBe('{"type":"page","lines":0,"next_cursor":null}\n');
    expect((await take(store, text)).structured).toMatchObject(NOTHING_ADDED);
  });
});

describe("mem_import", () => {
  const [, open] = stores[0] ?? [];

  it("says what it did and what it left out, for a person", async () => {
    const store = (await open?.()) as ObservationStore;
    const content = [
      JSON.stringify({ text: "kept", createdAt: NOW, weight: 1 }),
      "{torn",
      JSON.stringify({ text: "undated" }),
    ].join("\n");
    const { text, structured } = await take(store, content);
    expect(text).toBe(
      [
        "Imported (plain):",
        "- **Added**: 2 observations",
        "- **Unchanged**: 0",
        "- **Updated**: 0",
        "- **Sessions**: 1 · **Prompts**: 0 · **Relations**: 0 added",
        "\n⚠️ Not imported:",
        "- 1: not JSON (line 2)",
        "\nImported otherwise than written, or left as it is here:",
        "- 1: no time of creation that can be read: the time of the import is taken (line 3)",
        "\nNo place for these fields: weight (1)",
      ].join("\n"),
    );
    expect(structured).toMatchObject({ added: 2, skipped: [{ count: 1 }] });
  });

  it("tells how many rows hold what looks like a secret, and leaves it out with redact", async () => {
    const key = `ghp_${"aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cD3eF5"}`;
    const content = [`deployed with ${key}`, "nothing"]
      .map((text) => JSON.stringify({ text, createdAt: NOW }))
      .join("\n");
    const store = (await open?.()) as ObservationStore;
    const { text, structured } = await take(store, content);
    expect(text).toContain("1 of the rows hold what looks like a secret: redact: true leaves it out.");
    expect(structured).toMatchObject({ added: 2, rows_with_secrets: 1 });
    expect(text + JSON.stringify(structured)).not.toContain(key);
    const clean = (await open?.()) as ObservationStore;
    await memImport.run({ content, redact: true }, toolContext(clean));
    expect(JSON.stringify(await dump(clean))).not.toContain(key);
  });

  it("refuses what is no memory, a format it does not know, and too much at once", async () => {
    const store = (await open?.()) as ObservationStore;
    await expect(take(store, "hello")).rejects.toMatchObject({ kind: "InvalidInput", code: "UNKNOWN_FORMAT" });
    await expect(take(store, '{"text":"a"}', "csv")).rejects.toMatchObject({ code: "UNKNOWN_FORMAT" });
    await expect(take(store, "x".repeat(6_000_000))).rejects.toMatchObject({ code: "CONTENT_TOO_LONG" });
  });

  it("answers a hostile text briefly", async () => {
    const store = (await open?.()) as ObservationStore;
    const fields = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${"漢".repeat(200)}${index}`, 1]));
    const content = `${JSON.stringify({ text: "a", ...fields })}\n${"]\n".repeat(50_000)}`;
    const { text, structured } = await take(store, content);
    expect(countTokens(text)).toBeLessThan(2000);
    expect(countTokens(JSON.stringify(structured))).toBeLessThan(2000);
  });
});

import { describe, expect, it } from "vitest";
import { captureLearnings, learnedItems, suggestTopicKey } from "../../../src/observations/saving/save-observation.ts";

import { everyRow, NOW } from "../rows.ts";
import { stores } from "../stores.ts";

describe("learnedItems", () => {
  it.each([
    ["## Key Learnings", "## Next"],
    ["### key learnings:", "# Next"],
    ["# Aprendizajes clave ##", "## Siguiente"],
    ["**Key Learnings:**", "## Next"],
    ["**KEY LEARNINGS**:", "## Next"],
    ["Key Learnings:", "## Next"],
    ["## **Key Learnings**", "## Next"],
  ])("takes the lists under %s up to the next heading", (heading, next) => {
    const text = `- not yet\n${heading}\n\n- one\n* two\n1. three\n2) four\n\n${next}\n- no more\n`;
    expect(learnedItems(text)).toEqual(["one", "two", "three", "four"]);
  });

  it("takes several sections, nested items and lines that go on, each once", () => {
    const text = [
      "## Key Learnings",
      "Some words before the list.",
      "- first line",
      "  goes on here",
      "  - nested",
      "A paragraph of its own.",
      "  not indented under an item",
      "## Other",
      "- other",
      "## Key Learnings",
      "- nested",
      "- last",
    ].join("\r\n");
    expect(learnedItems(text)).toEqual(["first line goes on here", "nested", "last"]);
  });

  it("finds nothing elsewhere, nor in a hostile text", () => {
    expect(learnedItems("- a list\n## Learnings of key people\n- x\nThe key learnings: many")).toEqual([]);
    expect(learnedItems("## Key Learnings\n-\n-not an item\n1.x")).toEqual([]);
    expect(learnedItems(`${"#".repeat(200_000)}\n${" ".repeat(200_000)}- x\n${"- ".repeat(100_000)}`)).toEqual([]);
  });
});

describe.each(stores)("capturing what was learned in the %s store", (_name, open) => {
  it("saves each item once, however long ago it was", async () => {
    const store = await open();
    const content = "## Key Learnings\n- WAL needs one writer\n- <private>- secret\n- also</private> hidden";
    const request = { content, project: "shop", source: "reviewer" };
    const first = await captureLearnings(store, request, { now: NOW });
    expect(first).toMatchObject({ extracted: 2, duplicates: [] });
    const rows = await everyRow(store);
    expect(rows.map(({ content: text }) => text)).toEqual(["WAL needs one writer", "[REDACTED] hidden"]);
    expect(rows[0]).toMatchObject({ type: "passive", project: "shop", tool_name: "reviewer", title: rows[0]?.content });
    const again = await captureLearnings(store, request, { now: NOW + 90 * 86_400_000 });
    expect(again).toEqual({ extracted: 2, saved: [], duplicates: first.saved });
    expect(await everyRow(store)).toHaveLength(2);
    await store.close();
  });

  it("cuts titles between characters and texts nowhere", async () => {
    const store = await open();
    const item = "\u{1F469}\u200D\u{1F4BB}".repeat(40);
    await captureLearnings(store, { content: `Key Learnings:\n- ${item}` }, { now: NOW });
    const [row] = await everyRow(store);
    expect(row?.content).toBe(item);
    expect(row?.title).toBe("\u{1F469}\u200D\u{1F4BB}".repeat(16));
    await store.close();
  });
});

describe("suggestTopicKey", () => {
  it.each([
    [{ type: "decision", title: "Use PostgreSQL 16, not MySQL!" }, "decision/use-postgresql-16-not-mysql"],
    [{ type: "bugfix", title: "Café crème: Über-Fehler" }, "bug/cafe-creme-uber-fehler"],
    [{ title: "日本語 テスト" }, "topic/日本語-テスト"],
    [{ type: "My Type", title: "x" }, "my-type/x"],
    [{ type: "", title: "!!!", content: "From the text" }, "topic/from-the-text"],
    [{}, "topic/untitled"],
  ])("makes %o to %s", (source, expected) => {
    expect(suggestTopicKey(source)).toBe(expected);
  });

  it("is short, of whole words, whatever the title", () => {
    expect(suggestTopicKey({ title: "word ".repeat(100_000) })).toBe(`topic/${Array(12).fill("word").join("-")}`);
    expect(suggestTopicKey({ title: "\u{20000}".repeat(1000) })).toBe(`topic/${"\u{20000}".repeat(30)}`);
  });
});

// Search: every word must occur, whatever it is made of; deleted rows only where they are asked for.
import { describe, expect, it } from "vitest";
import type { ObservationStore, SearchQuery } from "../../../src/observations/observation-store.ts";
import { searchWords } from "../../../src/observations/search-words.ts";
import { verifies } from "../../requirements/verifies.ts";
import { addObservations } from "./sample-rows.ts";

export function describeSearch(current: () => ObservationStore): void {
  describe("search", () => {
    const find = (query: string, changes: Partial<SearchQuery> = {}) =>
      current().read((rows) =>
        rows.search({ words: searchWords(query), filter: {}, standing: "live", limit: 50, offset: 0, ...changes }),
      );
    const titles = async (query: string, changes: Partial<SearchQuery> = {}) =>
      (await find(query, changes)).rows.map((row) => row.title);

    it.each([
      ['foo"bar', 'The value foo"bar of a flag'],
      ["pre-edit", "Runs the pre-edit hook"],
      ["don't", "They don't agree"],
      ["C++", "Written in C++ mostly"],
      ["*", "Every file under src/*"],
      ["a/b", "In folder a/b"],
      ["title:foo", "The header title:foo was odd"],
      ["'; DROP TABLE", "A text with '; DROP TABLE observations"],
      ["AND OR", "AND OR NOT NEAR are words"],
      ["NEAR(", "A call of NEAR(x)"],
      ["😀", "A smile 😀 in a title"],
      ["日本語", "これは日本語テストです"],
      ["한국", "이것은 한국어입니다"],
      ["%", "At 100% of the window"],
      ["_x_", "A name like _x_ here"],
      ["cafe", "A café in the text"],
      ["CAFÉ", "A café in the text"],
      ["ÜBER", "Alles über Bord"],
      ["?!", "What?! No"],
      ['"quoted words"', "Some quoted words there"],
    ])("finds %s as it stands", async (query, content) => {
      verifies("values/hostile-search-text", "values/search-inside-wide-text", "rulings/sessions-on-demand");
      await addObservations(current(), [
        { title: "wanted", content },
        { title: "unrelated", content: "Nothing of that kind" },
      ]);
      const found = await find(query);
      expect(found.rows.map((row) => row.title)).toEqual(["wanted"]);
      expect([found.total, found.isBounded]).toEqual([1, false]);
    });

    it("parts words at a NUL", async () => {
      await addObservations(current(), [
        { title: "both", content: "alpha beta" },
        { title: "one", content: "alpha" },
      ]);
      expect(await titles("alpha\0beta")).toEqual(["both"]);
    });

    it("wants every word, in whichever columns they stand", async () => {
      await addObservations(current(), [
        { title: "Router", content: "slow", tool_name: "profiler", project: "shop", type: "bugfix" },
        { title: "Router", content: "fast" },
      ]);
      for (const query of ["router slow", "profiler router", "shop bugfix slow", "SLOW ROUTER"])
        expect((await find(query)).rows.map((row) => row.content)).toEqual(["slow"]);
      expect(await titles("router missing")).toEqual([]);
    });

    it("takes the parts of a word as a phrase, within one column", async () => {
      await addObservations(current(), [
        { title: "apart", content: "edit it pre or post" },
        { title: "pre", content: "edit" },
      ]);
      expect(await titles("pre-edit")).toEqual([]);
    });

    it("matches whole words, not beginnings", async () => {
      await addObservations(current(), [
        { title: "whole", content: "the cat" },
        { title: "part", content: "category" },
      ]);
      expect(await titles("cat")).toEqual(["whole"]);
    });

    it("combines wide text and words", async () => {
      await addObservations(current(), [
        { title: "both", content: "用Redis缓存 in production" },
        { title: "wide only", content: "用Redis缓存" },
      ]);
      expect(await titles("缓存 production")).toEqual(["both"]);
      expect((await find("缓存")).total).toBe(2);
    });

    it("leaves out deleted rows unless they are asked for", async () => {
      await addObservations(current(), [
        { title: "live", content: "word 日本語" },
        { title: "dead", content: "word 日本語", deleted_at: "2031-03-09 00:00:00" },
      ]);
      for (const query of ["word", "日本語"]) {
        expect(await titles(query)).toEqual(["live"]);
        expect(await titles(query, { standing: "deleted" })).toEqual(["dead"]);
        expect((await titles(query, { standing: "any" })).sort()).toEqual(["dead", "live"]);
        expect((await find(query)).total).toBe(1);
      }
    });

    it("follows a row that changes or goes", async () => {
      const [id = 0] = await addObservations(current(), [{ title: "row", content: "oldword" }]);
      await current().write((rows) => rows.changeObservations([id], { content: "newword" }));
      expect([await titles("oldword"), await titles("newword")]).toEqual([[], ["row"]]);
      await current().write((rows) => rows.removeObservation(id));
      expect(await titles("newword")).toEqual([]);
    });

    it("keeps to the filter", async () => {
      await addObservations(current(), [
        { title: "mine", content: "word" },
        { title: "other project", content: "word", project: "other" },
        { title: "personal", content: "word", scope: "personal" },
        { title: "bugfix", content: "word", type: "bugfix" },
      ]);
      expect(await titles("word", { filter: { project: "other" } })).toEqual(["other project"]);
      expect(await titles("word", { filter: { scope: "personal" } })).toEqual(["personal"]);
      expect(await titles("word", { filter: { type: "bugfix" } })).toEqual(["bugfix"]);
      expect((await find("word", { filter: { project: "shop" } })).total).toBe(3);
    });

    it("pages, equals newest first, and tells the total", async () => {
      const days = [1, 4, 2, 3];
      await addObservations(
        current(),
        days.map((day) => ({ title: `day ${day}`, content: "word", created_at: `2031-03-0${day} 00:00:00` })),
      );
      const first = await find("word", { limit: 3 });
      expect([first.rows.map((row) => row.title), first.total]).toEqual([["day 4", "day 3", "day 2"], 4]);
      expect(await titles("word", { limit: 3, offset: 3 })).toEqual(["day 1"]);
    });

    it("puts the words as they were typed before their likes", async () => {
      await addObservations(current(), [
        { title: "literal", content: "written in C++ here", created_at: "2031-03-01 00:00:00" },
        { title: "alike", content: "C is C and C stays C", created_at: "2031-03-02 00:00:00" },
      ]);
      expect(await titles("C++")).toEqual(["literal", "alike"]);
    });

    it("survives a long query and long rows", async () => {
      await addObservations(current(), [{ title: "long", content: `${"filler ".repeat(20_000)}needle` }]);
      expect(await titles("needle")).toEqual(["long"]);
      expect(await titles("x".repeat(100_000))).toEqual([]);
      expect(await titles("- ".repeat(10_000))).toEqual([]);
    });

    it("gives the ids of rows with any of the words, latest first, and the words that begin so", async () => {
      const ids = await addObservations(current(), [
        { title: "one", content: "caching" },
        { title: "two", content: "Cache and 日本語" },
        { title: "three", content: "neither" },
        { title: "four", content: "cache", deleted_at: "2031-03-09 00:00:00" },
      ]);
      const withAny = (words: string, changes: Partial<SearchQuery> = {}) =>
        current().read((rows) =>
          rows.withAnyWord({ words: searchWords(words), filter: {}, standing: "live", ...changes }),
        );
      expect(await withAny("cache caching")).toEqual([ids[1], ids[0]]);
      expect(await withAny("日本語 neither")).toEqual([ids[2], ids[1]]);
      expect(await withAny("cache", { standing: "any" })).toEqual([ids[3], ids[1]]);
      expect(await withAny("cache", { filter: { project: "other" } })).toEqual([]);
      const wordsFrom = (start: string, limit: number) => current().read((rows) => rows.wordsFrom(start, limit));
      expect(await wordsFrom("cach", 10)).toEqual(["cache", "caching"]);
      expect(await wordsFrom("cach", 1)).toEqual(["cache"]);
      expect(await wordsFrom("nothing", 10)).toEqual([]);
    });
  });
}

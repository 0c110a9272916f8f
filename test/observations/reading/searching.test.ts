import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compactObservations } from "../../../src/observations/compaction/compact-observations.ts";
import type { ObservationStore } from "../../../src/observations/observation-store.ts";
import { searchObservations } from "../../../src/observations/reading/search-observations.ts";
import { verifies } from "../../requirements/verifies.ts";
import { NOW, row, seed } from "../rows.ts";
import { stores } from "../stores.ts";

describe.each(stores)("searchObservations on the %s store", (_, open) => {
  let store: ObservationStore;
  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store.close());

  const idsOf = async (query: string, changes: object = {}) =>
    (await searchObservations(store, { query, ...changes })).found.map(({ observation }) => observation.id);

  it("takes every text literally, and finds nothing for a text without words", async () => {
    verifies("values/hostile-search-text", "field/search-syntax-errors");
    const contents = ['keep foo"bar here', "a pre-edit hook", "don't", "see a/b", "in C++ code", "AND OR", "title:foo"];
    const ids = await seed(
      store,
      contents.map((content) => row({ content })),
    );
    expect(await idsOf('foo"bar')).toEqual([ids[0]]);
    expect(await idsOf("pre-edit")).toEqual([ids[1]]);
    expect(await idsOf("don't")).toEqual([ids[2]]);
    expect(await idsOf("a/b")).toEqual([ids[3]]);
    expect(await idsOf("C++")).toEqual([ids[4]]);
    expect(await idsOf("AND OR")).toEqual([ids[5]]);
    expect(await idsOf("title:foo")).toEqual([ids[6]]);
    expect(await idsOf('"hook')).toEqual([ids[1]]);
    expect(await idsOf("pre-edit\0hook")).toEqual([ids[1]]);
    for (const query of [
      "'; DROP TABLE observations; --",
      "*",
      "NEAR(",
      "{",
      "a\0b",
      "^",
      "(((",
      "-",
      "x".repeat(100_000),
    ]) {
      expect((await searchObservations(store, { query })).reason).toBeUndefined();
    }
    for (const query of ["", "  \n\t ", '"', '"" """', "\0"]) {
      expect(await searchObservations(store, { query })).toEqual({
        found: [],
        total: 0,
        isBounded: false,
        reason: "no_words",
        deletedMatches: 0,
      });
    }
    expect(await idsOf("hook")).toEqual([ids[1]]);
  });

  it("finds Chinese, Japanese and emoji inside longer text, and Spanish in any case", async () => {
    verifies("values/search-inside-wide-text");
    const ids = await seed(store, [
      row({ content: "日本語テスト" }),
      row({ content: "请把数据库迁移到新服务器" }),
      row({ content: "Decisión: usar Ñandú en producción" }),
      row({ content: "shipped 🚀🚀 today" }),
    ]);
    expect(await idsOf("日本語")).toEqual([ids[0]]);
    expect(await idsOf("数据库 新服务器")).toEqual([ids[1]]);
    expect(await idsOf("ÑANDÚ decisión")).toEqual([ids[2]]);
    expect(await idsOf("🚀")).toEqual([ids[3]]);
  });

  it("restricts by type, project, scope and namespace; blank ones restrict nothing", async () => {
    const ids = await seed(store, [
      row({ content: "alpha", type: "bugfix" }),
      row({ content: "alpha", scope: "personal" }),
      row({ content: "alpha", project: "depot" }),
      row({ content: "alpha", namespace: "team" }),
    ]);
    expect(await idsOf("alpha", { type: "bugfix" })).toEqual([ids[0]]);
    expect(await idsOf("alpha", { scope: " PERSONAL " })).toEqual([ids[1]]);
    expect(await idsOf("alpha", { project: "depot" })).toEqual([ids[2]]);
    expect(await idsOf("alpha", { namespace: "team" })).toEqual([ids[3]]);
    expect(await idsOf("alpha", { project: " ", scope: "", namespace: "", type: "" })).toHaveLength(4);
  });

  it("gives all rows once over pages, with their total", async () => {
    const ids = await seed(
      store,
      Array.from({ length: 45 }, (_, index) => row({ content: `alpha ${index}` })),
    );
    const seen: number[] = [];
    for (let offset = 0; offset < 45; offset += 10) {
      const page = await searchObservations(store, { query: "alpha", offset });
      expect(page.total).toBe(45);
      seen.push(...page.found.map(({ observation }) => observation.id));
    }
    expect(new Set(seen).size).toBe(45);
    expect([...seen].sort((a, b) => a - b)).toEqual(ids);
    expect(await idsOf("alpha", { limit: 3 })).toHaveLength(3);
    expect(await idsOf("alpha", { limit: 0 })).toHaveLength(10);
    expect(await idsOf("alpha", { limit: 100 })).toHaveLength(45);
  });

  it("keeps compacted rows out unless asked for, and says what stands for them", async () => {
    verifies("rulings/compacted-rows-findable");
    const ids = await seed(store, [
      row({ content: "alpha one" }),
      row({ content: "alpha two" }),
      row({ content: "beta" }),
    ]);
    const { summaryId } = await compactObservations(
      store,
      { olderThanDays: 30, ids: ids.slice(0, 2), summaryTitle: "Gamma", summaryContent: "What mattered" },
      { now: NOW },
    );
    const live = await searchObservations(store, { query: "alpha" });
    expect(live).toMatchObject({ found: [], total: 0, deletedMatches: 2 });
    const any = await searchObservations(store, { query: "alpha", standing: "any" });
    expect(any.found.map(({ observation, compactedInto }) => [observation.id, compactedInto])).toEqual([
      [ids[1], [summaryId]],
      [ids[0], [summaryId]],
    ]);
    expect(await idsOf("beta", { standing: "deleted" })).toEqual([]);
    expect(await idsOf("gamma mattered")).toEqual([summaryId]);
  });
});

import { describe, expect, it } from "vitest";
import { factList, factsOf, joinFacts } from "../../../src/observations/transfer/imported-rows.ts";
import { stores } from "../stores.ts";
import { contents, dump, importText, lines, NOTHING_ADDED } from "./dump.ts";

const entity = (name: string, ...observations: readonly unknown[]) => ({
  type: "entity",
  name,
  entityType: "person",
  observations,
});
const relation = (from: string, to: string, relationType = "knows") => ({ type: "relation", from, to, relationType });

describe.each(stores)("a knowledge graph in the %s store", (_name, open) => {
  it("becomes one observation an entity, with its relations", async () => {
    const store = await open();
    const text = lines(entity("Ada", "writes code", "two\nlines"), entity("Bob"), relation("Ada", "Bob"));
    expect(await importText(store, text)).toMatchObject({ added: 2, relations: 1, skipped: [] });
    const { observations, relations } = await dump(store);
    expect(observations).toMatchObject([
      { title: "Ada", type: "person", content: "- writes code\n- two\n  lines", tool_name: "knowledge-graph" },
      { title: "Bob", type: "person", content: "" },
    ]);
    expect(relations).toMatchObject([{ from_id: 1, to_id: 2, type: "knows" }]);
    expect(await importText(store, text, Date.UTC(2027, 0, 1))).toMatchObject({ ...NOTHING_ADDED, unchanged: 2 });
  });

  it("takes names of other casing, and facts under other names", async () => {
    const store = await open();
    const ada = { type: "entity", name: "Ada", entity_type: "person", observations: [{ observation: "writes code" }] };
    const knows = { type: "relation", from_entity: "Ada", to_entity: "Bob", relation_type: "knows" };
    expect(await importText(store, lines(ada, entity("Bob"), knows))).toMatchObject({
      added: 2,
      relations: 1,
      skipped: [],
    });
    const { observations, relations } = await dump(store);
    expect(observations).toMatchObject([{ type: "person", content: "- writes code" }, { title: "Bob" }]);
    expect(relations).toMatchObject([{ type: "knows" }]);
  });

  it("takes the earliest time of its facts, and the kind of a line by either name", async () => {
    const store = await open();
    const dated = {
      _type: "entity",
      _savedAt: "2026-03-01T00:00:00Z",
      name: "Ada",
      entityType: "person",
      observations: [
        { text: "second", timestamp: "2026-02-02T00:00:00.5Z", version: "1.0" },
        { text: "first", timestamp: "2026-01-01T00:00:00Z", version: "1.0" },
      ],
    };
    const report = await importText(store, lines(dated));
    expect(report.dropped_fields).toEqual({ "observations[].version": 2 });
    expect((await dump(store)).observations).toMatchObject([
      { content: "- second\n- first", created_at: "2026-01-01 00:00:00", updated_at: "2026-02-02 00:00:00" },
    ]);
  });

  it("updates an entity that grew, and loses no fact that only the store has", async () => {
    const store = await open();
    await importText(store, lines(entity("Ada", "a", "b")));
    expect(await importText(store, lines(entity("Ada", "a", "b", "c")))).toMatchObject({ added: 0, updated: 1 });
    expect(await importText(store, lines(entity("Ada", "a")))).toMatchObject({ updated: 0, kept_newer: 1 });
    expect(await importText(store, lines(entity("Ada", "d")))).toMatchObject({ added: 0, updated: 1 });
    expect(await contents(store)).toEqual(["- a\n- b\n- c\n- d"]);
    expect((await dump(store)).observations).toMatchObject([{ revision_count: 3 }]);
  });

  it("leaves a deleted entity deleted, and adds what was learned since", async () => {
    const store = await open();
    await importText(store, lines(entity("Ada", "a")));
    await store.write(async (writer) => writer.changeObservations([1], { deleted_at: "2026-02-01 00:00:00" }));
    expect(await importText(store, lines(entity("Ada", "a")))).toMatchObject({ added: 0, unchanged: 1 });
    expect(await importText(store, lines(entity("Ada", "a", "b")))).toMatchObject({ added: 1 });
    expect(await importText(store, lines(entity("Ada", "a", "b")))).toMatchObject({ added: 0, unchanged: 1 });
    expect((await dump(store)).observations.map(({ deleted_at }) => deleted_at === null)).toEqual([false, true]);
  });

  it("relates entities of an earlier file, and names what is missing", async () => {
    const store = await open();
    await importText(store, lines(entity("Ada", "a")));
    const report = await importText(
      store,
      lines(entity("Bob"), relation("Bob", "Ada"), relation("Bob", "Nobody"), "{broken"),
    );
    expect(report).toMatchObject({ added: 1, relations: 1 });
    expect(report.skipped.map(({ positions }) => positions)).toEqual([["line 4"], ["line 3"]]);
  });

  it("is read from one object, too", async () => {
    const store = await open();
    const graph = { entities: [entity("Ada", "a"), entity("Bob", "b")], relations: [relation("Ada", "Bob")] };
    expect(await importText(store, JSON.stringify(graph))).toMatchObject({ added: 2, relations: 1 });
  });

  it("may have two entities of one name and different types", async () => {
    const store = await open();
    const text = lines(entity("Ada", "a"), { ...entity("Ada", "b"), entityType: "language" });
    await importText(store, text);
    expect(await importText(store, text)).toMatchObject({ ...NOTHING_ADDED, unchanged: 2 });
  });
});

describe("a list of facts", () => {
  it("gives its facts back, whatever they look like", () => {
    const facts = ["a", "- b", "c\n- d\r\ne", ""];
    expect(factsOf(factList(facts))).toEqual(["a", "- b", "c\n  - d\n  e", ""]);
    expect(joinFacts(factList(facts), factList(facts))).toBe(factList(facts));
    expect(joinFacts("free text", "- a")).toBe("free text\n- a");
    expect(joinFacts("", "- a")).toBe("- a");
  });
});

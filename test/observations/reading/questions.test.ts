// Questions as somebody asks them: not every word of them stands in the row that answers.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compactObservations } from "../../../src/observations/compaction/compact-observations.ts";
import type { ObservationStore } from "../../../src/observations/observation-store.ts";
import { snippetOf } from "../../../src/observations/reading/row-view.ts";
import { searchObservations } from "../../../src/observations/reading/search-observations.ts";
import { NOW, row, seed } from "../rows.ts";
import { stores } from "../stores.ts";

const NOTES = [
  { title: "Amounts", content: "Money is stored as whole cents; never as a float." },
  { title: "Images", content: "Pictures are cached on the edge for an hour, then fetched from the bucket again." },
  { title: "Deploys", content: "A deployment needs two approvals and the smoke tests." },
  { title: "Retries", content: "The worker retries thrice, waiting one, two and four seconds." },
  { title: "Ofertas", content: "Las soluciones aprobadas se guardan en el tablero común." },
  { title: "迁移", content: "请把数据库迁移到新服务器" },
];

describe.each(stores)("a question to the %s store", (_, open) => {
  let store: ObservationStore;
  let ids: number[];
  beforeEach(async () => {
    store = await open();
    ids = await seed(store, NOTES.map(row));
  });
  afterEach(() => store.close());

  const search = (query: string, changes: object = {}) => searchObservations(store, { query, ...changes });
  const firstOf = async (query: string) => (await search(query)).found[0]?.observation.title;

  it.each([
    ["how do we store money", "Amounts"],
    ["How long is an image cached, and where does it come from then?", "Images"],
    ["Who approves deployments?", "Deploys"],
    ["how often does a worker retry", "Retries"],
    ["deploymnet approvels", "Deploys"],
    ["¿Dónde guardamos cada solución?", "Ofertas"],
    ["数据库怎么迁移", "迁移"],
  ])("%s is answered by the right row first", async (question, title) => {
    expect(await firstOf(question)).toBe(title);
  });

  it("puts rows with all words before better ones without, and says how many they are", async () => {
    const [all] = await seed(store, [
      row({ content: `worker ${"filler ".repeat(300)} retries ${"x ".repeat(300)} two` }),
    ]);
    const { found, total, loosely } = await search("worker retries two");
    expect(found.map(({ observation }) => observation.id).sort()).toEqual([ids[3], all].sort());
    expect([total, loosely?.withAllWords]).toEqual([2, 2]);
    const mixed = await search("worker retries filler");
    expect(mixed.found.map(({ observation }) => observation.id)).toEqual([all, ids[3]]);
    expect([mixed.total, mixed.loosely?.withAllWords]).toEqual([2, 1]);
  });

  it("names the words that no row has, but those of grammar", async () => {
    expect((await search("who approves deployments to kubernetes")).loosely?.unknownWords).toEqual(["kubernetes"]);
    expect(await search("kubernetes")).toMatchObject({
      found: [],
      total: 0,
      loosely: { unknownWords: ["kubernetes"] },
    });
  });

  it("leaves two words that stand somewhere as they are: a search, not a question", async () => {
    expect(await search("money cents")).toMatchObject({ total: 1 });
    expect((await search("money cents")).loosely).toBeUndefined();
  });

  it("keeps to the filter and the status, and pages", async () => {
    await seed(store, [row({ content: "Money is kept by the bank.", project: "depot" })]);
    const inDepot = await search("where do you keep the money", { project: "depot" });
    expect(inDepot.found.map(({ observation }) => observation.project)).toEqual(["depot"]);
    const all = (await search("where do you store money")).found.map(({ observation }) => observation.id);
    const paged = [0, 1].map((offset) => search("where do you store money", { offset, limit: 1 }));
    expect((await Promise.all(paged)).flatMap(({ found }) => found.map(({ observation }) => observation.id))).toEqual(
      all,
    );
    expect((await search("how do we store money", { standing: "deleted" })).found).toEqual([]);
  });

  it("shows a long row from the place that answers, at the beginning of its sentence", async () => {
    const content = `${"Nothing of the kind stands here. ".repeat(30)}\nLogs are kept for ninety days. ${"And so on. ".repeat(50)}`;
    await seed(store, [row({ title: "Log", content })]);
    const [found] = (await search("how long do we keep logs")).found;
    expect(snippetOf(content, 60, found?.place)).toMatch(/^\.\.\.Logs are kept for ninety days\. And so on/);
    const [short] = (await search("money")).found;
    expect(short?.place).toBe(0);
  });

  it("offers the row that a summary has it from", async () => {
    const { summaryId } = await compactObservations(
      store,
      {
        olderThanDays: 30,
        ids: ids.slice(0, 4),
        summaryTitle: "How the shop works",
        summaryContent: "Money in cents, pictures cached for an hour, deployments with two approvals, three retries.",
      },
      { now: NOW },
    );
    const [found] = (await search("how many approvals does a deployment need")).found;
    expect([found?.observation.id, found?.origin?.id]).toEqual([summaryId, ids[2]]);
  });
});

// Finding stale rows, counting, and searches for words from the most frequent to the rarest.
import { findStaleObservations } from "../../src/observations/compaction/find-stale.ts";
import type { ObservationStore } from "../../src/observations/observation-store.ts";
import { memoryStats } from "../../src/observations/reading/memory-overview.ts";
import { searchObservations } from "../../src/observations/reading/search-observations.ts";
import { searchWords } from "../../src/observations/search-words.ts";
import { DAY_MS } from "../../src/time.ts";
import { createTokenCounter } from "../../src/tokens.ts";
import { NOW } from "./build-database.ts";
import { randomFrom, VOCABULARY, word } from "./note-text.ts";
import { type Figure, timesOf } from "./timing.ts";

const before = NOW - 30 * DAY_MS;
const bounds = [30, 60, 90, 180, 365].map((days) => NOW - days * DAY_MS);

export async function measureReads(store: ObservationStore): Promise<Figure[]> {
  const { read } = store;
  const stale = (filter: { project?: string }, limit: number) =>
    timesOf(30, () => findStaleObservations(store, { olderThanDays: 30, ...filter, limit }, { now: NOW }));
  const middle = { createdAt: NOW - 365 * DAY_MS, id: 0 };
  return [
    { what: "findStaleObservations, 50 of all", times: await stale({}, 50) },
    { what: "findStaleObservations, 200 of all", times: await stale({}, 200) },
    { what: "findStaleObservations, 200 of half of the rows", times: await stale({ project: "shop" }, 200) },
    { what: "findStaleObservations, 50 of a small project", times: await stale({ project: "project-7" }, 50) },
    {
      what: "the same, a page in the middle",
      times: await timesOf(30, () => read((rows) => rows.stale({ filter: {}, before, limit: 200, after: middle }))),
    },
    {
      what: "totals and ages of all that is stale",
      times: await timesOf(5, () => read((rows) => rows.surveyStale({}, bounds))),
    },
    {
      what: "the same, of half of the rows",
      times: await timesOf(5, () => read((rows) => rows.surveyStale({ project: "shop" }, bounds))),
    },
    { what: "count of all live rows", times: await timesOf(30, () => read((rows) => rows.count({}, "live"))) },
    {
      what: "count of half of the rows",
      times: await timesOf(30, () => read((rows) => rows.count({ project: "shop" }, "live"))),
    },
    {
      what: "count by project and scope",
      times: await timesOf(10, () => read((rows) => rows.count({ project: "shop", scope: "project" }, "live"))),
    },
    {
      what: "list, newest 20",
      times: await timesOf(30, () => read((rows) => rows.list({ filter: {}, standing: "live", limit: 20, offset: 0 }))),
    },
    {
      what: "tokens of all live rows, from samples",
      times: await timesOf(5, () =>
        memoryStats(store, { count: createTokenCounter({ encoding: "o200k_base" }).count }),
      ),
    },
    { what: "totals", times: await timesOf(10, () => read((rows) => rows.totals())) },
    ...(await measureSearches(store)),
    {
      what: "a question of ten words",
      times: await timesOf(10, (run) => searchObservations(store, { query: question(run) })),
    },
  ];
}

/** Frequent words, ordinary ones, one that is misspelt and one that no row has. */
function question(run: number): string {
  const words = [0, 3, 9, 100, 200, 400, 800, 1600].map((at) => word(at + run));
  return [...words, `${word(2000 + run)}x`, "unheard"].join(" ");
}

async function measureSearches({ read }: ObservationStore): Promise<Figure[]> {
  const random = randomFrom(7);
  const ordinary = () => word(20 + Math.floor(random() * (VOCABULARY - 20)));
  const find = (text: string, filter: { project?: string } = {}) =>
    read((rows) => rows.search({ words: searchWords(text), filter, standing: "live", limit: 10, offset: 0 }));
  return [
    { what: "search, one ordinary word", times: await timesOf(200, () => find(ordinary())) },
    { what: "search, two ordinary words", times: await timesOf(100, () => find(`${ordinary()} ${ordinary()}`)) },
    {
      what: "search, a frequent and an ordinary word",
      times: await timesOf(100, (run) => find(`${word(run % 20)} ${ordinary()}`)),
    },
    {
      what: "search, a word of a project",
      times: await timesOf(100, () => find(ordinary(), { project: "project-7" })),
    },
    {
      what: "search, the 20 most frequent words",
      times: await timesOf(40, (run) => find(word(run % 20))),
      note: "from 20 to 97 % of the rows",
    },
    {
      what: "search, two of the most frequent",
      times: await timesOf(20, (run) => find(`${word(run % 20)} ${word((run + 1) % 20)}`)),
    },
    { what: "search, 日本語", times: await timesOf(10, () => find("日本語")), note: "the newest 20,000 rows" },
    { what: "search, a word and 日本語", times: await timesOf(10, () => find(`${word(30)} 日本語`)) },
  ];
}

// `npm run bench:questions`: for how many questions the right row is among the first five. Needs AGENT_CORPUS.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createMemoryObservationStore } from "../../src/observations/memory-observation-store.ts";
import type { ObservationStore } from "../../src/observations/observation-store.ts";
import { searchObservations } from "../../src/observations/reading/search-observations.ts";
import { createSqliteObservationStore } from "../../src/observations/sqlite-observation-store.ts";
import { importObservations } from "../../src/observations/transfer/import-observations.ts";
import { readImportedRows } from "../../src/observations/transfer/read-rows.ts";
import { QUESTIONS, type Questions, UNSEEN } from "./questions.ts";

const FIRST = 5;
const FILES = { engram: "engram-chunk", graph: "mcp-kg-think-9166e74" };
const STORES = {
  sqlite: () => createSqliteObservationStore({ path: ":memory:" }),
  memory: createMemoryObservationStore,
};
const { AGENT_CORPUS } = process.env;
if (AGENT_CORPUS === undefined) throw new Error("AGENT_CORPUS names no folder of stores to ask.");
const folder = join(AGENT_CORPUS, "observations");

for (const [adapter, open] of Object.entries(STORES))
  for (const [name, questions] of Object.entries({ questions: QUESTIONS, unseen: UNSEEN }))
    await ask(adapter, open, name, questions);

async function ask(adapter: string, open: () => ObservationStore, name: string, questions: Questions): Promise<void> {
  let [asked, right] = [0, 0];
  const { user } = process.cpuUsage();
  for (const kind of ["engram", "graph"] as const) {
    const store = await filled(open(), FILES[kind]);
    for (const [query, ...rows] of questions[kind]) {
      const { found } = await searchObservations(store, { query, limit: FIRST });
      const ids = found.map(({ observation }) => observation.id);
      asked += 1;
      if (ids.some((id) => rows.includes(id))) right += 1;
      else console.log(`  ${kind}: ${query} Wanted ${rows.join(" or ")}, found ${ids.join(", ") || "nothing"}.`);
    }
    await store.close();
  }
  const each = ((process.cpuUsage().user - user) / 1000 / asked).toFixed(1);
  console.log(
    `${name}, ${adapter}: ${right} of ${asked} (${Math.round((100 * right) / asked)} %), ${each} ms each with the import`,
  );
}

async function filled(store: ObservationStore, kind: string): Promise<ObservationStore> {
  const file = readdirSync(folder).find((name) => name.startsWith(kind)) ?? kind;
  const bytes = readFileSync(join(folder, file));
  const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  await importObservations(store, readImportedRows(text), { now: () => Date.now() });
  return store;
}

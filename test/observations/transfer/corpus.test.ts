import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { isObject } from "../../../src/text/json-values.ts";
import { stores } from "../stores.ts";
import { dump, exportText, importText, NOTHING_ADDED } from "./dump.ts";

const corpus = process.env.AGENT_CORPUS;

function source(kind: string): string {
  const folder = join(corpus ?? "", "observations");
  const name = readdirSync(folder).find((file) => file.startsWith(kind)) ?? kind;
  const bytes = readFileSync(join(folder, name));
  return (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}

const CHUNK = "engram-chunk";
const EXPORT = "engram-export";
const LIST = "openclaw";
/** The smaller one is the earlier. */
const graphs = () => readdirSync(join(corpus ?? "", "observations")).filter((file) => file.startsWith("mcp-kg"));
const bySize = (first: string, second: string) => first.length - second.length;

describe.skipIf(!corpus).each(stores)("real memories in the %s store", (_name, open) => {
  it("are taken over column by column from a chunk", async () => {
    const store = await open();
    const text = source(CHUNK);
    const given = JSON.parse(text) as Record<string, readonly Record<string, unknown>[]>;
    const report = await importText(store, text);
    expect(report).toMatchObject({ added: 539, sessions: 175, prompts: 89, remapped: 0, skipped: [], notes: [] });
    expect(Object.keys(report.dropped_fields)).toEqual(["sync_id"]);
    const stored = await dump(store);
    for (const table of ["observations", "sessions", "prompts"] as const) {
      const byId = new Map(stored[table].map((row) => [row.id as unknown, row]));
      for (const { sync_id: _sync, ...row } of given[table] ?? []) expect(byId.get(row.id)).toMatchObject(row);
    }
    expect(await importText(store, text)).toMatchObject({ ...NOTHING_ADDED, unchanged: 539 });
    const copy = await open();
    await importText(copy, await exportText(store));
    expect(await dump(copy)).toEqual(stored);
  });

  it("of one store on two days are 539 rows, whichever comes first", async () => {
    const [first, second] = [await open(), await open()];
    expect(await importText(first, source(EXPORT))).toMatchObject({ added: 494 });
    expect(await importText(first, source(CHUNK))).toMatchObject({ added: 45, unchanged: 494, remapped: 0 });
    await importText(second, source(CHUNK));
    expect(await importText(second, source(EXPORT))).toMatchObject({ added: 0, unchanged: 494 });
    const ids = async (store: typeof first) => (await dump(store)).observations.map(({ id }) => id);
    expect(await ids(first)).toEqual(await ids(second));
  });

  it("of another product, in a store that has rows already, are 8,878 rows of 179 texts", async () => {
    const store = await open();
    await importText(store, source(CHUNK));
    const text = source(LIST);
    expect(await importText(store, text)).toMatchObject({ added: 8878, remapped: 0, skipped: [], notes: [] });
    const { observations } = await dump(store);
    const added = observations.filter(({ id }) => id > 539);
    expect(new Set(added.map(({ content }) => content)).size).toBe(179);
    expect(await importText(store, text)).toMatchObject({ ...NOTHING_ADDED, unchanged: 8878 });
    const copy = await open();
    await importText(copy, await exportText(store));
    expect((await dump(copy)).observations).toEqual(observations);
  }, 120_000);

  it("of a knowledge graph on two days are its entities, grown", async () => {
    const store = await open();
    const [early, late] = graphs().map(source).sort(bySize);
    const entities = (text = "") =>
      text
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line));
    expect(await importText(store, early ?? "")).toMatchObject({ added: entities(early).length, skipped: [] });
    const report = await importText(store, late ?? "");
    expect(report.added + report.updated + report.unchanged + report.kept_newer).toBe(entities(late).length);
    expect(await importText(store, late ?? "")).toMatchObject(NOTHING_ADDED);
    const all = (await dump(store)).observations.map(({ content }) => content).join("\n");
    for (const entity of [...entities(early), ...entities(late)])
      for (const fact of entity.observations)
        expect(all).toContain((isObject(fact) ? String(fact.text) : String(fact)).replace(/\n/g, "\n  "));
  });
});

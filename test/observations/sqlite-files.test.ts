// Which files are memory stores: the reference's schema as it is made, older and richer ones as they are found, and a
// plain word for everything else.
import { mkdtemp, readFile, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tables } from "../../src/observations/sqlite/schema.ts";
import { createSqliteObservationStore } from "../../src/observations/sqlite-observation-store.ts";
import { findDriver } from "../../src/storage/sqlite/open-database.ts";
import { verifies } from "../requirements/verifies.ts";
import {
  addObservations,
  allObservations,
  newObservation,
  newPrompt,
  newRelation,
  newSession,
} from "./suite/sample-rows.ts";

const SCHEMA = tables.map(({ sql }) => sql).join("\n");
const newPath = async () => join(await mkdtemp(join(tmpdir(), "files-")), "memory.db");

/** A file made by another program. */
async function fileOf(sql: string): Promise<string> {
  const path = await newPath();
  const database = (await findDriver()).open(path);
  database.exec(sql);
  database.close();
  return path;
}

async function schemaOf(path: string): Promise<readonly unknown[]> {
  const database = (await findDriver()).open(path);
  const rows = database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name").all();
  database.close();
  return rows.map((row) => ({ ...row }));
}

describe("a new file", () => {
  it("gets the tables, indexes and triggers of the reference", async () => {
    const path = await newPath();
    const store = createSqliteObservationStore({ path, create: true });
    await store.open();
    await store.close();
    const found = (await schemaOf(path)) as { type: string; name: string; sql: string | null }[];
    const names = (type: string) => found.filter((entry) => entry.type === type).map(({ name }) => name);
    const own = (name: string) => !name.startsWith("sqlite_") && !/_fts_(data|idx|docsize|config|content)$/.test(name);
    expect(names("table").filter(own)).toEqual([
      "observations",
      "observations_fts",
      "prompts_fts",
      "relations",
      "sessions",
      "user_prompts",
    ]);
    expect(names("index").filter(own)).toHaveLength(16);
    expect(names("trigger")).toHaveLength(6);
    const made = found.find(({ name }) => name === "observations")?.sql;
    expect(made).toContain("AUTOINCREMENT");
  });

  it("is not made for a store that must be there", async () => {
    const path = await newPath();
    const store = createSqliteObservationStore({ path });
    await expect(store.open()).rejects.toMatchObject({ kind: "NotFound", message: expect.stringContaining(path) });
    await expect(store.read((rows) => rows.totals())).rejects.toMatchObject({ kind: "NotFound" });
    await createSqliteObservationStore({ path, create: true }).open();
    expect((await store.read((rows) => rows.totals())).observations).toBe(0);
    await store.close();
  });

  it("is made again where a crash left an empty one", async () => {
    const path = await newPath();
    await writeFile(path, "");
    await expect(createSqliteObservationStore({ path }).open()).rejects.toMatchObject({ code: "NOT_A_STORE" });
    const store = createSqliteObservationStore({ path, create: true });
    await addObservations(store, [{}]);
    await store.close();
  });
});

describe("a file of another program", () => {
  it("keeps its schema to the letter, whatever is done", async () => {
    verifies("observations/no-schema-changes");
    const path = await fileOf(SCHEMA);
    const before = await schemaOf(path);
    const store = createSqliteObservationStore({ path });
    const [a = 0, b = 0] = await addObservations(store, [{ namespace: "n" }, {}]);
    await store.write(async (rows) => {
      await rows.changeObservations([a], { deleted_at: "2031-03-09 00:00:00" });
      await rows.addRelation(newRelation(b, a));
      await rows.addPrompt(newPrompt());
    });
    await store.close();
    expect(await schemaOf(path)).toEqual(before);
  });

  it("may be from before there were namespaces", async () => {
    const older = SCHEMA.replaceAll(/^\s*namespace TEXT,$/gm, "").replace(/^.*idx_obs_namespace.*$/m, "");
    const path = await fileOf(older);
    const before = await schemaOf(path);
    const store = createSqliteObservationStore({ path });
    const [id = 0] = await addObservations(store, [{ topic_key: "t", content: "word 日本語" }]);
    await store.read(async (rows) => {
      expect(rows.hasNamespaces).toBe(false);
      expect((await rows.observations([id]))[0]?.namespace).toBeNull();
      for (const [namespace, count] of [
        [undefined, 1],
        ["n", 0],
      ] as const) {
        const filter = namespace === undefined ? {} : { namespace };
        expect(await rows.count(filter, "live")).toBe(count);
        expect(await rows.list({ filter, standing: "any", limit: 9, offset: 0 })).toHaveLength(count);
        expect(await rows.stale({ filter, before: Date.UTC(2040, 0), limit: 9 })).toHaveLength(count);
        expect((await rows.surveyStale(filter, [Date.UTC(2040, 0)])).total).toBe(count);
        for (const text of ["word", "日本"]) {
          const words = [{ text, isSubstring: text !== "word" }];
          expect((await rows.search({ words, filter, standing: "live", limit: 9, offset: 0 })).total).toBe(count);
        }
      }
      expect((await rows.ofTopic("t", "shop", "project", null))?.id).toBe(id);
      expect(await rows.ofTopic("t", "shop", "project", "n")).toBeUndefined();
      expect(await rows.prompts({ namespace: "n", limit: 9 })).toEqual([]);
    });
    await expect(addObservations(store, [{ namespace: "n" }])).rejects.toMatchObject({ code: "NO_NAMESPACES" });
    await store.write((rows) => rows.addPrompt(newPrompt()));
    await store.close();
    expect(await schemaOf(path)).toEqual(before);
  });

  it("may have more columns, tables, triggers and words in its index", async () => {
    const richer = SCHEMA.replace("  deleted_at TEXT,", "  deleted_at TEXT, mood TEXT DEFAULT 'calm',")
      .replace(
        "tool_name, type, project, content='observations'",
        "tool_name, type, project, mood, content='observations'",
      )
      .concat(
        "CREATE TABLE extra (id); CREATE TRIGGER more AFTER INSERT ON observations BEGIN INSERT INTO extra VALUES (new.id); END;",
      );
    const path = await fileOf(richer);
    const store = createSqliteObservationStore({ path });
    await addObservations(store, [{ title: "found" }]);
    const find = async (text: string) =>
      store.read((rows) =>
        rows.search({ words: [{ text, isSubstring: false }], filter: {}, standing: "live", limit: 9, offset: 0 }),
      );
    expect((await find("found")).total).toBe(1);
    await store.close();
  });

  it("gets the tables it lacks beside its observations", async () => {
    const path = await fileOf(
      tables
        .slice(0, 2)
        .map(({ sql }) => sql)
        .join("\n"),
    );
    const store = createSqliteObservationStore({ path });
    await addObservations(store, [{}, {}]);
    await store.write((rows) => rows.addRelation(newRelation(1, 2)));
    expect((await store.read((rows) => rows.totals())).relations).toBe(1);
    await store.close();
  });

  it("has its trigger's refusal told, and nothing is left of the transaction", async () => {
    verifies("field/summary-fails-rows-gone");
    const refusing =
      "CREATE TRIGGER no BEFORE INSERT ON observations WHEN new.type = 'compaction_summary' BEGIN SELECT RAISE(ABORT, 'no summaries here'); END;";
    const store = createSqliteObservationStore({ path: await fileOf(SCHEMA + refusing) });
    const [id = 0] = await addObservations(store, [{}]);
    const compacting = store.write(async (rows) => {
      await rows.changeObservations([id], { deleted_at: "2031-03-09 00:00:00" });
      await rows.addObservation(newObservation({ type: "compaction_summary" }));
    });
    await expect(compacting).rejects.toMatchObject({
      kind: "StoreFailed",
      message: expect.stringContaining("no summaries here"),
    });
    expect((await allObservations(store))[0]?.deleted_at).toBeNull();
    await store.close();
  });

  it("may hold a text with a NUL, which is read to its end", async () => {
    const path = await fileOf(`${SCHEMA}
      INSERT INTO sessions (id, project, directory) VALUES ('s', '', '');
      INSERT INTO observations (session_id, type, title, content) VALUES ('s', 'manual', 'T', 'before' || char(0) || 'after');`);
    const store = createSqliteObservationStore({ path });
    expect((await allObservations(store))[0]?.content).toBe("before\0after");
    await store.close();
  });

  it.each([
    ["other tables", "CREATE TABLE users (id)", "NOT_A_STORE", "users"],
    [
      "a table without a column that is needed",
      SCHEMA.replace("  last_seen_at TEXT,", ""),
      "STORE_SHAPE",
      "observations has no last_seen_at",
    ],
    ["a session table of another kind", `CREATE TABLE sessions (id, user); ${SCHEMA}`, "STORE_SHAPE", "started_at"],
    ["no full-text table", `${SCHEMA} DROP TABLE observations_fts`, "STORE_SHAPE", "observations_fts is missing"],
    [
      "a full-text table of other columns",
      SCHEMA.replace("tool_name, type, project, content=", "tool_name, project, content="),
      "STORE_SHAPE",
      "observations_fts has no type",
    ],
    [
      "a plain table in its place",
      `CREATE TABLE observations_fts (title, content, tool_name, type, project); ${SCHEMA}`,
      "STORE_SHAPE",
      "not an FTS5 table",
    ],
    [
      "no trigger after updates",
      SCHEMA.replace(/CREATE TRIGGER IF NOT EXISTS obs_fts_update.*$/m, ""),
      "STORE_SHAPE",
      "UPDATE",
    ],
    [
      "times that are no texts",
      SCHEMA.replaceAll("created_at TEXT", "created_at INTEGER"),
      "STORE_SHAPE",
      "created_at",
    ],
  ])("is refused with %s", async (_, sql, code, named) => {
    const path = await fileOf(sql);
    const before = await schemaOf(path);
    const store = createSqliteObservationStore({ path, create: true });
    const failure = await store.open().catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: "InvalidInput", code, message: expect.stringContaining(named) });
    expect(String(failure)).toContain(path);
    await store.close();
    expect(await schemaOf(path)).toEqual(before);
  });

  it("is told to be damaged, or to be no database", async () => {
    const path = await newPath();
    const store = createSqliteObservationStore({ path, create: true });
    await addObservations(
      store,
      Array.from({ length: 300 }, () => ({ content: "words ".repeat(100) })),
    );
    await store.close();
    const bytes = await readFile(path);
    await writeFile(path, bytes.fill(7, 4096 * 3, bytes.length - 4096));
    const damaged = createSqliteObservationStore({ path });
    await expect(allObservations(damaged)).rejects.toMatchObject({ kind: "StoreFailed" });
    await damaged.close();
    await truncate(path, 0);
    await writeFile(path, "not a database, but long enough to look into ".repeat(100));
    await expect(createSqliteObservationStore({ path }).open()).rejects.toMatchObject({ code: "NOT_A_DATABASE" });
  });
});

describe("a store that is closed", () => {
  it("finishes what runs, leaves no file beside its own, and refuses more", async () => {
    const path = await newPath();
    const store = createSqliteObservationStore({ path, create: true });
    await store.open();
    const writing = store.write((rows) => rows.addSession(newSession()));
    await store.close();
    expect(await writing).toBe(true);
    await expect(readFile(`${path}-wal`)).rejects.toMatchObject({ code: "ENOENT" });
    await expect(store.read((rows) => rows.totals())).rejects.toMatchObject({ code: "STORE_CLOSED" });
    await store.close();
  });
});

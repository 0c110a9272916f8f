// Which files are decision logs, what stands beside one, what is made anew at opening, and what a file that cannot be
// written still gives.
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EVIDENCE_VERSION } from "../../src/decisions/evidence.ts";
import { createSqliteDecisionLog } from "../../src/decisions/sqlite-decision-log.ts";
import { createSqliteObservationStore } from "../../src/observations/sqlite-observation-store.ts";
import type { SqlDatabase } from "../../src/storage/sqlite/driver.ts";
import { findDriver } from "../../src/storage/sqlite/open-database.ts";
import { addObservations, allObservations } from "../observations/suite/sample-rows.ts";
import { addAll, daysAgo, decisionOf, idsOf, record, VIEW } from "./suite/sample-records.ts";

const newPath = async () => join(await mkdtemp(join(tmpdir(), "decisions-")), "memory.db");

async function withDatabase<T>(path: string, work: (database: SqlDatabase) => T): Promise<T> {
  const database = (await findDriver()).open(path);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

describe("a file", () => {
  it("that is missing is NotFound without create, and is not made", async () => {
    const path = await newPath();
    const log = createSqliteDecisionLog({ path });
    await expect(idsOf(log)).rejects.toMatchObject({ kind: "NotFound", code: "NO_DATABASE" });
    await expect(readFile(path)).rejects.toMatchObject({ code: "ENOENT" });
    await log.close();
  });

  it("that is empty, or a memory store alone, holds no log and is left alone", async () => {
    const [empty, store] = [await newPath(), await newPath()];
    await writeFile(empty, "");
    const memory = createSqliteObservationStore({ path: store, create: true });
    await memory.open();
    await memory.close();
    for (const path of [empty, store]) {
      const log = createSqliteDecisionLog({ path });
      await expect(log.open()).rejects.toMatchObject({ kind: "NotFound", code: "NO_DECISION_LOG" });
      await log.close();
      const made = "SELECT count(*) AS n FROM sqlite_schema WHERE name LIKE 'decision%'";
      expect(await withDatabase(path, (database) => database.prepare(made).get()?.n)).toBe(0);
    }
  });

  it.each([
    ["a table decisions", "CREATE TABLE decisions (id TEXT PRIMARY KEY, title TEXT)", "decisions"],
    ["a view decisions", "CREATE VIEW decisions AS SELECT 1 AS id", "decisions"],
    ["a table of decision texts", "CREATE TABLE decision_texts (id TEXT)", "decision_texts"],
    [
      "a memory store and a table decisions",
      "CREATE TABLE observations (id); CREATE TABLE decisions (id)",
      "decisions",
    ],
    ["other tables", "CREATE TABLE orders (id); CREATE TABLE people (id)", "orders, people"],
  ])("of another program with %s is refused, named, and left alone", async (_, sql, named) => {
    const path = await newPath();
    await withDatabase(path, (database) => database.exec(sql));
    const schema = "SELECT name, sql FROM sqlite_schema ORDER BY name";
    const before = await withDatabase(path, (database) => database.prepare(schema).all());
    for (const create of [false, true]) {
      const log = createSqliteDecisionLog({ path, create });
      const failure = await log.open().catch((error: unknown) => error);
      expect(failure).toMatchObject({ kind: "InvalidInput", code: "NOT_A_DECISION_LOG" });
      expect(String(failure)).toContain(named);
      await log.close();
    }
    expect(await withDatabase(path, (database) => database.prepare(schema).all())).toEqual(before);
  });

  it("that is no database is refused", async () => {
    const path = await newPath();
    await writeFile(path, "id: a\ndecision: text\n".repeat(100));
    const log = createSqliteDecisionLog({ path, create: true });
    await expect(log.open()).rejects.toMatchObject({ kind: "InvalidInput", code: "NOT_A_DATABASE" });
    await log.close();
  });

  it("of a later format is refused, and so is one that lacks a table", async () => {
    const path = await newPath();
    const made = createSqliteDecisionLog({ path, create: true });
    await made.open();
    await made.close();
    await withDatabase(path, (database) => database.exec("UPDATE decision_meta SET value = '99' WHERE key = 'format'"));
    const log = createSqliteDecisionLog({ path });
    await expect(log.open()).rejects.toMatchObject({ kind: "InvalidInput", code: "DECISION_LOG_SHAPE" });
    await withDatabase(path, (database) => database.exec("DROP TABLE decision_runs"));
    await expect(log.open()).rejects.toThrow("decision_runs");
    await log.close();
  });

  it("may be tried again after it could not be opened", async () => {
    const path = await newPath();
    const log = createSqliteDecisionLog({ path });
    await expect(log.open()).rejects.toMatchObject({ kind: "NotFound" });
    const made = createSqliteDecisionLog({ path, create: true });
    await addAll(made, [record()]);
    await made.close();
    expect(await idsOf(log)).toEqual(["d-1"]);
    await log.close();
    await expect(log.open()).rejects.toMatchObject({ code: "STORE_CLOSED" });
  });
});

describe("a log and a memory store in one file", () => {
  it.each(["the store", "the log"])("serve side by side, whichever was first: %s", async (first) => {
    const path = await newPath();
    const log = createSqliteDecisionLog({ path, create: true });
    const store = createSqliteObservationStore({ path, create: true });
    for (const each of first === "the log" ? [log, store] : [store, log]) await each.open();
    await addAll(log, [record()]);
    await addObservations(store, [{ title: "An observation" }]);
    for (const each of [log, store]) await each.close();
    const [logAgain, storeAgain] = [createSqliteDecisionLog({ path }), createSqliteObservationStore({ path })];
    expect(await idsOf(logAgain)).toEqual(["d-1"]);
    expect((await allObservations(storeAgain)).map(({ title }) => title)).toEqual(["An observation"]);
    for (const each of [logAgain, storeAgain]) await each.close();
  });

  it("leave a file with a log alone that is no memory store and shall not become one", async () => {
    const path = await newPath();
    const log = createSqliteDecisionLog({ path, create: true });
    await log.open();
    const store = createSqliteObservationStore({ path });
    await expect(store.open()).rejects.toMatchObject({ kind: "InvalidInput", code: "NOT_A_STORE" });
    await store.close();
    await log.close();
  });
});

describe("evidence of another version", () => {
  it("is made anew at opening, with everything else that is made from records", async () => {
    const path = await newPath();
    const log = createSqliteDecisionLog({ path, create: true });
    await addAll(log, [
      record({ id: "a", date: daysAgo(100), pattern: "Search first", tags: ["x"], context: "at noon" }),
      record({ id: "b", supersedes: ["a"], preserve: "maybe" }),
      record({ id: "c", date: daysAgo(100), pattern: "Search first", reasons: [{ text: "Ask", confidence: 0.25 }] }),
      record({ id: "x", superseded_by: "y" }),
      record({ id: "y", superseded_by: "x" }),
    ]);
    await log.write((writer) => writer.setLevels([{ id: "a", level: "digest" }]));
    const tables = [
      "decisions",
      "decision_tags",
      "decision_claims",
      "decision_faults",
      "decision_words",
      "decision_evidence",
      "decision_levels",
      "decision_meta",
    ];
    const dump = () =>
      withDatabase(path, (database) => tables.map((table) => database.prepare(`SELECT * FROM ${table}`).all()));
    const before = await dump();
    await log.close();
    await withDatabase(path, (database) => {
      database.exec(`
        UPDATE decision_meta SET value = '${EVIDENCE_VERSION + 1}' WHERE key = 'evidence_version';
        UPDATE decision_evidence SET key = key || ' of old', confirms = 1;
        DELETE FROM decision_evidence WHERE id = 'c';
        UPDATE decisions SET category = 'wrong', superseded_by = NULL, least_confidence = 7;
        DELETE FROM decision_claims; DELETE FROM decision_faults; DELETE FROM decision_words; DELETE FROM decision_tags;
      `);
    });
    const again = createSqliteDecisionLog({ path });
    await again.open();
    expect(await dump()).toEqual(before);
    expect((await decisionOf(again, "a"))?.supersededBy).toBe("b");
    await again.close();
  });
});

describe("a record that another program has broken", () => {
  const old = (id: string) => record({ id, date: daysAgo(100), pattern: "Search first", tags: ["x"] });
  const seen = (path: string) => {
    const log = createSqliteDecisionLog({ path });
    const query = { filter: {}, view: VIEW };
    return log
      .read(async (reader) => ({
        ids: (await reader.page({ ...query, limit: 2 })).map(({ decision }) => decision.id),
        total: (await reader.survey(query)).total,
        tallied: (await reader.tally(query)).map(({ count }) => count),
        counted: (await reader.wordings(query, 5)).map(({ decisions }) => decisions),
        changes: (await reader.levelChanges(VIEW, {})).map(({ id }) => id),
        faults: (await reader.faults(5)).faults.map(({ id, code }) => [id, code]),
      }))
      .finally(() => log.close());
  };
  const whole = { ids: ["a", "b"], total: 3, tallied: [3], counted: [3], changes: ["a", "b", "c"], faults: [] };
  const without = (id: string, left: readonly string[]) => ({
    ids: left,
    total: 2,
    tallied: [2],
    counted: [2],
    changes: left,
    faults: [[id, "UNREADABLE_RECORD"]],
  });
  const brokenLog = async (sql: string) => {
    const path = await newPath();
    const log = createSqliteDecisionLog({ path, create: true });
    await addAll(log, [old("a"), old("b"), old("c")]);
    await log.close();
    expect(await seen(path)).toEqual(whole);
    await withDatabase(path, (database) => database.exec(sql));
    return path;
  };

  it("is listed, and neither served nor counted, until it is replaced", async () => {
    const path = await brokenLog("UPDATE decisions SET raw = substr(raw, 1, 20) WHERE id = 'a'");
    expect(await seen(path)).toEqual(without("a", ["b", "c"]));
    const log = createSqliteDecisionLog({ path });
    await expect(log.write((writer) => writer.change("a", { preserve: true }))).rejects.toMatchObject({
      code: "UNREADABLE_RECORD",
    });
    await log.write((writer) => writer.replace(old("a")));
    await log.close();
    expect(await seen(path)).toEqual(whole);
  });

  it("is found when all is made anew where it is JSON, but no decision", async () => {
    const path = await brokenLog(`
      UPDATE decisions SET raw = '{"id": "b"}' WHERE id = 'b';
      UPDATE decision_meta SET value = '0' WHERE key = 'evidence_version';
    `);
    expect(await seen(path)).toEqual(without("b", ["a", "c"]));
  });
});

describe("a file that cannot be written", () => {
  it("is read, and says so to a writer", async () => {
    const path = await newPath();
    const log = createSqliteDecisionLog({ path, create: true });
    await addAll(log, [record({ date: daysAgo(100), pattern: "Search first" })]);
    await log.close();
    const driver = await findDriver();
    // As a user without permission gets it, whoever runs this test.
    const reading = { ...driver, open: (file: string) => driver.open(file, { readOnly: true }) };
    const readOnlyLog = createSqliteDecisionLog({ path, driver: reading });
    expect(await idsOf(readOnlyLog, { levels: ["wisdom"] })).toEqual(["d-1"]);
    expect(await readOnlyLog.read((reader) => reader.wordings({ filter: {}, view: VIEW }, 5))).toHaveLength(1);
    const writing = readOnlyLog.write((writer) => writer.change("d-1", { preserve: true }));
    await expect(writing).rejects.toMatchObject({ kind: "StoreFailed", code: "STORE_READ_ONLY" });
    expect((await decisionOf(readOnlyLog, "d-1"))?.isPreserved).toBe(false);
    await readOnlyLog.close();
  });

  it("of a version that kept no ranks is served, and given them once it can be written", async () => {
    const path = await newPath();
    const log = createSqliteDecisionLog({ path, create: true });
    const lesson = (id: string) => record({ id, date: daysAgo(100), lessons: "Search first" });
    await addAll(log, [lesson("a"), lesson("b")]);
    await log.close();
    await withDatabase(path, (database) =>
      database.exec(`
        DROP INDEX decision_evidence_counts;
        ALTER TABLE decision_evidence DROP COLUMN rank;
      `),
    );
    const ranks = async (of: Parameters<typeof createSqliteDecisionLog>[0]) => {
      const opened = createSqliteDecisionLog(of);
      const told = await opened.read(async (reader) => [
        ...(await reader.wordings({ filter: {}, view: VIEW }, 5)),
        ...(await reader.groupWordings({ filter: {}, view: VIEW }, [["search 1st"], ["search 1st", "other"]])),
      ]);
      await opened.close();
      return told.map(({ confirmations, rank }) => [confirmations, rank]);
    };
    // Its version is left as it was, as who may not write leaves it, whoever runs this test.
    expect(await ranks({ path })).toEqual([
      [2, 0],
      [2, 0],
      [2, 0],
    ]);
    await withDatabase(path, (database) =>
      database.exec("UPDATE decision_meta SET value = '3' WHERE key = 'evidence_version'"),
    );
    expect(await ranks({ path })).toEqual([
      [2, 1],
      [2, 1],
      [2, 1],
    ]);
  });
});

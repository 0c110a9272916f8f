// Several processes on one database: what each was told to be done is there, and no error reached one. A short time by
// default; AGENT_SOAK_SECONDS=30 for the full one.
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSqliteObservationStore } from "../../src/observations/sqlite-observation-store.ts";
import { findDriver } from "../../src/storage/sqlite/open-database.ts";
import { verifies } from "../requirements/verifies.ts";
import { finish, firstWords, start } from "./children/start.ts";
import type { Told } from "./children/write-for-a-while.ts";
import { addObservations } from "./suite/sample-rows.ts";

const WRITERS = 8;
const SECONDS = Number(process.env.AGENT_SOAK_SECONDS ?? 3);
const WRITE = new URL("children/write-for-a-while.ts", import.meta.url);
const HOLD = new URL("children/hold-the-lock.ts", import.meta.url);
const DIE = new URL("children/die-while-writing.ts", import.meta.url);
const DELETED = "2031-04-01 00:00:00";

const newPath = async () => join(await mkdtemp(join(tmpdir(), "writers-")), "memory.db");

/** A database with so many rows, closed again. */
async function storeOf(rows: number): Promise<{ path: string; ids: readonly number[] }> {
  const path = await newPath();
  const store = createSqliteObservationStore({ path, create: true });
  const ids = await addObservations(
    store,
    Array.from({ length: rows }, () => ({ revision_count: 0 })),
  );
  await store.close();
  return { path, ids };
}

async function checkIntegrity(path: string): Promise<void> {
  const database = (await findDriver()).open(path);
  expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  expect(database.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
  database.exec("INSERT INTO observations_fts(observations_fts, rank) VALUES ('integrity-check', 1)");
  database.close();
}

describe("several processes on one database", () => {
  it(`${WRITERS} of them save, compact and restore, and nothing is lost`, {
    timeout: (SECONDS + 120) * 1000,
  }, async () => {
    verifies("field/database-is-locked");
    const { path } = await storeOf(1);
    const children = Array.from({ length: WRITERS }, (_, index) =>
      finish(start(WRITE, path, `writer${index}`, String(SECONDS * 1000))),
    );
    const told = (await Promise.all(children)).map(({ stdout, stderr }): Told => {
      expect(stderr).toBe("");
      return JSON.parse(stdout);
    });
    const store = createSqliteObservationStore({ path });
    await store.read(async (rows) => {
      for (const { live, deleted, summaries, errors, counted } of told) {
        expect(errors).toEqual([]);
        expect(counted).toBeGreaterThan(0);
        const found = await rows.observations([...live, ...deleted]);
        expect(found.filter(({ deleted_at }) => deleted_at === null).map(({ id }) => id)).toEqual(live);
        expect(found).toHaveLength(live.length + deleted.length);
        for (const [id, number] of summaries) expect(await rows.relations([id])).toHaveLength(number);
      }
      const all = told.flatMap(({ live, deleted, summaries }) => [...live, ...deleted, ...summaries.map(([id]) => id)]);
      expect(new Set(all).size).toBe(all.length);
      expect(await rows.count({}, "any")).toBe(all.length + 1);
      const shared = (await rows.observations([1]))[0];
      expect(shared?.revision_count).toBe(told.reduce((sum, { counted }) => sum + counted, 0));
    });
    await store.close();
    await checkIntegrity(path);
  });

  it("make one new file at once", { timeout: 60_000 }, async () => {
    const path = await newPath();
    const children = Array.from({ length: 4 }, (_, index) => finish(start(WRITE, path, `writer${index}`, "1")));
    for (const { stdout, stderr } of await Promise.all(children)) {
      expect(stderr).toBe("");
      expect(JSON.parse(stdout).errors).toEqual([]);
    }
    await checkIntegrity(path);
  });

  it("wait while one holds the lock, and read meanwhile", { timeout: 60_000 }, async () => {
    verifies("field/database-is-locked");
    const { path, ids } = await storeOf(201);
    const holder = start(HOLD, path);
    expect(await firstWords(holder)).toBe("locked\n");
    const store = createSqliteObservationStore({ path });
    const settled: string[] = [];
    const deleting = store
      .write((rows) => rows.changeObservations(ids.slice(1), { deleted_at: DELETED }))
      .finally(() => settled.push("written"));
    const following = store.write((rows) => rows.count({}, "live")).finally(() => settled.push("following"));
    const ticks = await ticksDuring(3000);
    expect(await store.read((rows) => rows.count({}, "live"))).toBe(201);
    settled.push("read");
    holder.stdin?.write("go on\n");
    expect(await deleting).toBe(200);
    expect(await following).toBe(1);
    expect(settled).toEqual(["read", "written", "following"]);
    // The loop was never held up for long: a blocked one has no time to tick.
    expect(ticks).toBeGreaterThan(10);
    const [first] = await store.read((rows) => rows.observations(ids.slice(0, 1)));
    expect(first?.title).toBe("by the other process");
    await store.close();
  });

  it("leave all or nothing when one is killed in the middle", { timeout: 60_000 }, async () => {
    const { path } = await storeOf(200);
    const child = start(DIE, path, "middle");
    await once(child, "exit");
    expect(child.signalCode).toBe("SIGKILL");
    const store = createSqliteObservationStore({ path });
    expect(await store.read((rows) => rows.count({}, "live"))).toBe(200);
    await store.close();
    await checkIntegrity(path);
  });

  it("leave all or nothing when one is killed at any moment", { timeout: 120_000 }, async () => {
    const { path } = await storeOf(200);
    for (let run = 0; run < 5; run++) {
      const child = start(DIE, path, "any");
      await firstWords(child);
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 200));
      child.kill("SIGKILL");
      await once(child, "exit");
      const store = createSqliteObservationStore({ path });
      expect([0, 200]).toContain(await store.read((rows) => rows.count({}, "live")));
      await store.close();
    }
    await checkIntegrity(path);
  });
});

async function ticksDuring(duration: number): Promise<number> {
  let ticks = 0;
  const ticking = setInterval(() => ticks++, 20);
  await new Promise((resolve) => setTimeout(resolve, duration));
  clearInterval(ticking);
  return ticks;
}

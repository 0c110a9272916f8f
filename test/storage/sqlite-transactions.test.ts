// Transactions on one connection: what a failure leaves, how long a lock is waited for, what closing waits for.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SqlDatabase } from "../../src/storage/sqlite/driver.ts";
import { findDriver, openDatabase } from "../../src/storage/sqlite/open-database.ts";

import { createTransactions, type Transactions } from "../../src/storage/sqlite/transactions.ts";

describe("transactions", () => {
  let path: string;
  let transactions: Transactions;
  let other: SqlDatabase;

  beforeEach(async () => {
    path = join(await mkdtemp(join(tmpdir(), "transactions-")), "memory.db");
    const driver = await findDriver();
    transactions = createTransactions({ ...(await openDatabase({ path, driver, create: true })), patience: 300 });
    await transactions.write(async (sql) => sql.script("CREATE TABLE kept (text TEXT UNIQUE CHECK (text <> 'bad'))"));
    other = driver.open(path);
    other.exec("PRAGMA busy_timeout=0");
  });
  afterEach(async () => {
    other.close();
    await transactions.close();
  });

  const add = (text: string) => transactions.write(async (sql) => sql.run("INSERT INTO kept VALUES (?)", text));
  const texts = () =>
    transactions.read(async (sql) => sql.all("SELECT text FROM kept ORDER BY text").map(({ text }) => text));

  it("give up on a lock that is never released, and go on after", async () => {
    other.exec("BEGIN IMMEDIATE");
    await expect(add("a")).rejects.toMatchObject({ kind: "StoreFailed", code: "STORE_BUSY" });
    expect(await texts()).toEqual([]);
    other.exec("COMMIT");
    await add("b");
    expect(await texts()).toEqual(["b"]);
  });

  it("keep their order while one waits", async () => {
    other.exec("BEGIN IMMEDIATE");
    const done: string[] = [];
    const writing = ["a", "b", "c"].map((text) => add(text).then(() => done.push(text)));
    await texts();
    other.exec("COMMIT");
    await Promise.all(writing);
    expect(done).toEqual(["a", "b", "c"]);
  });

  it("read one state, whatever others write meanwhile", async () => {
    await add("a");
    const seen = await transactions.read(async (sql) => {
      const count = () => sql.get("SELECT count(*) AS number FROM kept")?.number;
      const before = count();
      other.exec("INSERT INTO kept VALUES ('b')");
      return [before, count()];
    });
    expect(seen).toEqual([1, 1]);
    expect(await texts()).toEqual(["a", "b"]);
  });

  it("go on after a refused statement that the work takes in its stride", async () => {
    await transactions.write(async (sql) => {
      sql.run("INSERT INTO kept VALUES ('a')");
      expect(() => sql.run("INSERT INTO kept VALUES ('a')")).toThrow(/UNIQUE constraint failed: kept.text/);
      sql.run("INSERT INTO kept VALUES ('b')");
    });
    expect(await texts()).toEqual(["a", "b"]);
  });

  it("keep nothing once the database has rolled back by itself, whatever the work does then", async () => {
    await transactions.write(async (sql) =>
      sql.script(
        "CREATE TRIGGER no BEFORE INSERT ON kept WHEN new.text = 'c' BEGIN SELECT RAISE(ROLLBACK, 'no c'); END",
      ),
    );
    const failing = transactions.write(async (sql) => {
      sql.run("INSERT INTO kept VALUES ('a')");
      expect(() => sql.run("INSERT INTO kept VALUES ('c')")).toThrow(/no c/);
      try {
        sql.run("INSERT INTO kept VALUES ('d')");
      } catch {
        // As a careless caller would.
      }
    });
    await expect(failing).rejects.toMatchObject({ kind: "StoreFailed", message: expect.stringContaining("no c") });
    expect(await texts()).toEqual([]);
  });

  it("name the rule that was broken, and not the text", async () => {
    const failure = await add("bad").catch((error: unknown) => error);
    expect(failure).toMatchObject({
      kind: "StoreFailed",
      code: "STORE_CONSTRAINT",
      data: { reason: "SQLITE_CONSTRAINT" },
    });
    expect(String(failure)).toContain("CHECK constraint failed");
    const wrong = transactions.read(async (sql) => sql.all("SELECT secret words FROM FROM kept"));
    await expect(wrong).rejects.not.toThrow(/secret/);
    const missing = transactions.read(async (sql) => sql.all("SELECT 1 FROM nowhere"));
    await expect(missing).rejects.toThrow(/no such table: nowhere/);
  });

  it("refuse a statement that comes late", async () => {
    const late = await transactions.write(async (sql) => () => sql.run("INSERT INTO kept VALUES ('late')"));
    expect(late).toThrow(/the transaction is over/);
    expect(await texts()).toEqual([]);
  });

  it("are finished before the database closes, and refused after", async () => {
    const writing = add("a");
    await transactions.close();
    await writing;
    await expect(texts()).rejects.toMatchObject({ code: "STORE_CLOSED" });
    await expect(add("b")).rejects.toMatchObject({ code: "STORE_CLOSED" });
    await transactions.close();
    expect(other.prepare("SELECT text FROM kept").all()).toEqual([{ text: "a" }]);
  });

  it("say when the disk is full, and leave what was there", async () => {
    await add("a");
    await transactions.read(async (sql) => sql.get("PRAGMA max_page_count=4"));
    const failing = transactions.write(async (sql) => {
      for (let index = 0; index < 100; index++) sql.run("INSERT INTO kept VALUES (?)", `${index}`.repeat(2000));
    });
    await expect(failing).rejects.toMatchObject({ kind: "StoreFailed", code: "STORE_FULL" });
    expect(await texts()).toEqual(["a"]);
  });
});

// Opening database files: which are taken, and what is made.
import { mkdtemp, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findDriver, openDatabase } from "../../src/storage/sqlite/open-database.ts";

const newFolder = () => mkdtemp(join(tmpdir(), "database-"));

async function open(path: string, create = false) {
  return openDatabase({ path, driver: await findDriver(), create });
}

describe("a database that is opened", () => {
  it("is made with its folders, for its owner alone", async () => {
    const folder = await newFolder();
    const path = join(folder, "new", "deep", "memory.db");
    const { database, isReadOnly } = await open(path, true);
    expect(isReadOnly).toBe(false);
    const modes = await Promise.all([join(folder, "new"), join(folder, "new", "deep"), path].map((name) => stat(name)));
    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o700, 0o600]);
    database.close();
  });

  it("has the settings of the reference on every connection", async () => {
    const path = join(await newFolder(), "memory.db");
    for (const create of [true, false]) {
      const { database } = await open(path, create);
      const setting = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
      expect(["journal_mode", "busy_timeout", "synchronous", "foreign_keys"].map(setting)).toEqual(["wal", 5000, 1, 1]);
      database.close();
    }
  });

  it("is not made unless that is asked for", async () => {
    const path = join(await newFolder(), "absent.db");
    await expect(open(path)).rejects.toMatchObject({
      kind: "NotFound",
      code: "NO_DATABASE",
      message: expect.stringContaining(path),
    });
    await expect(stat(path)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("is found through a link, and relative to the working directory", async () => {
    const folder = await newFolder();
    (await open(join(folder, "memory.db"), true)).database.close();
    await symlink(join(folder, "memory.db"), join(folder, "link.db"));
    (await open(join(folder, "link.db"))).database.close();
    const { path, database } = await open(":memory:");
    expect(path).toBe(":memory:");
    database.close();
  });

  it.each(["file:memory.db", "memory ?mode=ro#x.db", "日本語.db"])("may be called %s", async (name) => {
    const folder = await newFolder();
    (await open(join(folder, name), true)).database.close();
    expect((await stat(join(folder, name))).isFile()).toBe(true);
  });

  it("is a file", async () => {
    await expect(open(await newFolder(), true)).rejects.toMatchObject({ kind: "InvalidInput", code: "NOT_A_DATABASE" });
  });

  it("is a database", async () => {
    const path = join(await newFolder(), "notes.txt");
    await writeFile(path, "These are notes, long enough to be more than the head of a database file. ".repeat(30));
    await expect(open(path)).rejects.toMatchObject({ kind: "InvalidInput", code: "NOT_A_DATABASE" });
    expect((await stat(path)).size).toBeGreaterThan(1000);
  });

  it("has no file where a folder is due", async () => {
    const path = join(await newFolder(), "file");
    await writeFile(path, "");
    await expect(open(join(path, "memory.db"), true)).rejects.toMatchObject({ kind: "StoreFailed" });
  });
});

// A database that nobody may write is still read. Permissions do not bind the superuser, as whom tests run in containers:
// there this file's process becomes another user, once its files are made.
import { chmod, chown, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { findDriver, openDatabase } from "../../src/storage/sqlite/open-database.ts";

import { createTransactions } from "../../src/storage/sqlite/transactions.ts";
import { verifies } from "../requirements/verifies.ts";

const NOBODY = 65_534;
const cases: readonly (readonly [what: string, file: number, folder: number])[] = [
  ["a file", 0o444, 0o755],
  ["a folder", 0o644, 0o555],
  ["both", 0o444, 0o555],
];

async function open(path: string) {
  return openDatabase({ path, driver: await findDriver(), create: false });
}

/** A database with a row, in a folder of its own. */
async function filled(file: number, folder: number): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), "read-only-")), "memory.db");
  const { database } = await openDatabase({ path, driver: await findDriver(), create: true });
  database.exec("CREATE TABLE kept (text); INSERT INTO kept VALUES ('here')");
  database.close();
  if (process.getuid?.() === 0) for (const name of [path, dirname(path)]) await chown(name, NOBODY, NOBODY);
  await chmod(path, file);
  await chmod(dirname(path), folder);
  return path;
}

describe("a database that cannot be written", () => {
  const paths = new Map<string, string>();

  beforeAll(async () => {
    for (const [what, file, folder] of cases) paths.set(what, await filled(file, folder));
    paths.set("unreadable", await filled(0o000, 0o755));
    if (process.getuid?.() !== 0) return;
    // The folder of all tests is the superuser's alone.
    await chmod(tmpdir(), 0o711);
    process.setuid?.(NOBODY);
  });

  it.each(cases)("because of %s is read, and refuses to be written", async (what) => {
    verifies("field/database-is-locked");
    const opened = await open(paths.get(what) ?? "");
    expect(opened.isReadOnly).toBe(true);
    const transactions = createTransactions(opened);
    expect(await transactions.read(async (sql) => sql.get("SELECT text FROM kept")?.text)).toBe("here");
    await expect(transactions.write(async (sql) => sql.run("DELETE FROM kept"))).rejects.toMatchObject({
      kind: "StoreFailed",
      code: "STORE_READ_ONLY",
    });
    await transactions.close();
  });

  it("because it may not even be read says so", async () => {
    await expect(open(paths.get("unreadable") ?? "")).rejects.toMatchObject({
      kind: "StoreFailed",
      message: expect.stringContaining("EACCES"),
      hint: expect.stringContaining("permission"),
    });
  });
});

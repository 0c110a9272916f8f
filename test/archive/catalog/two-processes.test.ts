// Several processes write and list one catalog at once: every file is in it in the end, with its hash.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { createCatalog } from "../../../src/archive/catalog.ts";
import { newRoot, writeNoted } from "./written-files.ts";

const run = promisify(execFile);
const program = join(import.meta.dirname, "note-files.ts");

describe("a catalog with several writers", () => {
  it("holds what two processes wrote while both listed it", async () => {
    const root = newRoot();
    const note = (session: string) =>
      run(join("node_modules", ".bin", "unrun"), [program, root, session, "60"], { timeout: 60_000 });
    await Promise.all([note("one"), note("two")]);
    const text = readFileSync(join(root, "catalog.jsonl"), "utf8");
    for (const line of text.trimEnd().split("\n")) expect(() => JSON.parse(line)).not.toThrow();
    const entries = await createCatalog(root).entries();
    expect(entries).toHaveLength(120);
    expect(entries.filter(({ sha256 }) => sha256 === undefined)).toEqual([]);
  }, 90_000);

  it("loses no line to one that writes it anew", async () => {
    const root = newRoot();
    const catalogs = [createCatalog(root), createCatalog(root), createCatalog(root)];
    for (let round = 0; round < 5; round++) {
      const state = await writeNoted(createCatalog(root), root, "talk", "state.json");
      for (let n = 0; n < 250; n++) await createCatalog(root).note(state);
      await Promise.all([
        ...catalogs.map((catalog) => catalog.entries()),
        ...Array.from({ length: 20 }, (_, n) =>
          writeNoted(catalogs[n % 3] ?? createCatalog(root), root, `s-${n % 4}`, `file-${round}-${n}`),
        ),
      ]);
    }
    const entries = await createCatalog(root).entries();
    expect(entries).toHaveLength(101);
    expect(entries.filter(({ sha256 }) => sha256 === undefined)).toEqual([]);
    expect(await createCatalog(root).lost()).toEqual([]);
  });
});

// The contract of a memory store on a database file.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSqliteObservationStore } from "../../src/observations/sqlite-observation-store.ts";
import { observationStoreSuite } from "./store-suite.ts";
import { addObservations } from "./suite/sample-rows.ts";

observationStoreSuite("the store in SQLite", async () => {
  const folder = await mkdtemp(join(tmpdir(), "store-"));
  return createSqliteObservationStore({ path: join(folder, "memory.db"), create: true });
});

describe("a store of nearly one project", () => {
  it("counts it by what is not of it", async () => {
    const store = createSqliteObservationStore({ path: ":memory:" });
    const rows = Array.from({ length: 300 }, (_, index) => ({
      project: index % 50 === 0 ? (["alpha", "zeta", null][(index / 50) % 3] ?? null) : "shop",
      deleted_at: index % 9 === 0 ? "2031-03-09 00:00:00" : null,
    }));
    await addObservations(store, rows);
    const count = (project: string, standing: "live" | "deleted" | "any") =>
      store.read((reader) => reader.count({ project }, standing));
    for (const project of ["shop", "alpha", "none"]) {
      const own = rows.filter((each) => each.project === project);
      expect(await count(project, "any")).toBe(own.length);
      expect(await count(project, "live")).toBe(own.filter(({ deleted_at }) => deleted_at === null).length);
      expect(await count(project, "deleted")).toBe(own.filter(({ deleted_at }) => deleted_at !== null).length);
    }
    await store.close();
  });
});

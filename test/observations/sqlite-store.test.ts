// The contract of a memory store on a database file.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteObservationStore } from "../../src/observations/sqlite-observation-store.ts";
import { observationStoreSuite } from "./store-suite.ts";

observationStoreSuite("the store in SQLite", async () => {
  const folder = await mkdtemp(join(tmpdir(), "store-"));
  return createSqliteObservationStore({ path: join(folder, "memory.db"), create: true });
});

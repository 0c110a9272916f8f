// Every store that the tests of the observations run on.
import { createMemoryObservationStore } from "../../src/observations/memory-observation-store.ts";
import type { ObservationStore } from "../../src/observations/observation-store.ts";
import { createSqliteObservationStore } from "../../src/observations/sqlite-observation-store.ts";

export const stores: readonly (readonly [string, () => Promise<ObservationStore>])[] = [
  ["memory", async () => createMemoryObservationStore()],
  ["sqlite", async () => createSqliteObservationStore({ path: ":memory:", create: true })],
];

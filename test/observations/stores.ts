// Every store that the tests of the observations run on.
import { createMemoryObservationStore } from "../../src/observations/memory-observation-store.ts";
import type { ObservationStore } from "../../src/observations/observation-store.ts";

export const stores: readonly (readonly [string, () => Promise<ObservationStore>])[] = [
  ["memory", async () => createMemoryObservationStore()],
];

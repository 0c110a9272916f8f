// Short ways to compact in a test, and to see that a call changed nothing.
import { expect } from "vitest";
import { type CompactRequest, compactObservations } from "../../../src/observations/compaction/compact-observations.ts";
import type { ObservationStore } from "../../../src/observations/observation-store.ts";
import { NOW } from "../rows.ts";

export const compact = (store: ObservationStore, request: Partial<CompactRequest>) =>
  compactObservations(store, { olderThanDays: 30, ids: undefined, ...request }, { now: NOW });
export const SUMMARY = { summaryTitle: "Compacted notes", summaryContent: "What they say together" };

export async function all(store: ObservationStore) {
  return store.read(async (rows) => ({
    observations: await rows.observationsAfter(0, 10_000),
    relations: await rows.relationsAfter(0, 10_000),
    sessions: await rows.sessionsAfter("", 10_000),
  }));
}

/** The call is refused and not one row is different afterwards. */
export async function refused(store: ObservationStore, request: Partial<CompactRequest>) {
  const before = await all(store);
  const error: unknown = await compact(store, request).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(await all(store)).toEqual(before);
  return error;
}

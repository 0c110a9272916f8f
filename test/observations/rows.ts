// What the tests of the memory store share: short ways to write rows, and a fixed clock.
import {
  DEFAULT_SESSION,
  type NewObservation,
  type Observation,
  storedTime,
} from "../../src/observations/observation.ts";
import type { ObservationStore } from "../../src/observations/observation-store.ts";
import { normalizedHash } from "../../src/observations/saving/stored-text.ts";
import { DAY_MS } from "../../src/time.ts";

/** 2026-03-01 00:00:00 UTC. */
export const NOW = Date.UTC(2026, 2, 1);

export const daysAgo = (days: number): string => storedTime(NOW - days * DAY_MS);

/** A live row, created 45 days ago unless said otherwise. */
export function row(changes: Partial<NewObservation> = {}): NewObservation {
  const content = changes.content ?? "a note";
  const created = changes.created_at ?? daysAgo(45);
  return {
    session_id: DEFAULT_SESSION,
    type: "manual",
    title: "Note",
    content,
    tool_name: null,
    project: "shop",
    scope: "project",
    topic_key: null,
    namespace: null,
    normalized_hash: normalizedHash(content),
    revision_count: 1,
    duplicate_count: 1,
    last_seen_at: null,
    created_at: created,
    updated_at: created,
    deleted_at: null,
    ...changes,
  };
}

/** Adds the rows with their sessions and gives their ids. */
export async function seed(store: ObservationStore, rows: readonly NewObservation[]): Promise<number[]> {
  return store.write(async (writer) => {
    const ids: number[] = [];
    for (const added of rows) {
      const started_at = added.created_at;
      await writer.addSession({
        id: added.session_id,
        project: added.project ?? "",
        directory: "",
        started_at,
        ended_at: null,
        summary: null,
      });
      ids.push(await writer.addObservation(added));
    }
    return ids;
  });
}

export async function everyRow(store: ObservationStore): Promise<readonly Observation[]> {
  return store.read((rows) => rows.observationsAfter(0, 1_000_000));
}

export async function liveIds(store: ObservationStore): Promise<number[]> {
  return (await everyRow(store)).filter(({ deleted_at }) => deleted_at === null).map(({ id }) => id);
}

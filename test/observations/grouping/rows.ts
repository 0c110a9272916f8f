// A small store for tests, with rows written as an agent would have saved them.

import { createMemoryObservationStore } from "../../../src/observations/memory-observation-store.ts";
import type { NewObservation, Observation } from "../../../src/observations/observation.ts";
import type { ObservationStore } from "../../../src/observations/observation-store.ts";

export const NOW = Date.UTC(2026, 5, 1);
export const OLD = "2026-01-10 08:00:00";

export type Note = Partial<NewObservation> & { readonly content: string };

export async function storeOf(notes: readonly Note[]): Promise<ObservationStore> {
  const store = createMemoryObservationStore();
  await store.write(async (rows) => {
    await rows.addSession({ id: "s", project: "p", directory: "", started_at: OLD, ended_at: null, summary: null });
    for (const note of notes) {
      const created = note.created_at ?? OLD;
      await rows.addObservation({
        session_id: "s",
        type: "manual",
        title: "",
        tool_name: null,
        project: "p",
        scope: "project",
        topic_key: null,
        namespace: null,
        normalized_hash: null,
        revision_count: 1,
        duplicate_count: 1,
        last_seen_at: null,
        updated_at: created,
        deleted_at: null,
        ...note,
        created_at: created,
      });
    }
  });
  return store;
}

export function allRows(store: ObservationStore): Promise<readonly Observation[]> {
  return store.read((rows) => rows.observationsAfter(0, 100_000));
}

export async function liveIds(store: ObservationStore): Promise<readonly number[]> {
  return (await allRows(store)).filter(({ deleted_at }) => deleted_at === null).map(({ id }) => id);
}

/** Whole words; exact counting is proved elsewhere. */
export function count(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}

const PARTS = ["the retry queue", "the invoice export", "the login page", "the nightly backup", "the search index"];

/** Long enough that a summary of several is shorter than they are. */
export function longNote(number: number): string {
  const part = PARTS[number % PARTS.length];
  const sentences = Array.from(
    { length: 30 },
    (_, at) =>
      `Step ${number}-${at} moved one more piece of ${part} into src/part${number}/file${at}.ts and left the rest alone.`,
  );
  return `We decided to rebuild ${part} because run ${number} failed twice. ${sentences.join(" ")}`;
}

// Rows for the tests of memory stores: complete, with defaults that differ from what a store might invent.
import type { NewObservation, Observation, Prompt, Relation, Session } from "../../../src/observations/observation.ts";
import type { ObservationStore } from "../../../src/observations/observation-store.ts";

export type OpenStore = () => Promise<ObservationStore>;

export function newObservation(changes: Partial<NewObservation> = {}): NewObservation {
  return {
    session_id: "session-1",
    type: "decision",
    title: "A title",
    content: "Some content",
    tool_name: null,
    project: "shop",
    scope: "project",
    topic_key: null,
    namespace: null,
    normalized_hash: "hash",
    revision_count: 1,
    duplicate_count: 1,
    last_seen_at: null,
    created_at: "2031-03-01 12:00:00",
    updated_at: "2031-03-01 12:00:00",
    deleted_at: null,
    ...changes,
  };
}

export function newSession(changes: Partial<Session> = {}): Session {
  return {
    id: "session-1",
    project: "shop",
    directory: "/shop",
    started_at: "2031-03-01 10:00:00",
    ended_at: null,
    summary: null,
    ...changes,
  };
}

export function newPrompt(changes: Partial<Prompt> = {}): Omit<Prompt, "id"> & { readonly id?: number } {
  return {
    session_id: "session-1",
    content: "Please fix it",
    project: "shop",
    namespace: null,
    created_at: "2031-03-01 12:00:00",
    ...changes,
  };
}

export function newRelation(from: number, to: number, changes: Partial<Relation> = {}): Omit<Relation, "id"> {
  return {
    from_id: from,
    to_id: to,
    type: "relates_to",
    note: null,
    created_at: "2031-03-01 12:00:00",
    ...changes,
  };
}

/** Adds the rows in one transaction, their session too. Returns their ids in order. */
export function addObservations(
  store: ObservationStore,
  rows: readonly Partial<NewObservation>[],
): Promise<readonly number[]> {
  return store.write(async (writer) => {
    const ids: number[] = [];
    for (const row of rows) {
      const observation = newObservation(row);
      await writer.addSession(newSession({ id: observation.session_id }));
      ids.push(await writer.addObservation(observation));
    }
    return ids;
  });
}

/** Freezes an input through and through: a store that changes it throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}

export function allObservations(store: ObservationStore): Promise<readonly Observation[]> {
  return store.read((reader) => reader.observationsAfter(0, 1000));
}

// Decides inside a transaction what a save becomes: another revision of its topic, one more sighting of the same text,
// or a new row.
import { readTime } from "../../time.ts";
import { type Observation, storedTime } from "../observation.ts";
import type { ObservationWriter } from "../observation-store.ts";
import { normalizedHash } from "./normal-form.ts";
import { addSessionOnDemand } from "./sessions.ts";

/** Columns in their stored form. */
export type WrittenColumns = Pick<
  Observation,
  "session_id" | "type" | "title" | "content" | "tool_name" | "project" | "scope" | "topic_key" | "namespace"
>;

/** `repeated`: the same text was there already and was counted once more. */
export type SaveOutcome = "created" | "updated" | "repeated";

export interface WriteOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How long ago the same text counts as the same observation, in milliseconds. Default 15 minutes. */
  readonly repeatsWithin?: number;
}

const REPEATS_WITHIN = 15 * 60_000;

export async function writeObservation(
  rows: ObservationWriter,
  columns: WrittenColumns,
  { now, repeatsWithin = REPEATS_WITHIN }: WriteOptions,
): Promise<{ readonly id: number; readonly outcome: SaveOutcome }> {
  const hashed = { ...columns, normalized_hash: normalizedHash(columns.content) };
  const topic = await rowOfTopic(rows, columns);
  if (topic !== undefined) return { id: await revise(rows, topic, hashed, now), outcome: "updated" };
  const same = (await rows.equals(hashed, "live")).find(
    (row) => isWithin(row, now - repeatsWithin) && (columns.topic_key === null || row.topic_key === null),
  );
  if (same !== undefined) return { id: await countRepetition(rows, same, columns.topic_key, now), outcome: "repeated" };
  return { id: await add(rows, hashed, now), outcome: "created" };
}

async function rowOfTopic(rows: ObservationWriter, columns: WrittenColumns): Promise<Observation | undefined> {
  const { topic_key, project, scope, namespace } = columns;
  return topic_key === null ? undefined : rows.ofTopic(topic_key, project, scope, namespace);
}

type HashedColumns = WrittenColumns & { readonly normalized_hash: string };

/** Creation time and session stay those of the first text. */
async function revise(rows: ObservationWriter, topic: Observation, columns: HashedColumns, now: number) {
  const { type, title, content, tool_name, normalized_hash } = columns;
  await rows.changeObservations([topic.id], {
    ...{ type, title, content, tool_name, normalized_hash },
    revision_count: topic.revision_count + 1,
    last_seen_at: storedTime(now),
    updated_at: storedTime(now),
  });
  return topic.id;
}

/** A topic that came with the repetition is kept: the row had none. */
async function countRepetition(rows: ObservationWriter, same: Observation, topicKey: string | null, now: number) {
  await rows.changeObservations([same.id], {
    topic_key: same.topic_key ?? topicKey,
    duplicate_count: same.duplicate_count + 1,
    last_seen_at: storedTime(now),
    updated_at: storedTime(now),
  });
  return same.id;
}

async function add(rows: ObservationWriter, columns: HashedColumns, now: number): Promise<number> {
  const at = storedTime(now);
  await addSessionOnDemand(rows, columns.session_id, columns.project, now);
  return rows.addObservation({
    ...columns,
    revision_count: 1,
    duplicate_count: 1,
    last_seen_at: null,
    created_at: at,
    updated_at: at,
    deleted_at: null,
  });
}

function isWithin(row: Observation, since: number): boolean {
  const at = readTime(row.created_at);
  return at !== undefined && at >= since;
}

// Puts the observations of a file into the store in three passes over all of them: first those that the store has under
// their ids, then those whose ids are free, at last those that need new ones. A new id is above every id of the file
// then, so none of them takes the id of another row of it.
import { COMPACTED_FROM, type Observation } from "../observation.ts";
import type { ObservationReader, ObservationWriter } from "../observation-store.ts";
import {
  addRow,
  claim,
  type EqualRows,
  type EqualsByTime,
  findTopic,
  type ImportState,
  isSameRow,
} from "./import-state.ts";
import type { ImportedObservation, UndatedObservation } from "./imported-rows.ts";
import { timeOf } from "./table-rows.ts";

type Rows = readonly ImportedObservation[];

export async function updateKnown(writer: ObservationWriter, state: ImportState, rows: Rows): Promise<void> {
  const byId = await rowsById(writer, rows);
  for (const imported of rows) await mergeById(writer, state, imported, byId);
}

export async function addWithFreeIds(writer: ObservationWriter, state: ImportState, rows: Rows): Promise<void> {
  const waiting = rows.filter((imported) => imported.id !== undefined && !state.placed.has(imported));
  const byId = await rowsById(writer, waiting);
  for (const imported of waiting) {
    // A file may hold the same row twice: the first one is there by now.
    const isKnown = await mergeById(writer, state, imported, byId);
    if (isKnown || imported.id === undefined || byId.has(imported.id)) continue;
    const placed = await mergeOrAdd(writer, state, imported, imported.id);
    byId.set(placed.id, placed);
  }
}

export async function addWithNewIds(writer: ObservationWriter, state: ImportState, rows: Rows): Promise<void> {
  for (const imported of rows) {
    if (!state.placed.has(imported)) await mergeOrAdd(writer, state, imported, undefined);
  }
}

async function mergeById(
  writer: ObservationWriter,
  state: ImportState,
  imported: ImportedObservation,
  byId: Map<number, Observation>,
): Promise<boolean> {
  const found = imported.id === undefined ? undefined : byId.get(imported.id);
  if (found === undefined || !isSameRow(found, imported)) return false;
  byId.set(found.id, await mergeRow(writer, state, imported, found));
  return true;
}

async function mergeOrAdd(
  writer: ObservationWriter,
  state: ImportState,
  imported: ImportedObservation,
  id: number | undefined,
): Promise<Observation> {
  const equal = await equalRows(writer, state, imported);
  const found = takeEqual(equal, state, imported) ?? (await findTopic(writer, state, imported));
  if (found !== undefined) return mergeRow(writer, state, imported, found);
  equal.added += 1;
  return addRow(writer, state, imported, id);
}

async function rowsById(writer: ObservationWriter, rows: Rows): Promise<Map<number, Observation>> {
  const found = await writer.observations(rows.flatMap(({ id }) => id ?? []));
  return new Map(found.map((row) => [row.id, row]));
}

// Decides between the file's and the store's state of one row: the later one stays. Nothing is taken from a state that is
// as old as the store's.

const COMPARED_COLUMNS = [
  "type",
  "title",
  "content",
  "tool_name",
  "project",
  "scope",
  "topic_key",
  "namespace",
] as const;

/** Gives the row as it stands afterwards. */
async function mergeRow(
  writer: ObservationWriter,
  state: ImportState,
  imported: ImportedObservation,
  found: Observation,
): Promise<Observation> {
  claim(state, imported, found.id);
  const { row } = imported;
  const age = row.updated_at === undefined ? 0 : compareAge(row, row.updated_at, found);
  if (age > 0 && row.updated_at !== undefined) {
    const changes = changesTo(found, imported, row.updated_at);
    await writer.changeObservations([found.id], changes);
    if (found.deleted_at !== null && changes.deleted_at === null) await releaseRow(writer, found.id);
    state.counts.updated += 1;
    return { ...found, ...changes };
  }
  if (age < 0) state.counts.kept_newer += 1;
  else state.counts.unchanged += 1;
  if (age === 0 && !saysTheSame(row, found))
    state.log.note("the store's row differs, but is as new: it is left as it is", imported.position);
  return found;
}

/** Nothing stands for a row that is live again. */
async function releaseRow(writer: ObservationWriter, id: number): Promise<void> {
  for (const relation of await writer.relations([id]))
    if (relation.type === COMPACTED_FROM && relation.to_id === id) await writer.removeRelation(relation.id);
}

/** Above 0 where the file's state is the later one. */
function compareAge(row: UndatedObservation, updatedAt: string, found: Observation): number {
  const stored = timeOf(found.updated_at);
  if (stored === undefined || updatedAt > stored) return 1;
  return updatedAt < stored ? -1 : row.revision_count - found.revision_count;
}

function saysTheSame(row: UndatedObservation, found: Observation): boolean {
  return (
    COMPARED_COLUMNS.every((field) => row[field] === found[field]) &&
    (row.deleted_at === null) === (found.deleted_at === null)
  );
}

function changesTo(found: Observation, { row, hash }: ImportedObservation, updatedAt: string): Partial<Observation> {
  const { id: _id, session_id: _session, created_at: _created, ...before } = found;
  const said = Object.fromEntries(COMPARED_COLUMNS.map((field) => [field, row[field]]));
  return {
    ...before,
    ...said,
    normalized_hash: hash,
    revision_count: row.revision_count,
    duplicate_count: Math.max(row.duplicate_count, found.duplicate_count),
    last_seen_at: row.last_seen_at ?? found.last_seen_at,
    updated_at: updatedAt,
    deleted_at: deletionOf(found, row, updatedAt),
  };
}

/** What was deleted here after the file's state was written stays deleted. */
function deletionOf(found: Observation, row: UndatedObservation, updatedAt: string): string | null {
  if (row.deleted_at !== null) return row.deleted_at ?? updatedAt;
  const here = found.deleted_at === null ? undefined : timeOf(found.deleted_at);
  return here !== undefined && here >= updatedAt ? found.deleted_at : null;
}

// Finds rows of the store that say the same as one of the file, each for one row of the file only: n equal rows of a file
// are n rows of the store, and stay n. Asks the store once a transaction for each text, however often a file repeats it.

async function equalRows(
  reader: ObservationReader,
  state: ImportState,
  { row, hash }: ImportedObservation,
): Promise<EqualRows> {
  const key = JSON.stringify([hash, row.project, row.scope, row.type, row.title, row.namespace]);
  let buckets = state.equals.get(key);
  if (buckets === undefined) {
    const query = { ...row, normalized_hash: hash };
    buckets = bucketsOf(state.wasEmpty ? [] : await reader.equals(query, "any"));
    state.equals.set(key, buckets);
  }
  return bucketAt(buckets, row.content, row.created_at);
}

/**
 * One that stands for no row of the file yet, live or deleted as that is where there is one. Undefined where the store has
 * fewer than `nth` in all.
 */
function takeEqual(equal: EqualRows, state: ImportState, { row, nth = 1 }: ImportedObservation) {
  if (equal.live.rows.length + equal.deleted.rows.length + equal.added < nth) return undefined;
  const queues = row.deleted_at === null ? [equal.live, equal.deleted] : [equal.deleted, equal.live];
  for (const queue of queues) {
    // Claims are never taken back, so nothing is looked at twice.
    while (queue.next < queue.rows.length && state.claimed.has(queue.rows[queue.next]?.id ?? 0)) queue.next += 1;
    if (queue.next < queue.rows.length) return queue.rows[queue.next];
  }
  return undefined;
}

/** By id: the next time the same file comes, each of its equal rows meets the one that it was put in as, and its relations, too. */
function bucketsOf(rows: readonly Observation[]): EqualsByTime {
  const buckets: EqualsByTime = new Map();
  for (const row of rows.toSorted((left, right) => left.id - right.id))
    for (const time of [timeOf(row.created_at), undefined]) {
      const { live, deleted } = bucketAt(buckets, row.content, time);
      (row.deleted_at === null ? live : deleted).rows.push(row);
    }
  return buckets;
}

/** The hash leaves out case and white space; the same row is the same text. */
function bucketAt(buckets: EqualsByTime, content: string, time: string | undefined): EqualRows {
  const key = `${time ?? ""}|${content}`;
  const known = buckets.get(key);
  if (known !== undefined) return known;
  const bucket = { live: { rows: [], next: 0 }, deleted: { rows: [], next: 0 }, added: 0 };
  buckets.set(key, bucket);
  return bucket;
}

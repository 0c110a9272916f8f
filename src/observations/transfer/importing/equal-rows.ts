// Finds rows of the store that say the same as one of the file, each for one row of the file only: n equal rows of a file
// are n rows of the store, and stay n. Asks the store once a transaction for each text, however often a file repeats it.
import type { Observation } from "../../observation.ts";
import type { ObservationReader } from "../../observation-store.ts";
import type { ImportedObservation } from "../imported-rows.ts";
import { timeOf } from "../readers/fields.ts";
import type { EqualRows, EqualsByTime, ImportState } from "./import-state.ts";

export async function equalRows(
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
export function takeEqual(equal: EqualRows, state: ImportState, { row, nth = 1 }: ImportedObservation) {
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

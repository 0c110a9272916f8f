// Rows by real time, whatever shapes it is written in, without reading the table: each shape is a stream in the order of
// the index over `created_at`, read only as far as it can still bring a row before the last one wanted.
import type { Sql } from "../../../storage/sqlite/transactions.ts";
import type { StoreShape } from "../check-schema.ts";
import { type Condition, rarest, whereOf } from "../conditions.ts";
import { type Dated, dated, writtenRows } from "./dated-rows.ts";
import { streamsOf } from "./streams.ts";
import type { TimeQuery } from "./time-query.ts";
import { unreadableIds } from "./unreadable.ts";

/** Ids of rows with readable times, by time, equals by id, both in the direction asked for. */
export function idsByTime(sql: Sql, shape: StoreShape, query: TimeQuery): readonly number[] {
  const few = rarest(sql, shape, query.conditions, fewRows(sql, query.limit));
  const candidates =
    few === undefined
      ? fromStreams(sql, shape, query)
      : dated(writtenRows(sql, whereOf(shape, query.conditions, few.condition)));
  return inOrder(candidates, query)
    .slice(0, query.limit)
    .map(({ id }) => id);
}

/** Ids of all rows, newest first; those without a readable time last. */
export function idsNewestFirst(
  sql: Sql,
  shape: StoreShape,
  conditions: readonly Condition[],
  limit: number,
): readonly number[] {
  const readable = idsByTime(sql, shape, { conditions, direction: "newest", limit });
  if (readable.length >= limit) return readable;
  return [...readable, ...unreadableIds(sql, shape, conditions).toReversed()].slice(0, limit);
}

/**
 * Reading all of n rows costs n; finding a page among N in the order of time passes about limit * N / n rows of others.
 * Below this number the first is cheaper.
 */
function fewRows(sql: Sql, limit: number): number {
  const rows = Number(sql.get("SELECT max(id) AS id FROM observations")?.id ?? 0);
  return Math.max(1000, Math.ceil(Math.sqrt(Math.min(limit, rows) * rows)));
}

function fromStreams(sql: Sql, shape: StoreShape, query: TimeQuery): readonly Dated[] {
  const sign = query.direction === "oldest" ? 1 : -1;
  let candidates: readonly Dated[] = [];
  /** The time of the last row wanted, once there are enough. */
  const cut = (more: readonly Dated[] = []) => inOrder([...candidates, ...more], query)[query.limit - 1]?.at;
  for (const stream of streamsOf(sql, shape, query)) {
    for (let size = query.limit + 1; ; size *= 4) {
      const rows = stream.read(size, cut());
      const found = dated(rows);
      const end = cut(found);
      const isDone = rows.length < size || (end !== undefined && stream.isPast(rows, sign * end));
      if (!isDone) continue;
      candidates = inOrder([...candidates, ...found], query).slice(0, query.limit);
      break;
    }
  }
  return candidates;
}

function inOrder(rows: readonly Dated[], { direction, before, after }: TimeQuery): Dated[] {
  const sign = direction === "oldest" ? 1 : -1;
  return rows
    .filter(({ at, id }) => {
      if (before !== undefined && at >= before) return false;
      return after === undefined || at > after.createdAt || (at === after.createdAt && id > after.id);
    })
    .sort((first, second) => sign * (first.at - second.at || first.id - second.id));
}

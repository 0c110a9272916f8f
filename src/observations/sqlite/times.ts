// Rows by the time they were created, whatever shape it is written in. Of times in the reference's own shape the order of the
// texts is the order of the times, so the index over `created_at` serves; all others, hardly ever any, are read one by one.
import type { Sql } from "../../storage/sqlite/transactions.ts";
import { readTime } from "../../time.ts";
import { storedTime } from "../observation.ts";
import type { ObservationFilter, StaleSurvey } from "../observation-store.ts";
import { type Condition, conditionsOf, idList, LISTED, rarest, type Where, whereOf } from "./rows.ts";
import type { StoreShape } from "./schema.ts";

/**
 * SQLite, having read it as a time, writes the same text again. Adding 0 days makes it normalize the date: without it the 30th
 * of February would come back unchanged. Years before 100 are read as others.
 */
const EXACT = "datetime(created_at, '+0 days') = created_at";
const USUAL = `${EXACT} AND created_at >= '0100'`;
const NOT_USUAL = "(datetime(created_at, '+0 days') IS NOT created_at OR created_at < '0100')";
const FIRST = Date.UTC(100, 0, 1);
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59);

interface TimeQuery {
  readonly conditions: readonly Condition[];
  readonly direction: "oldest" | "newest";
  readonly limit: number;
  /** Times strictly before, in milliseconds. */
  readonly before?: number;
  /** With `oldest`: later in the order than this row. */
  readonly after?: { readonly createdAt: number; readonly id: number } | undefined;
}

interface Dated {
  readonly id: number;
  /** Milliseconds since the epoch; undefined where it cannot be read. */
  readonly at: number | undefined;
}

/** Ids of all rows whose time is written in another shape. */
export type Otherwise = () => readonly number[];

/** One look through the index. What looks usual and is not, names no time that exists. */
export function idsOtherwise(sql: Sql): readonly number[] {
  const rows = sql.all("SELECT id FROM observations WHERE created_at NOT GLOB '????-??-?? ??:??:??'");
  return rows.map(({ id }) => Number(id));
}

/** Ids of rows with readable times, by time, equals by id, both in the direction asked for. */
export function idsByTime(sql: Sql, shape: StoreShape, otherwise: Otherwise, query: TimeQuery): readonly number[] {
  const few = rarest(sql, shape, query.conditions, fewRows(sql, query.limit));
  const where = whereOf(shape, query.conditions, few);
  if (few !== undefined) return inOrder(datedRows(sql, where), query);
  const usual = usualRows(sql, where, query);
  const others = otherwise();
  const listed = { sql: `id IN ${LISTED} AND ${where.sql}`, values: [idList(others), ...where.values] };
  return inOrder(others.length === 0 ? usual : [...usual, ...datedRows(sql, listed)], query);
}

/** Ids of all rows, newest first; those without a readable time last. */
export function idsNewestFirst(
  sql: Sql,
  shape: StoreShape,
  otherwise: Otherwise,
  conditions: readonly Condition[],
  limit: number,
): readonly number[] {
  const readable = idsByTime(sql, shape, otherwise, { conditions, direction: "newest", limit });
  if (readable.length >= limit) return readable;
  const unreadable = notUsualRows(sql, whereOf(shape, conditions)).filter(({ at }) => at === undefined);
  return [...readable, ...idsOf(unreadable).reverse()].slice(0, limit);
}

/**
 * Reading all of n rows costs n; finding a page among N in the order of time passes about limit * N / n rows of others.
 * Below this number the first is cheaper.
 */
function fewRows(sql: Sql, limit: number): number {
  const rows = Number(sql.get("SELECT max(id) AS id FROM observations")?.id ?? 0);
  return Math.max(1000, Math.ceil(Math.sqrt(Math.min(limit, rows) * rows)));
}

/** As many as are wanted of those in the reference's shape, in the order of the index. */
function usualRows(sql: Sql, where: Where, { direction, limit, before, after }: TimeQuery): readonly Dated[] {
  const order = direction === "oldest" ? "created_at, id" : "created_at DESC, id DESC";
  // One lower bound alone: of two, SQLite may begin at the lesser.
  const from = usualText(after?.createdAt ?? FIRST);
  // A row of the very second as that one comes behind it by its id, where that one has no part of a second more.
  const behind = after === undefined || after.createdAt % 1000 !== 0 ? -1 : after.id;
  const parts: Where[] = [
    where,
    { sql: "created_at >= ? AND (created_at > ? OR +id > ?)", values: [from, from, behind] },
  ];
  if (before !== undefined) parts.push({ sql: "created_at < ?", values: [usualText(before)] });
  const rest = `${EXACT} AND ${parts.map(({ sql: part }) => part).join(" AND ")} ORDER BY ${order} LIMIT ?`;
  return datedRows(sql, { sql: rest, values: [...parts.flatMap(({ values }) => values), limit] });
}

/** The first text at or after a time. */
function usualText(at: number): string {
  return storedTime(Math.ceil(Math.min(LAST, Math.max(FIRST, at)) / 1000) * 1000);
}

/** Those that only JavaScript can judge, found by the index alone. */
function notUsualRows(sql: Sql, where: Where): readonly Dated[] {
  const found = `id IN (SELECT id FROM observations WHERE ${NOT_USUAL})`;
  return datedRows(sql, { sql: `${found} AND ${where.sql}`, values: where.values });
}

function datedRows(sql: Sql, where: Where): readonly Dated[] {
  const rows = sql.all(`SELECT id, created_at FROM observations WHERE ${where.sql}`, ...where.values);
  return rows.map(({ id, created_at }) => ({ id: Number(id), at: readTime(created_at) }));
}

function inOrder(rows: readonly Dated[], { direction, before, after, limit }: TimeQuery): readonly number[] {
  const sign = direction === "oldest" ? 1 : -1;
  return rows
    .flatMap(({ id, at }) => {
      if (at === undefined || (before !== undefined && at >= before)) return [];
      const isWanted = after === undefined || at > after.createdAt || (at === after.createdAt && id > after.id);
      return isWanted ? [{ id, at }] : [];
    })
    .sort((first, second) => sign * (first.at - second.at || first.id - second.id))
    .slice(0, limit)
    .map(({ id }) => id);
}

/** Ascending. */
function idsOf(rows: readonly Dated[]): number[] {
  return rows.map(({ id }) => id).sort((first, second) => first - second);
}

// How many stale rows there are and how old.

const MOST_UNREADABLE = 20;
/** Of more rows than this, finding each by an index takes longer than reading the table through. */
const WORTH_AN_INDEX = 200_000;

export function surveyStale(
  sql: Sql,
  shape: StoreShape,
  filter: ObservationFilter,
  bounds: readonly number[],
): StaleSurvey {
  const live = conditionsOf(filter, "live");
  const by = rarest(sql, shape, live, WORTH_AN_INDEX);
  const where = whereOf(shape, live, by);
  const others = notUsualRows(sql, where);
  const test = others.length === 0 ? "1" : USUAL.replaceAll("created_at", "+created_at");
  // Without a filter two indexes say all: the one over the times, and the one over what is deleted.
  const isOfIndexes = live.length === 1 && by === undefined;
  const wanted = isOfIndexes ? "id NOT IN (SELECT id FROM observations WHERE deleted_at >= '')" : where.sql;
  const counts = bounds.map((_, index) => `count(*) FILTER (WHERE created_at < ?) AS older_${index}`).join(", ");
  const texts = bounds.map(usualText);
  const values = isOfIndexes ? [] : where.values;
  const usual = sql.get(`SELECT ${counts} FROM observations WHERE ${wanted} AND ${test}`, ...texts, ...values);
  const older = bounds.map((bound, index) => {
    const isOlder = ({ at }: Dated) => at !== undefined && at < bound;
    return Number(usual?.[`older_${index}`]) + others.filter(isOlder).length;
  });
  const unreadable = idsOf(others.filter(({ at }) => at === undefined));
  return {
    total: older[0] ?? 0,
    byAge: older.map((count, index) => count - (older[index + 1] ?? 0)),
    unreadable: { count: unreadable.length, ids: unreadable.slice(0, MOST_UNREADABLE) },
  };
}

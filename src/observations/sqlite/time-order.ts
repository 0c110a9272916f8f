// Rows by real time, whatever shapes it is written in, without reading the table: each shape is a stream in the order of
// the index over `created_at`, read only as far as it can still bring a row before the last one wanted.
import type { SqlValue } from "../../storage/sqlite/driver.ts";
import type { Sql } from "../../storage/sqlite/transactions.ts";
import { DAY_MS, readTime, WIDEST_OFFSET_MS } from "../../time.ts";
import { type Condition, rarest, whereOf } from "./rows.ts";
import type { StoreShape } from "./schema.ts";
import {
  BLANK_FIRST,
  type Dated,
  DIGIT,
  dated,
  dayText,
  digitCounts,
  type ExactShape,
  exactShapes,
  firstText,
  inDigits,
  OTHERWISE_DATED,
  unreadableIds,
  type Written,
  writtenRows,
} from "./written-times.ts";

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

// What is asked for when rows are wanted in the order of time.

interface TimeQuery {
  readonly conditions: readonly Condition[];
  readonly direction: "oldest" | "newest";
  readonly limit: number;
  /** Times strictly before, in milliseconds. */
  readonly before?: number;
  /** With `oldest`: later in the order than this row. */
  readonly after?: { readonly createdAt: number; readonly id: number } | undefined;
}

// The streams of rows that a search by time merges: one for each shape of written time, in the order of the index.

interface Stream {
  /** The first rows of the stream; without those certain to come after `cut`, a time. */
  read(size: number, cut: number | undefined): readonly Written[];
  /** Whether every row after these ones has a key above `key`: a time, negative for the newest first. */
  isPast(rows: readonly Written[], key: number): boolean;
}

function streamsOf(sql: Sql, shape: StoreShape, query: TimeQuery): readonly Stream[] {
  const source = createSource(sql, shape, query);
  const exact = byLikelihood(sql, query).map((exactShape) => exactStream(source, query, exactShape));
  const ranges = digitRanges(sql);
  const digits = ranges.length === 0 ? [] : digitCounts.map((count) => digitStream(source, query, count, ranges));
  return [...exact, datedStream(source, query), ...digits, strangeStream(source)];
}

/** Reads rows whose text is in a range and passes a test, in the order of the index. */
type Source = (range: TextRange, test: string, values: readonly SqlValue[], size: number) => readonly Written[];

function createSource(sql: Sql, shape: StoreShape, { conditions, direction }: TimeQuery): Source {
  const where = whereOf(shape, conditions);
  const order = direction === "oldest" ? "created_at ASC, id ASC" : "created_at DESC, id DESC";
  return ({ from, to }, test, values, size) =>
    writtenRows(sql, {
      sql: `created_at >= ? AND created_at < ? AND ${test} AND ${where.sql} ORDER BY ${order} LIMIT ?`,
      values: [from, to, ...values, ...where.values, size],
    });
}

/** A store is mostly written in one shape: when that one is read first, its rows bound what is read of the others. */
function byLikelihood(sql: Sql, query: TimeQuery): readonly ExactShape[] {
  const { from, to } = boundsOf(query, undefined);
  const isOldest = query.direction === "oldest";
  const first = sql.get(
    `SELECT created_at FROM observations WHERE created_at >= ? AND created_at < ? ORDER BY created_at ${isOldest ? "ASC" : "DESC"} LIMIT 1`,
    dayText(from),
    dayText(to, 1),
  );
  const isoFirst = /^.{10}T/.test(String(first?.created_at));
  return isoFirst ? exactShapes.toReversed() : exactShapes;
}

/** What times may still matter, both inclusive: those of the query, up to the last row wanted. */
function boundsOf({ direction, before, after }: TimeQuery, cut: number | undefined) {
  const from = after?.createdAt ?? Number.NEGATIVE_INFINITY;
  const to = before ?? Number.POSITIVE_INFINITY;
  if (cut === undefined) return { from, to };
  return direction === "oldest" ? { from, to: Math.min(to, cut) } : { from: Math.max(from, cut), to };
}

/** The key of the last row with a readable time; undefined where there is none. */
function lastKey(rows: readonly Written[], { direction }: TimeQuery): number | undefined {
  const at = readTime(rows.findLast(({ createdAt }) => readTime(createdAt) !== undefined)?.createdAt);
  return at === undefined ? undefined : direction === "oldest" ? at : -at;
}

function exactStream(source: Source, query: TimeQuery, shape: ExactShape): Stream {
  return {
    read(size, cut) {
      const { from, to } = boundsOf(query, cut);
      const range = { from: firstText(shape, from), to: firstText(shape, to + 1) };
      const { after } = query;
      if (after === undefined || after.createdAt % shape.unit !== 0) {
        return source(range, shape.test, [], size);
      }
      // Rows of the same time before the last one seen must not fill the page.
      return source(range, `${shape.test} AND (created_at > ? OR id > ?)`, [range.from, after.id], size);
    },
    isPast: (rows, key) => (lastKey(rows, query) ?? Number.NEGATIVE_INFINITY) >= key,
  };
}

/** Dates in any other shape: their text begins with a day that may lie some days from the real one. */
function datedStream(source: Source, query: TimeQuery): Stream {
  return {
    read(size, cut) {
      const { from, to } = boundsOf(query, cut);
      const range = { from: dayText(from - WIDEST_OFFSET_MS), to: dayText(to + WIDEST_OFFSET_MS, 1) };
      return source(range, OTHERWISE_DATED, [], size);
    },
    isPast(rows, key) {
      const days = rows.flatMap(({ createdAt }) => readTime(String(createdAt).slice(0, 10)) ?? []);
      const day = days.at(-1);
      if (day === undefined) return false;
      return query.direction === "oldest" ? day - WIDEST_OFFSET_MS > key : -(day + DAY_MS + WIDEST_OFFSET_MS) > key;
    },
  };
}

/** Seconds or milliseconds since the epoch. A leading zero breaks the order: those are among the strange ones. */
function digitStream(source: Source, query: TimeQuery, count: number, ranges: readonly TextRange[]): Stream {
  const glob = DIGIT.repeat(count);
  const inDirection = query.direction === "oldest" ? ranges : ranges.toReversed();
  return {
    read(size, cut) {
      const { from, to } = boundsOf(query, cut);
      const low = digitsText(count, Math.floor(inDigits(count, from)), "1");
      const high = digitsText(count, Math.ceil(inDigits(count, to + 1)) + 1, ":");
      const rows: Written[] = [];
      for (const range of inDirection) {
        const [, from = ""] = [range.from, low].sort();
        const [to = ""] = [range.to, high].sort();
        const part = { from, to };
        if (part.from >= part.to) continue;
        rows.push(...source(part, "(created_at GLOB ? OR created_at GLOB ?)", [glob, `${glob}.*`], size - rows.length));
        if (rows.length >= size) break;
      }
      return rows;
    },
    // Digits after the point are read in floating point: a millisecond is left for it.
    isPast: (rows, key) => (lastKey(rows, query) ?? Number.NEGATIVE_INFINITY) > key + 1,
  };
}

/** A number as text of so many digits; smaller ones come before all such texts, larger ones after. */
function digitsText(count: number, value: number, unbounded: string): string {
  if (!Number.isFinite(value)) return unbounded;
  if (value < 10 ** (count - 1)) return "1";
  return value >= 10 ** count ? ":" : String(value);
}

/** Times with blanks before them, and digits that begin with zeros: all of them, which are hardly ever any. */
function strangeStream(source: Source): Stream {
  const all = Number.MAX_SAFE_INTEGER;
  return {
    read: () => [
      ...source({ from: "", to: "0" }, "created_at GLOB ?", [BLANK_FIRST], all),
      ...source({ from: "0", to: "1" }, "created_at GLOB ?", ["[0-9]*"], all),
      ...source({ from: ":", to: "\u{10ffff}" }, "created_at GLOB ?", [BLANK_FIRST], all),
    ],
    isPast: () => true,
  };
}

// Where in the index over `created_at` times stand that are digits alone. They lie among the dates ("1767..." between
// "1767-" and "1768-"), so it is stepped through in leaps over all that begins alike.

interface TextRange {
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
}

/** A date has its hyphen where a number has its fifth digit, and a hyphen comes before all digits. */
const LEAPS = `
WITH RECURSIVE leap(text) AS (
  SELECT min(created_at) FROM observations WHERE created_at >= '1' AND created_at < ':'
  UNION ALL
  SELECT (
    SELECT min(created_at) FROM observations
    WHERE created_at < ':' AND created_at >= CASE
      WHEN length(text) < 5 THEN text || char(1)
      WHEN substr(text, 5, 1) < '0' THEN substr(text, 1, 4) || '0'
      WHEN substr(text, 5, 1) <= '9' THEN substr(text, 1, 4) || ':'
      ELSE max(text || char(1), substr(text, 1, 4) || char(1114111))
    END
  ) FROM leap WHERE text IS NOT NULL
)
SELECT text FROM leap WHERE text IS NOT NULL`;

/** Ascending and apart from the dates; neighbours without dates between them are one. */
function digitRanges(sql: Sql): readonly TextRange[] {
  const ranges: { from: string; to: string }[] = [];
  let isJoined = false;
  for (const { text } of sql.all(LEAPS)) {
    const first = String(text);
    const isDigits = /^\d{5}/.test(first);
    const to = `${first.slice(0, 4)}:`;
    const last = ranges.at(-1);
    if (isDigits && isJoined && last !== undefined) last.to = to;
    else if (isDigits) ranges.push({ from: first, to });
    isJoined = isDigits;
  }
  return ranges;
}

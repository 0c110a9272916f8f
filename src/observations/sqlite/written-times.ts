// How times are written in `created_at`, as far as an index over its texts can tell. In an exact shape the order of the
// texts is the order of the times; all other dates stay near the day they begin with.
import type { SqlValue } from "../../storage/sqlite/driver.ts";
import type { Sql } from "../../storage/sqlite/transactions.ts";
import { DAY_MS, isoTime, readTime } from "../../time.ts";
import type { ObservationFilter, StaleSurvey } from "../observation-store.ts";
import { countByAge } from "./age-groups.ts";
import { type Condition, conditionsOf, countRows, rarest, type Where, whereOf } from "./rows.ts";
import type { StoreShape } from "./schema.ts";

export interface ExactShape {
  /** SQL: true of a text that is in the shape and names a time that exists. */
  readonly test: string;
  /** SQL: the same denied, true of NULL as well. */
  readonly denial: string;
  /** The finest step it can say, in milliseconds. */
  readonly unit: number;
  /** A time that is a multiple of the unit. */
  readonly text: (at: number) => string;
}

export const DIGIT = "[0-9]";

/**
 * The reference's own shape first. A text has a shape when SQLite, having read it as a time, writes the same text again. Adding
 * 0 days makes SQLite normalize the date: without it the 30th of February would come back unchanged.
 */
export const exactShapes: readonly ExactShape[] = [
  exactShape("datetime(created_at, '+0 days')", 1000, (at) => isoTime(at).slice(0, 19).replace("T", " ")),
  exactShape("strftime('%Y-%m-%dT%H:%M:%SZ', created_at, '+0 days')", 1000, (at) => `${isoTime(at).slice(0, 19)}Z`),
  exactShape("strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '+0 days')", 1, isoTime),
];

function exactShape(written: string, unit: number, text: (at: number) => string): ExactShape {
  return { test: `${written} = created_at`, denial: `${written} IS NOT created_at`, unit, text };
}

/** Whatever else begins as a date does: cheap to ask, the reference's shape and what is near it left out first. */
export const OTHERWISE_DATED = [
  "created_at NOT GLOB '?????????? ?????:??'",
  `created_at GLOB '${DIGIT.repeat(4)}-*'`,
  ...exactShapes.map(({ denial }) => denial),
].join(" AND ");

/** Digits since the epoch, by how many there are before a point: among equally many, texts are ordered as numbers. */
export const digitCounts: readonly number[] = [9, 10, 11, 12, 13, 14];

/** Up to eleven digits are seconds. */
export function inDigits(count: number, at: number): number {
  return count <= 11 ? at / 1000 : at;
}

/** What a time may begin with before it is trimmed: a GLOB class of all white space that JavaScript trims. */
export const BLANK_FIRST = "[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*";

/** A leading zero may be a number's as well as a year's. */
const FIRST = Date.UTC(1000, 0, 1);
const LAST = Date.UTC(9999, 11, 31) + DAY_MS - 1;

/** The first time at or after `at` that the shape can say, as its text; before all or after all where there is none. */
export function firstText(shape: ExactShape, at: number): string {
  if (at < FIRST) return "1";
  return at > LAST ? ":" : shape.text(Math.ceil(at / shape.unit) * shape.unit);
}

/** The day of a time, `days` later, as a date that bounds a range of texts. */
export function dayText(at: number, days = 0): string {
  const day = at + days * DAY_MS;
  if (day < FIRST) return "1";
  return day > LAST ? ":" : isoTime(day).slice(0, 10);
}

// Rows as no more than their id and the time they were created: what sorting by real time needs.

export interface Dated {
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface Written {
  readonly id: number;
  readonly createdAt: SqlValue | undefined;
}

/** Without those whose time cannot be read. */
export function dated(rows: readonly Written[]): Dated[] {
  return rows.flatMap(({ id, createdAt }) => {
    const at = readTime(createdAt);
    return at === undefined ? [] : [{ id, at }];
  });
}

export function writtenRows(sql: Sql, where: Where): readonly Written[] {
  const rows = sql.all(`SELECT id, created_at FROM observations WHERE ${where.sql}`, ...where.values);
  return rows.map((row) => ({ id: Number(row.id), createdAt: row.created_at }));
}

// Rows whose time only JavaScript can judge: those in no exact shape. The rest, which is nearly all, is known to be
// readable without being read.

function doubtfulRows(
  sql: Sql,
  shape: StoreShape,
  conditions: readonly Condition[],
  by?: Condition,
): readonly Written[] {
  const where = whereOf(shape, conditions, by);
  const inNoShape = exactShapes.map(({ denial }) => denial).join(" AND ");
  return writtenRows(sql, { sql: `(+created_at < '1' OR (${inNoShape})) AND ${where.sql}`, values: where.values });
}

/** Ascending. */
export function unreadableIds(
  sql: Sql,
  shape: StoreShape,
  conditions: readonly Condition[],
  by?: Condition,
): readonly number[] {
  return doubtfulRows(sql, shape, conditions, by)
    .filter(({ createdAt }) => readTime(createdAt) === undefined)
    .map(({ id }) => id)
    .sort((first, second) => first - second);
}

// How many stale rows there are and how old: counted by the database where the texts are ordered as the times are, and
// row by row in JavaScript for the few others.

const MOST_UNREADABLE = 20;
/** Of more rows than this, finding each by an index takes longer than reading the table through. */
const WORTH_AN_INDEX = 200_000;
/** Deleted rows are subtracted one by one while they are few of all. */
const FEW_DELETED = 0.2;

export function surveyStale(
  sql: Sql,
  shape: StoreShape,
  filter: ObservationFilter,
  bounds: readonly number[],
): StaleSurvey {
  return surveyByIds(sql, shape, filter, bounds) ?? surveyByTexts(sql, shape, filter, bounds);
}

function surveyByTexts(sql: Sql, shape: StoreShape, filter: ObservationFilter, bounds: readonly number[]): StaleSurvey {
  const conditions = conditionsOf(filter, "live");
  const by = rarest(sql, shape, conditions, WORTH_AN_INDEX)?.condition;
  const live = countRows(sql, shape, filter, "live");
  /** How many rows are older than each bound. */
  const older = bounds.map(() => 0);
  let exact = 0;
  for (const exactShape of exactShapes) {
    if (exact === live) break;
    const { all, before } = countLive(sql, shape, conditions, by, exactShape, bounds);
    exact += all;
    for (const [index, count] of before.entries()) older[index] = (older[index] ?? 0) + count;
  }
  const doubtful = exact === live ? [] : doubtfulRows(sql, shape, conditions, by);
  const unreadable: number[] = [];
  for (const { id, createdAt } of doubtful) {
    const at = readTime(createdAt);
    if (at === undefined) unreadable.push(id);
    else for (const [index, bound] of bounds.entries()) if (at < bound) older[index] = (older[index] ?? 0) + 1;
  }
  return {
    total: older[0] ?? 0,
    byAge: older.map((count, index) => count - (older[index + 1] ?? 0)),
    unreadable: {
      count: unreadable.length,
      ids: unreadable.sort((first, second) => first - second).slice(0, MOST_UNREADABLE),
    },
  };
}

/** Where all times are in one exact shape, and ids tell their order. Undefined elsewhere, and where few rows are found sooner. */
function surveyByIds(
  sql: Sql,
  shape: StoreShape,
  filter: ObservationFilter,
  bounds: readonly number[],
): StaleSurvey | undefined {
  const wanted = conditionsOf(filter, "any");
  const isKnown = filter.namespace === undefined || shape.namespaces.has("observations");
  if (wanted.length > 1 || !isKnown || rarest(sql, shape, wanted, WORTH_AN_INDEX) !== undefined) return undefined;
  const all = countRows(sql, shape, {}, "any");
  const exactShape = exactShapes.find((each) => areAllIn(sql, shape, each, all));
  if (exactShape === undefined) return undefined;
  const ends = bounds.map((bound) => firstText(exactShape, bound)).reverse();
  const byAge = countByAge(sql, shape, wanted[0], ends)?.slice(0, bounds.length).reverse();
  return byAge && { total: byAge.reduce((sum, count) => sum + count, 0), byAge, unreadable: { count: 0, ids: [] } };
}

interface Counts {
  readonly all: number;
  /** By bound. */
  readonly before: readonly number[];
}

/** Without a filter the index over the times says all but what is deleted, in a fraction of the time. */
function countLive(
  sql: Sql,
  shape: StoreShape,
  conditions: readonly Condition[],
  by: Condition | undefined,
  exactShape: ExactShape,
  bounds: readonly number[],
): Counts {
  const count = (wanted: readonly Condition[], index?: Condition) =>
    countExact(sql, shape, wanted, index, exactShape, bounds);
  const deleted = conditionsOf({}, "deleted");
  const isPlain = conditions.length === 1 && by === undefined;
  const share = countRows(sql, shape, {}, "deleted") / (1 + countRows(sql, shape, {}, "any"));
  if (!isPlain || share > FEW_DELETED) return count(conditions, by);
  const any = countByRanges(sql, shape, exactShape, bounds) ?? count([]);
  const gone = count(deleted, deleted[0]);
  return { all: any.all - gone.all, before: any.before.map((number, index) => number - (gone.before[index] ?? 0)) };
}

/** Where every row is in the shape, ranges of the index are counted without looking into them. Undefined elsewhere. */
function countByRanges(
  sql: Sql,
  shape: StoreShape,
  exactShape: ExactShape,
  bounds: readonly number[],
): Counts | undefined {
  const count = (where: string, ...values: readonly SqlValue[]) => countWhere(sql, where, values);
  const all = countRows(sql, shape, {}, "any");
  if (!areAllIn(sql, shape, exactShape, all)) return undefined;
  const texts = bounds.map((bound) => firstText(exactShape, bound));
  const between = texts.map((text, index) => count("created_at >= ? AND created_at < ?", texts[index + 1] ?? "", text));
  return { all, before: between.map((_, index) => between.slice(index).reduce((sum, number) => sum + number, 0)) };
}

function countWhere(sql: Sql, where: string, values: readonly SqlValue[]): number {
  return Number(sql.get(`SELECT count(*) AS number FROM observations WHERE ${where}`, ...values)?.number);
}

interface SeenRows {
  /** Every row up to this one was in the shape. */
  readonly upTo: number;
  readonly count: number;
}

/**
 * What was looked at once by an open store is not again: rows come behind it, and the time of a row stays as it was written.
 * Undefined for a shape that not all are in.
 */
const SEEN = new WeakMap<StoreShape, Map<ExactShape, SeenRows | undefined>>();

/** `all`: how many rows there are. */
function areAllIn(sql: Sql, shape: StoreShape, exactShape: ExactShape, all: number): boolean {
  const known = SEEN.get(shape) ?? new Map<ExactShape, SeenRows | undefined>();
  SEEN.set(shape, known);
  const seen = known.get(exactShape);
  if (seen === undefined && known.has(exactShape)) return false;
  const behind = seen?.upTo;
  const tail = behind === undefined ? all : countWhere(sql, "id > ?", [behind]);
  // More rows than there were before it: somebody put one between them.
  if (behind !== undefined && all - tail > (seen?.count ?? 0)) {
    known.delete(exactShape);
    return areAllIn(sql, shape, exactShape, all);
  }
  // Of all rows the index over the times knows; of the last ones the table.
  const inShape = `created_at >= '1' AND ${exactShape.test}`;
  const found =
    behind === undefined ? countWhere(sql, inShape, []) : countWhere(sql, `id > ? AND +${inShape}`, [behind]);
  const upTo = Number(sql.get("SELECT max(id) AS id FROM observations")?.id ?? 0);
  known.set(exactShape, found < tail ? undefined : { upTo, count: all });
  return found >= tail;
}

function countExact(
  sql: Sql,
  shape: StoreShape,
  conditions: readonly Condition[],
  by: Condition | undefined,
  exactShape: ExactShape,
  bounds: readonly number[],
): Counts {
  const where = whereOf(shape, conditions, by);
  const counts = bounds.map((_, index) => `count(*) FILTER (WHERE created_at < ?) AS before_${index}`);
  const found = sql.get(
    `SELECT ${["count(*) AS every", ...counts].join(", ")} FROM observations
     WHERE +created_at >= '1' AND ${where.sql} AND ${exactShape.test}`,
    ...bounds.map((bound) => firstText(exactShape, bound)),
    ...where.values,
  );
  return { all: Number(found?.every), before: bounds.map((_, index) => Number(found?.[`before_${index}`])) };
}

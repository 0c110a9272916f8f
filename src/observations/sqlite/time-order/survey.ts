// How many stale rows there are and how old: counted by the database where the texts are ordered as the times are, and
// row by row in JavaScript for the few others.
import type { Sql } from "../../../storage/sqlite/transactions.ts";
import { readTime } from "../../../time.ts";
import type { ObservationFilter, StaleSurvey } from "../../observation-store.ts";
import type { StoreShape } from "../check-schema.ts";
import { type Condition, conditionsOf, rarest, whereOf } from "../conditions.ts";
import { countRows } from "../count-rows.ts";
import { type ExactShape, exactShapes, firstText } from "./shapes.ts";
import { doubtfulRows } from "./unreadable.ts";

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
  const any = countByRanges(sql, exactShape, bounds) ?? count([]);
  const gone = count(deleted, deleted[0]);
  return { all: any.all - gone.all, before: any.before.map((number, index) => number - (gone.before[index] ?? 0)) };
}

/** Where every row is in the shape, ranges of the index are counted without looking into them. Undefined elsewhere. */
function countByRanges(sql: Sql, exactShape: ExactShape, bounds: readonly number[]): Counts | undefined {
  const count = (where: string, ...values: readonly string[]) =>
    Number(sql.get(`SELECT count(*) AS number FROM observations WHERE ${where}`, ...values)?.number);
  const all = count("1");
  if (count(`created_at >= '1' AND ${exactShape.test}`) < all) return undefined;
  const texts = bounds.map((bound) => firstText(exactShape, bound));
  const between = texts.map((text, index) => count("created_at >= ? AND created_at < ?", texts[index + 1] ?? "", text));
  return { all, before: between.map((_, index) => between.slice(index).reduce((sum, number) => sum + number, 0)) };
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

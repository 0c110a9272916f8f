// Rows whose time only JavaScript can judge: those in no exact shape. The rest, which is nearly all, is known to be
// readable without being read.
import type { Sql } from "../../../storage/sqlite/transactions.ts";
import { readTime } from "../../../time.ts";
import type { StoreShape } from "../check-schema.ts";
import { type Condition, whereOf } from "../conditions.ts";
import { type Written, writtenRows } from "./dated-rows.ts";
import { exactShapes } from "./shapes.ts";

export function doubtfulRows(
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

// What rows must be, as SQL, and by which index they are best found. The database would choose by rules of thumb: it
// knows no figures of the tables unless somebody ran ANALYZE, so every condition but the chosen one is kept from it.
import type { SqlValue } from "../../storage/driver.ts";
import type { Sql } from "../../storage/sqlite/transactions.ts";
import type { ObservationFilter, Standing } from "../observation-store.ts";
import type { StoreShape } from "./check-schema.ts";

export interface Condition {
  /** `deleted_at` for the standing. */
  readonly column: "project" | "scope" | "namespace" | "type" | "deleted_at";
  /** After the column: `= ?`. */
  readonly test: string;
  readonly values: readonly SqlValue[];
}

export interface Where {
  /** Without the word; `1` where everything is wanted. */
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

export function conditionsOf(filter: ObservationFilter, standing: Standing): readonly Condition[] {
  const conditions: Condition[] = [];
  for (const column of ["project", "namespace", "type", "scope"] as const) {
    const value = filter[column];
    if (value !== undefined) conditions.push({ column, test: "= ?", values: [value] });
  }
  if (standing === "live") conditions.push({ column: "deleted_at", test: "IS NULL", values: [] });
  // Every text comes after the empty one, and a range is what an index is used for.
  if (standing === "deleted") conditions.push({ column: "deleted_at", test: ">= ''", values: [] });
  return conditions;
}

/** All of the conditions; `by` is the one whose index serves, if any. */
export function whereOf(shape: StoreShape, conditions: readonly Condition[], by?: Condition): Where {
  const parts = conditions.map((condition) => {
    if (condition.column === "namespace" && !shape.hasNamespaces) return { sql: "0", values: [] };
    // A unary plus changes no value and hides the column from the choice of an index.
    return { sql: `${condition === by ? "" : "+"}${condition.column} ${condition.test}`, values: condition.values };
  });
  return {
    sql: parts.map(({ sql }) => sql).join(" AND ") || "1",
    values: parts.flatMap(({ values }) => values),
  };
}

/** The condition that fewest rows meet, where these are at most `most`. */
export function rarest(
  sql: Sql,
  shape: StoreShape,
  conditions: readonly Condition[],
  most: number,
): { readonly condition: Condition; readonly count: number } | undefined {
  let best: { condition: Condition; count: number } | undefined;
  for (const condition of conditions) {
    // Two values make no rare ones.
    if (condition.column === "scope" || (condition.column === "namespace" && !shape.hasNamespaces)) continue;
    const count = countUpTo(sql, condition, best?.count ?? most + 1);
    if (count <= most && (best === undefined || count < best.count)) best = { condition, count };
  }
  return best;
}

/** How many entries of its index meet a condition, counted up to a bound. */
export function countUpTo(sql: Sql, { column, test, values }: Condition, bound: number): number {
  const counted = `SELECT count(*) AS number FROM (SELECT 1 FROM observations WHERE ${column} ${test} LIMIT ?)`;
  return Number(sql.get(counted, ...values, bound)?.number);
}

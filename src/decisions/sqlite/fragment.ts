// A piece of a statement with the values that are bound to its places, in their order.
import type { SqlValue } from "../../storage/sqlite/driver.ts";

export interface Fragment {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

export function fragment(sql: string, ...values: readonly SqlValue[]): Fragment {
  return { sql, values };
}

/** The pieces in one, each with its values. */
export function joined(pieces: readonly Fragment[], between: string): Fragment {
  return {
    sql: pieces.map(({ sql }) => sql).join(between),
    values: pieces.flatMap(({ values }) => values),
  };
}

/** True where there are no conditions. */
export function allOf(conditions: readonly Fragment[]): Fragment {
  return conditions.length === 0 ? fragment("1") : joined(conditions, " AND ");
}

/** Of a filter's texts and numbers as one value, so that equal questions are one prepared statement. */
export function jsonList(values: readonly (string | number)[]): string {
  return JSON.stringify(values);
}

/** SQLite takes whole numbers; less than zero is no limit. */
export function limitOf(limit: number): number {
  return Number.isFinite(limit) ? Math.max(0, Math.ceil(limit)) : limit > 0 ? -1 : 0;
}

// Rows as no more than their id and the time they were created: what sorting by real time needs.

import type { SqlRow, SqlValue } from "../../../storage/driver.ts";
import type { Sql } from "../../../storage/sqlite/transactions.ts";
import { readTime } from "../../../time.ts";
import type { Where } from "../conditions.ts";

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

export function writtenRows(sql: Sql, where: Where, rest = ""): readonly Written[] {
  return sql.all(`SELECT id, created_at FROM observations WHERE ${where.sql} ${rest}`, ...where.values).map(written);
}

function written(row: SqlRow): Written {
  return { id: Number(row.id), createdAt: row.created_at };
}

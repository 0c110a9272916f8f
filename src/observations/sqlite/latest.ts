// The latest sessions and prompts by real time. Those tables are small beside the observations: what is written in the
// reference's shape is sorted by the database, all of the rest here.
import type { SqlRow, SqlValue } from "../../storage/driver.ts";
import type { Sql } from "../../storage/sqlite/transactions.ts";
import { readTime } from "../../time.ts";

export interface LatestQuery {
  readonly table: "sessions" | "user_prompts";
  readonly columns: string;
  readonly timeColumn: "started_at" | "created_at";
  /** `column = ?`, with the values that are given. */
  readonly filter: Readonly<Record<string, SqlValue | undefined>>;
  readonly limit: number;
}

/** Unreadable times come last, equals the later written first. */
export function latestRows(sql: Sql, { table, columns, timeColumn, filter, limit }: LatestQuery): readonly SqlRow[] {
  const wanted = Object.entries(filter).filter(([, value]) => value !== undefined);
  const where = ["1", ...wanted.map(([column]) => `${column} = ?`)].join(" AND ");
  const values = wanted.map(([, value]) => value ?? null);
  const select = `SELECT rowid AS row_number, ${columns} FROM ${table} WHERE ${where}`;
  const usualTime = `datetime(${timeColumn}, '+0 days')`;
  const usual = sql.all(
    `${select} AND ${usualTime} = ${timeColumn} ORDER BY ${timeColumn} DESC, rowid DESC LIMIT ?`,
    ...values,
    limit,
  );
  const unusual = sql.all(`${select} AND ${usualTime} IS NOT ${timeColumn}`, ...values);
  return [...usual, ...unusual]
    .map((row) => ({ row, at: readTime(row[timeColumn]) ?? Number.NEGATIVE_INFINITY, number: Number(row.row_number) }))
    .sort((first, second) => (first.at === second.at ? second.number - first.number : second.at > first.at ? 1 : -1))
    .slice(0, limit)
    .map(({ row }) => row);
}

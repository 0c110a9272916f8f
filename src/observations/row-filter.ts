// Which rows a request asks for, and their order by real time.
import { readTime } from "../time.ts";
import type { ObservationFilter } from "./observation-store.ts";
import { normalScope } from "./saving/stored-text.ts";

export interface RowsAsked {
  /** Exact name. Absent or blank: all. */
  readonly project?: string | undefined;
  /** `project` or `personal`. Absent or blank: both. */
  readonly scope?: string | undefined;
  readonly namespace?: string | undefined;
  readonly type?: string | undefined;
  readonly session_id?: string | undefined;
  /** Rows of this topic key and of those below it: `plan` for `plan/berths`. */
  readonly topic?: string | undefined;
}

const COLUMNS = ["project", "scope", "namespace", "type", "session_id"] as const;

/** A blank text restricts nothing; a scope is read as a save reads it. */
export function rowFilter(asked: RowsAsked): ObservationFilter {
  const given = [...COLUMNS, "topic" as const]
    .map((column) => [column, asked[column]] as const)
    .filter(([, text]) => text?.trim());
  return Object.fromEntries(given.map(([column, text]) => [column, normalValue(column, text)]));
}

function normalValue(column: keyof RowsAsked, text: string | undefined): string | undefined {
  if (column === "scope") return normalScope(text);
  return column === "topic" ? text?.trim().replace(/\/+$/, "").toLowerCase() : text;
}

/** A number of rows as a caller means it: whole, and the usual one where absent or below 1. */
export function sizeOf(asked: number | undefined, usual: number): number {
  return asked === undefined || !(asked >= 1) ? usual : Math.floor(asked);
}

/** Columns that a row does not have match no filter on them. */
export function matches(row: FilteredRow, filter: RowsAsked): boolean {
  const isOfTopic = filter.topic === undefined || `${row.topic_key ?? ""}/`.startsWith(`${filter.topic}/`);
  return isOfTopic && COLUMNS.every((column) => filter[column] === undefined || row[column] === filter[column]);
}

type FilteredRow = { readonly [Column in (typeof COLUMNS)[number] | "topic_key"]?: string | null };

/** By a time as it was written, in whatever shape; unreadable ones come last. Of equals, the one of the highest `rank`. */
export function latestFirst<Row>(
  rows: readonly Row[],
  written: (row: Row) => unknown,
  rank: (row: Row) => number,
): readonly Row[] {
  return rows
    .map((row) => ({ row, at: readTime(written(row)) ?? Number.NEGATIVE_INFINITY }))
    .sort((first, second) => (first.at === second.at ? rank(second.row) - rank(first.row) : second.at - first.at))
    .map(({ row }) => row);
}

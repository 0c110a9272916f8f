// Filters and orders of rows: by real time, whatever shape it was written in, equals by id.
import { readTime } from "../../time.ts";
import type { Observation } from "../observation.ts";
import type { ObservationFilter, Standing } from "../observation-store.ts";

interface Dated {
  readonly id: number;
  readonly created_at: string;
}

export function isOf(row: Observation, { project, scope, namespace, type }: ObservationFilter): boolean {
  return (
    (project === undefined || row.project === project) &&
    (scope === undefined || row.scope === scope) &&
    (namespace === undefined || row.namespace === namespace) &&
    (type === undefined || row.type === type)
  );
}

export function stands(row: Observation, standing: Standing): boolean {
  return standing === "any" || (row.deleted_at === null) === (standing === "live");
}

/** Rows of unreadable times come last. */
export function newestFirst<Row extends Dated>(rows: Iterable<Row>): Row[] {
  return latestFirst(rows, (row) => row.created_at, byIdDown);
}

/** Equals in the order of `tie`, or the later of them first where there is none. */
export function latestFirst<Row>(
  rows: Iterable<Row>,
  written: (row: Row) => string,
  tie?: (first: Row, second: Row) => number,
): Row[] {
  const dated = [...rows].map((row, index) => ({ row, index, at: readTime(written(row)) ?? Number.NEGATIVE_INFINITY }));
  dated.sort((first, second) => {
    if (first.at !== second.at) return first.at < second.at ? 1 : -1;
    return tie?.(first.row, second.row) ?? second.index - first.index;
  });
  return dated.map(({ row }) => row);
}

export function byId(first: { readonly id: number }, second: { readonly id: number }): number {
  return first.id - second.id;
}

export function byIdDown(first: { readonly id: number }, second: { readonly id: number }): number {
  return second.id - first.id;
}

/** Rows whose key comes after `key`, ascending. */
export function pageAfter<Row, Key extends string | number>(
  rows: Iterable<Row>,
  keyOf: (row: Row) => Key,
  key: Key,
  limit: number,
): Row[] {
  return [...rows]
    .filter((row) => keyOf(row) > key)
    .sort((first, second) => (keyOf(first) < keyOf(second) ? -1 : 1))
    .slice(0, limit);
}

// A candidate as a record: the fields of the specification, and what helps to choose.
import { cutAtCodePoint } from "../../text/cut.ts";
import type { StaleObservation } from "./find-stale.ts";

const LONGEST_TITLE = 80;

export interface StaleRecord {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly project: string | null;
  readonly scope: string;
  readonly created_at: string;
  readonly age_days: number;
  readonly snippet: string;
  /** Of title and content. */
  readonly tokens: number;
  /** Only of a living document. */
  readonly updated_days_ago?: number;
  readonly is_summary: boolean;
}

export function staleRecord(candidate: StaleObservation, count: (text: string) => number): StaleRecord {
  const { row, snippet, ageDays, updatedDaysAgo, isSummary } = candidate;
  return {
    id: row.id,
    type: row.type,
    title: cutAtCodePoint(row.title, LONGEST_TITLE),
    project: row.project,
    scope: row.scope,
    created_at: row.created_at,
    age_days: ageDays,
    snippet,
    tokens: count(`${row.title}\n${row.content}`),
    ...(updatedDaysAgo === undefined ? {} : { updated_days_ago: updatedDaysAgo }),
    is_summary: isSummary,
  };
}

/** Those that may be compacted unseen by their author: not still being updated, not standing for others. */
export function proposedIds(records: readonly StaleRecord[]): number[] {
  return records.filter((record) => record.updated_days_ago === undefined && !record.is_summary).map(({ id }) => id);
}

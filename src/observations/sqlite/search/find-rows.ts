// Search: what a row must be is decided before anything is ranked. Literal matches come first, then what the index holds
// for the best, then the newest.
import type { Sql } from "../../../storage/sqlite/transactions.ts";
import { readTime } from "../../../time.ts";
import type { SearchQuery, SearchResult } from "../../observation-store.ts";
import type { StoreShape } from "../check-schema.ts";
import { idList, rowsOf } from "../rows.ts";
import { type Candidate, indexedCandidates, scannedCandidates } from "./candidates.ts";
import { allStandIn, inexactWords } from "./patterns.ts";
import { scoresOf } from "./scores.ts";

export function findRows(sql: Sql, shape: StoreShape, query: SearchQuery): SearchResult {
  const indexed = query.words.filter(({ isSubstring }) => !isSubstring);
  const found = indexed.length > 0 ? indexedCandidates(sql, shape, query) : scannedCandidates(sql, shape, query);
  const rows = verified(sql, shape, query, found.rows);
  const ids = rankedIds(sql, rows, scoresOf(sql, shape, indexed, rows), query);
  return { rows: rowsOf(sql, shape, ids), total: rows.length, isBounded: found.isBounded };
}

/** Letters that SQLite knows no other case of were looked for as any letter. */
function verified(
  sql: Sql,
  shape: StoreShape,
  { words }: SearchQuery,
  rows: readonly Candidate[],
): readonly Candidate[] {
  const inexact = inexactWords(words.filter(({ isSubstring }) => isSubstring));
  if (inexact.length === 0) return rows;
  const texts = rowsOf(
    sql,
    shape,
    rows.map(({ id }) => id),
  );
  const right = new Set(texts.filter((row) => allStandIn(row, inexact)).map(({ id }) => id));
  return rows.filter(({ id }) => right.has(id));
}

interface Ranked extends Candidate {
  readonly score: number;
}

/** The page that is asked for. Times are read only of rows that share a rank with one of the page. */
function rankedIds(
  sql: Sql,
  rows: readonly Candidate[],
  scores: ReadonlyMap<number, number>,
  { limit, offset }: SearchQuery,
): readonly number[] {
  const ranked = rows
    .map((row) => ({ ...row, score: scores.get(row.id) ?? 0 }))
    .sort((first, second) => byRank(first, second) || second.id - first.id);
  const isSame = (first: number, second: number) => {
    const [one, other] = [ranked[first], ranked[second]];
    return one !== undefined && other !== undefined && byRank(one, other) === 0;
  };
  let from = Math.min(offset, ranked.length);
  while (from > 0 && isSame(from - 1, from)) from--;
  let to = Math.min(ranked.length, offset + limit);
  while (to > 0 && isSame(to - 1, to)) to++;
  return newestFirst(sql, ranked.slice(from, to))
    .slice(offset - from, offset - from + limit)
    .map(({ id }) => id);
}

function byRank(first: Ranked, second: Ranked): number {
  if (first.isBetter !== second.isBetter) return first.isBetter ? -1 : 1;
  return first.score - second.score;
}

/** Among equals. */
function newestFirst(sql: Sql, rows: readonly Ranked[]): readonly Ranked[] {
  const ids = idList(rows.map(({ id }) => id));
  const times = new Map(
    sql
      .all("SELECT id, created_at FROM observations WHERE id IN (SELECT value FROM json_each(?))", ids)
      .map(({ id, created_at }) => [Number(id), readTime(created_at) ?? -1]),
  );
  const at = ({ id }: Ranked) => times.get(id) ?? -1;
  return [...rows].sort((first, second) => byRank(first, second) || at(second) - at(first) || second.id - first.id);
}

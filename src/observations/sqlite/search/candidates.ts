// The rows that a search may find, newest first: looked up in the full-text index where it knows the words, else looked
// through one by one. Both stop at a bound and say so.
import type { Sql } from "../../../storage/sqlite/transactions.ts";
import type { SearchQuery } from "../../observation-store.ts";
import type { StoreShape } from "../check-schema.ts";
import { conditionsOf, rarest, whereOf } from "../conditions.ts";
import { FULL_TEXT } from "../schema.ts";
import { anyInTitle, matchOf, standIn, wordsWithSigns } from "./patterns.ts";

/** How many rows are looked through, or how many hits of the index are compared with the filter. */
const MOST_LOOKED_AT = 20_000;
/** Up to so many are all ranked; of more, only the newest so many. */
const MOST_RANKED = 3000;
const RANKED_OF_MANY = 1500;

export interface Candidate {
  readonly id: number;
  /** The words stand there as they were typed, signs and all; or in the title, where no index is asked. */
  readonly isBetter: boolean;
}

export interface Candidates {
  readonly rows: readonly Candidate[];
  readonly isBounded: boolean;
}

export function indexedCandidates(sql: Sql, shape: StoreShape, query: SearchQuery): Candidates {
  const { words, filter, standing } = query;
  const match = matchOf(
    words.filter(({ isSubstring }) => !isSubstring),
    filter,
    shape,
  );
  const where = whereOf(shape, conditionsOf(filter, standing));
  const also = standIn(words.filter(({ isSubstring }) => isSubstring));
  const signs = wordsWithSigns(words);
  const better = signs.length === 0 ? { sql: "0", values: [] } : standIn(signs);
  const hits = countHits(sql, match);
  const rows = sql.all(
    `SELECT id, (${better.sql}) AS better
     FROM (SELECT rowid AS hit FROM ${FULL_TEXT} WHERE ${FULL_TEXT} MATCH ? ORDER BY rowid DESC LIMIT ?)
     CROSS JOIN observations ON id = hit
     WHERE ${where.sql} AND ${also.sql} LIMIT ?`,
    ...better.values,
    match,
    MOST_LOOKED_AT,
    ...where.values,
    ...also.values,
    hits > MOST_RANKED ? RANKED_OF_MANY : MOST_RANKED,
  );
  const isBounded = hits > MOST_LOOKED_AT || (hits > MOST_RANKED && rows.length >= RANKED_OF_MANY);
  return { rows: rows.map(candidate), isBounded };
}

/** How many rows the index names for a query, counted up to the number that is looked at and one more. */
export function countHits(sql: Sql, match: string): number {
  const counted = `SELECT count(*) AS number FROM (SELECT 1 FROM ${FULL_TEXT} WHERE ${FULL_TEXT} MATCH ? LIMIT ?)`;
  return Number(sql.get(counted, match, MOST_LOOKED_AT + 1)?.number);
}

/** For words that the index does not know as words. */
export function scannedCandidates(sql: Sql, shape: StoreShape, { words, filter, standing }: SearchQuery): Candidates {
  const conditions = conditionsOf(filter, standing);
  const where = whereOf(shape, conditions, rarest(sql, shape, conditions, MOST_LOOKED_AT * 10)?.condition);
  const beyond = sql.get(
    `SELECT id FROM observations WHERE ${where.sql} ORDER BY id DESC LIMIT 1 OFFSET ?`,
    ...where.values,
    MOST_LOOKED_AT,
  );
  const better = anyInTitle(words);
  const stand = standIn(words);
  const rows = sql.all(
    `SELECT id, (${better.sql}) AS better FROM observations
     WHERE ${where.sql} AND id > ? AND ${stand.sql} ORDER BY id DESC`,
    ...better.values,
    ...where.values,
    Number(beyond?.id ?? Number.MIN_SAFE_INTEGER),
    ...stand.values,
  );
  return { rows: rows.map(candidate), isBounded: beyond !== undefined };
}

function candidate({ id, better }: Readonly<Record<string, unknown>>): Candidate {
  return { id: Number(id), isBetter: Number(better) === 1 };
}

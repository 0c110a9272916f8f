// Search: what a row must be is decided before anything is ranked. Literal matches come first, then what the index holds
// for the best, then the newest.
import type { Sql } from "../../storage/sqlite/transactions.ts";
import { readTime } from "../../time.ts";
import type { Observation } from "../observation.ts";
import type { AnyWordQuery, ObservationFilter, SearchQuery, SearchResult } from "../observation-store.ts";
import { INDEXED, type SearchWord } from "../search-words.ts";
import { conditionsOf, idList, LISTED, rarest, rowsOf, type Where, whereOf } from "./rows.ts";
import { FULL_TEXT, FULL_TEXT_COLUMNS, type StoreShape } from "./schema.ts";

export function findRows(sql: Sql, shape: StoreShape, query: SearchQuery): SearchResult {
  const indexed = query.words.filter(({ isSubstring }) => !isSubstring);
  const found = indexed.length > 0 ? indexedCandidates(sql, shape, query) : scannedCandidates(sql, shape, query);
  const rows = verified(sql, shape, query.words, found.rows);
  const ids = rankedIds(sql, rows, scoresOf(sql, shape, indexed, rows), query);
  return { rows: rowsOf(sql, shape, ids), total: rows.length, isBounded: found.isBounded };
}

/** Letters that SQLite knows no other case of were looked for as any letter. */
function verified(
  sql: Sql,
  shape: StoreShape,
  words: readonly SearchWord[],
  rows: readonly Candidate[],
): readonly Candidate[] {
  const inexact = words.filter(({ text, isSubstring }) => isSubstring && [...text].some(hasUnknownCase));
  if (inexact.length === 0) return rows;
  const ids = rows.map(idOf);
  const right = new Set(rowsOf(sql, shape, ids).flatMap((row) => (allOccurIn(row, inexact) ? row.id : [])));
  return rows.filter(({ id }) => right.has(id));
}

/** The page that is asked for: the best first, equals newest first. */
function rankedIds(
  sql: Sql,
  rows: readonly Candidate[],
  scores: ReadonlyMap<number, number>,
  { limit, offset }: SearchQuery,
): readonly number[] {
  const written = sql.all(`SELECT id, created_at FROM observations WHERE id IN ${LISTED}`, idList(rows.map(idOf)));
  const times = new Map(written.map(({ id, created_at }) => [Number(id), readTime(created_at) ?? -1]));
  const by = (values: ReadonlyMap<number, number>, one: Candidate, other: Candidate) =>
    (values.get(one.id) ?? 0) - (values.get(other.id) ?? 0);
  return rows
    .toSorted((a, b) => Number(b.isBetter) - Number(a.isBetter) || by(scores, a, b) || by(times, b, a) || b.id - a.id)
    .slice(offset, offset + limit)
    .map(idOf);
}

function idOf({ id }: Candidate): number {
  return id;
}

// The rows that a search may find, newest first: looked up in the full-text index where it knows the words, else looked
// through one by one. Both stop at a bound and say so.

/** How many rows are looked through, or how many hits of the index are compared with the filter. */
const MOST_LOOKED_AT = 20_000;
/** Up to so many are all ranked; of more, only the newest so many. */
const MOST_RANKED = 3000;
const RANKED_OF_MANY = 1500;

interface Candidate {
  readonly id: number;
  /** The words stand there as they were typed, signs and all; or in the title, where no index is asked. */
  readonly isBetter: boolean;
}

interface Candidates {
  readonly rows: readonly Candidate[];
  readonly isBounded: boolean;
}

function indexedCandidates(sql: Sql, shape: StoreShape, query: SearchQuery): Candidates {
  const { words, filter, standing } = query;
  const match = matchOf(
    words.filter(({ isSubstring }) => !isSubstring),
    filter,
    shape,
  );
  const where = whereOf(shape, conditionsOf(filter, standing));
  const also = occurIn(words.filter(({ isSubstring }) => isSubstring));
  // Of these the index keeps less than was typed: signs are lost.
  const signs = words.filter(({ text }) => !ONE_TOKEN.test(text));
  const better = signs.length === 0 ? undefined : occurIn(signs);
  const hits = countHits(sql, match);
  const wanted = { sql: `${where.sql} AND ${also.sql}`, values: [...where.values, ...also.values] };
  const rows = rowsHit(sql, match, wanted, hits > MOST_RANKED ? RANKED_OF_MANY : MOST_RANKED, better);
  const isBounded = hits > MOST_LOOKED_AT || (hits > MOST_RANKED && rows.length >= RANKED_OF_MANY);
  return { rows: rows.map(candidate), isBounded };
}

/** Of the newest hits of the index, those that are wanted, newest first by id. */
function rowsHit(sql: Sql, match: string, { sql: where, values }: Where, limit: number, better?: Where) {
  return sql.all(
    `SELECT id, (${better?.sql ?? "0"}) AS better
     FROM (SELECT rowid AS hit FROM ${FULL_TEXT} WHERE ${FULL_TEXT} MATCH ? ORDER BY rowid DESC LIMIT ?)
     CROSS JOIN observations ON id = hit WHERE ${where} LIMIT ?`,
    ...(better?.values ?? []),
    match,
    MOST_LOOKED_AT,
    ...values,
    limit,
  );
}

/** Newest first by id. */
export function idsWithAnyWord(
  sql: Sql,
  shape: StoreShape,
  { words, filter, standing }: AnyWordQuery,
): readonly number[] {
  const where = whereOf(shape, conditionsOf(filter, standing));
  const indexed = words.filter(({ isSubstring }) => !isSubstring);
  const others = words.filter(({ isSubstring }) => isSubstring);
  const match = `${columnsWanted(shape)}(${indexed.map(({ text }) => phrase(text)).join(" OR ")})`;
  const found = [
    indexed.length === 0 ? [] : rowsHit(sql, match, where, MOST_RANKED),
    ...others.map((word) => {
      const { rows } = scannedCandidates(sql, shape, { words: [word], filter, standing });
      return verified(sql, shape, [word], rows);
    }),
  ].flat();
  return [...new Set(found.map(({ id }) => Number(id)))].sort((first, second) => second - first).slice(0, MOST_RANKED);
}

/** A table over the index, of this connection alone: it holds nothing, and the file knows nothing of it. */
const WORDS = "temp.observations_words";

export function indexedWords(sql: Sql, start: string, limit: number): readonly string[] {
  sql.script(`CREATE VIRTUAL TABLE IF NOT EXISTS ${WORDS} USING fts5vocab('main', '${FULL_TEXT}', 'row')`);
  const end = `${start}\u{10ffff}`;
  return sql
    .all(`SELECT term FROM ${WORDS} WHERE term >= ? AND term < ? LIMIT ?`, start, end, limit)
    .map(({ term }) => String(term));
}

/** How many rows the index names for a query, counted up to the number that is looked at and one more. */
function countHits(sql: Sql, match: string): number {
  const counted = `SELECT count(*) AS number FROM (SELECT 1 FROM ${FULL_TEXT} WHERE ${FULL_TEXT} MATCH ? LIMIT ?)`;
  return Number(sql.get(counted, match, MOST_LOOKED_AT + 1)?.number);
}

/** For words that the index does not know as words. */
function scannedCandidates(sql: Sql, shape: StoreShape, { words, filter, standing }: AnyWordQuery): Candidates {
  const conditions = conditionsOf(filter, standing);
  const where = whereOf(shape, conditions, rarest(sql, shape, conditions, MOST_LOOKED_AT * 10));
  const beyond = sql.get(
    `SELECT id FROM observations WHERE ${where.sql} ORDER BY id DESC LIMIT 1 OFFSET ?`,
    ...where.values,
    MOST_LOOKED_AT,
  );
  const better = anyInTitle(words);
  const stand = occurIn(words);
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

// How well rows match, by what the full-text index knows. BM25 asks how often a word occurs in all rows, which takes long
// for the most frequent ones and says little of them: they do not count where that would be too many.

/** Occurrences of all words together that BM25 may look at. */
const MOST_COUNTED = 20_000;

/** The lower the better; a row without a score is worth 0. `rows`: newest first. */
function scoresOf(
  sql: Sql,
  shape: StoreShape,
  words: readonly SearchWord[],
  rows: readonly Candidate[],
): ReadonlyMap<number, number> {
  const last = rows.at(-1);
  if (last === undefined || words.length === 0) return new Map();
  const rare = rarestWords(sql, shape, words);
  const [score, match] =
    rare.length > 0
      ? [`bm25(${FULL_TEXT})`, matchOf(rare, {}, shape)]
      : ["-1", `title : (${matchOf(words, {}, { ...shape, hasMoreText: false })})`];
  const scored = sql.all(
    `SELECT rowid AS id, ${score} AS score FROM ${FULL_TEXT} WHERE ${FULL_TEXT} MATCH ? AND rowid >= ?`,
    match,
    last.id,
  );
  return new Map(scored.map(({ id, score: value }) => [Number(id), Number(value)]));
}

/** The rarest ones, as many as are few enough. */
function rarestWords(sql: Sql, shape: StoreShape, words: readonly SearchWord[]): readonly SearchWord[] {
  const counted = words
    .map((word) => ({ word, hits: countHits(sql, matchOf([word], {}, shape)) }))
    .sort((first, second) => first.hits - second.hits);
  let sum = 0;
  return counted.flatMap(({ word, hits }) => {
    sum += hits;
    return sum <= MOST_COUNTED ? [word] : [];
  });
}

// Words as the database looks for them: as phrases of the full-text index, and as texts that stand somewhere in a column.
// No word is ever read as syntax.

const ONE_TOKEN = /^[\p{L}\p{N}\p{Co}]+$/u;
const NOT_ASCII = /[^\0-\x7f]/u;

/**
 * Every word as a phrase, all of them wanted. Project and type are columns of the index too: naming their words spares
 * looking at the rows of others, which the caller must still compare exactly.
 */
function matchOf(words: readonly SearchWord[], filter: ObservationFilter, shape: StoreShape): string {
  const parts = [`${columnsWanted(shape)}(${words.map(({ text }) => phrase(text)).join(" AND ")})`];
  for (const column of ["project", "type"] as const) {
    const value = filter[column];
    if (value !== undefined && INDEXED.test(value)) parts.push(`${column} : ${phrase(value)}`);
  }
  return parts.join(" AND ");
}

function columnsWanted({ hasMoreText }: StoreShape): string {
  return hasMoreText ? `{${FULL_TEXT_COLUMNS.join(" ")}} : ` : "";
}

function phrase(text: string): string {
  // A NUL would end the query.
  return `"${text.replaceAll("\0", " ").replaceAll('"', '""')}"`;
}

/** All words stand somewhere in a row, in any case of letters. Letters that SQLite knows no case of stand for any one. */
function occurIn(words: readonly SearchWord[]): Where {
  const parts = words.map((word) => wordOccursIn(word, FULL_TEXT_COLUMNS));
  return {
    sql: parts.map(({ sql }) => `(${sql})`).join(" AND ") || "1",
    values: parts.flatMap(({ values }) => values),
  };
}

/** The same for the title alone, any of the words. */
function anyInTitle(words: readonly SearchWord[]): Where {
  const parts = words.map((word) => wordOccursIn(word, ["title"]));
  return { sql: parts.map(({ sql }) => sql).join(" OR ") || "0", values: parts.flatMap(({ values }) => values) };
}

function wordOccursIn({ text }: SearchWord, columns: readonly string[]): Where {
  const hasCase = text.toLowerCase() !== text.toUpperCase();
  const test = (column: string) => (hasCase ? `${column} LIKE ? ESCAPE '\\'` : `instr(${column}, ?) > 0`);
  const sql = columns.map(test).join(" OR ");
  return { sql, values: columns.map(() => (hasCase ? likePattern(text) : text)) };
}

function likePattern(text: string): string {
  const letters = [...text].map((letter) => {
    if (hasUnknownCase(letter)) return "_";
    return /[\\%_]/.test(letter) ? `\\${letter}` : letter;
  });
  return `%${letters.join("")}%`;
}

/** Letters that SQLite knows no other case of. */
function hasUnknownCase(letter: string): boolean {
  return NOT_ASCII.test(letter) && letter.toLowerCase() !== letter.toUpperCase();
}

function allOccurIn(row: Observation, words: readonly SearchWord[]): boolean {
  const texts = [row.title, row.content, row.tool_name ?? "", row.type, row.project ?? ""].map((text) =>
    text.toLowerCase(),
  );
  return words.every(({ text }) => texts.some((lower) => lower.includes(text.toLowerCase())));
}

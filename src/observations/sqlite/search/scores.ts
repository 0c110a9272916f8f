// How well rows match, by what the full-text index knows. BM25 asks how often a word occurs in all rows, which takes long
// for the most frequent ones and says little of them: they do not count where that would be too many.
import type { Sql } from "../../../storage/sqlite/transactions.ts";
import type { SearchWord } from "../../search-words.ts";
import type { StoreShape } from "../check-schema.ts";
import { FULL_TEXT } from "../schema.ts";
import { type Candidate, countHits } from "./candidates.ts";
import { matchOf } from "./patterns.ts";

/** Occurrences of all words together that BM25 may look at. */
const MOST_COUNTED = 20_000;

/** The lower the better; a row without a score is worth 0. `rows`: newest first. */
export function scoresOf(
  sql: Sql,
  shape: StoreShape,
  words: readonly SearchWord[],
  rows: readonly Candidate[],
): ReadonlyMap<number, number> {
  const last = rows.at(-1);
  if (last === undefined || words.length === 0) return new Map();
  const telling = tellingWords(sql, shape, words);
  const [score, match] =
    telling.length > 0
      ? [`bm25(${FULL_TEXT})`, matchOf(telling, {}, shape)]
      : ["-1", `title : (${matchOf(words, {}, { ...shape, hasMoreText: false })})`];
  const scored = sql.all(
    `SELECT rowid AS id, ${score} AS score FROM ${FULL_TEXT} WHERE ${FULL_TEXT} MATCH ? AND rowid >= ?`,
    match,
    last.id,
  );
  return new Map(scored.map(({ id, score: value }) => [Number(id), Number(value)]));
}

/** The rarest ones, as many as are few enough. */
function tellingWords(sql: Sql, shape: StoreShape, words: readonly SearchWord[]): readonly SearchWord[] {
  const counted = words
    .map((word) => ({ word, hits: countHits(sql, matchOf([word], {}, shape)) }))
    .sort((first, second) => first.hits - second.hits);
  let sum = 0;
  return counted.flatMap(({ word, hits }) => {
    sum += hits;
    return sum <= MOST_COUNTED ? [word] : [];
  });
}

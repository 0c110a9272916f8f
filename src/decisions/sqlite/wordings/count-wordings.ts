// Counts each wording in each category. An index that holds all but the texts lies in the order of categories and keys, so a
// category is one walk, and only the wordings that count for most are kept while it goes.
import type { SqlRow } from "../../../storage/driver.ts";
import type { Sql } from "../../../storage/sqlite/transactions.ts";
import type { ReviewedQuery, Wording, WordingCounts } from "../../decision-log.ts";
import { evidenceConditions } from "../conditions.ts";
import { allOf, limitOf } from "../fragment.ts";
import { originalText, storedText } from "../ordered-text.ts";

export const COUNTS =
  "sum(confirms) AS confirmations, sum(contradicts) AS contradictions, sum(fails) AS failures, count(*) AS decisions";

export function countWordings(sql: Sql, query: ReviewedQuery, most: number): readonly Wording[] {
  const where = allOf(evidenceConditions(query));
  return evidenceCategories(sql, query).flatMap((category) => {
    const rows = sql.all(
      `SELECT e.key, ${COUNTS} FROM decision_evidence AS e WHERE e.category = ? AND ${where.sql}
       GROUP BY e.key ORDER BY max(sum(confirms), sum(fails)) DESC, confirmations DESC, decisions DESC, e.key LIMIT ?`,
      category,
      ...where.values,
      limitOf(most),
    );
    const name = originalText(category);
    return rows.map(({ key, confirmations, contradictions, failures, decisions }) => ({
      category: name,
      key: originalText(String(key)),
      confirmations: Number(confirmations),
      contradictions: Number(contradictions),
      failures: Number(failures),
      decisions: Number(decisions),
    }));
  });
}

export function countsOf(row: SqlRow | undefined): WordingCounts {
  const number = (column: keyof WordingCounts) => Number(row?.[column] ?? 0);
  return {
    confirmations: number("confirmations"),
    contradictions: number("contradictions"),
    failures: number("failures"),
    decisions: number("decisions"),
  };
}

/** As they are stored, sorted. */
export function evidenceCategories(sql: Sql, { filter: { category } }: ReviewedQuery): readonly string[] {
  if (category !== undefined) return [storedText(category)];
  return sql.all(CATEGORIES).map(({ name }) => String(name));
}

/** From one category to the next by the index, not by all rows. */
const CATEGORIES = `
WITH RECURSIVE names(name) AS (
  SELECT min(category) FROM decision_evidence
  UNION ALL
  SELECT (SELECT min(category) FROM decision_evidence WHERE category > name) FROM names WHERE name IS NOT NULL
)
SELECT name FROM names WHERE name IS NOT NULL ORDER BY name`;

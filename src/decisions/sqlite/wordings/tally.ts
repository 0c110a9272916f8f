// How many reviewed decisions agree in category, outcome and confidence: one walk over an index in that order.
import type { Sql } from "../../../storage/sqlite/transactions.ts";
import { OUTCOMES } from "../../decision.ts";
import type { ReviewedQuery, Tally } from "../../decision-log.ts";
import { reviewedConditions } from "../conditions.ts";
import { allOf } from "../fragment.ts";
import { originalText } from "../ordered-text.ts";

export function tallyReviewed(sql: Sql, query: ReviewedQuery): readonly Tally[] {
  const where = allOf(reviewedConditions(query));
  const rows = sql.all(
    `SELECT d.category, d.outcome, d.confidence, count(*) AS number FROM decisions AS d
     WHERE ${where.sql} GROUP BY d.category, d.outcome, d.confidence`,
    ...where.values,
  );
  return rows.map(({ category, outcome: stored, confidence, number }) => {
    const outcome = OUTCOMES.find((each) => each === stored);
    return {
      category: originalText(String(category)),
      ...(outcome === undefined ? {} : { outcome }),
      ...(confidence === null || confidence === undefined ? {} : { confidence: Number(confidence) }),
      count: Number(number),
    };
  });
}

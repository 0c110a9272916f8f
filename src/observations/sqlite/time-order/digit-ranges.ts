// Where in the index over `created_at` times stand that are digits alone. They lie among the dates ("1767..." between
// "1767-" and "1768-"), so it is stepped through in leaps over all that begins alike.
import type { Sql } from "../../../storage/sqlite/transactions.ts";

export interface TextRange {
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
}

/** A date has its hyphen where a number has its fifth digit, and a hyphen comes before all digits. */
const LEAPS = `
WITH RECURSIVE leap(text) AS (
  SELECT min(created_at) FROM observations WHERE created_at >= '1' AND created_at < ':'
  UNION ALL
  SELECT (
    SELECT min(created_at) FROM observations
    WHERE created_at < ':' AND created_at >= CASE
      WHEN length(text) < 5 THEN text || char(1)
      WHEN substr(text, 5, 1) < '0' THEN substr(text, 1, 4) || '0'
      WHEN substr(text, 5, 1) <= '9' THEN substr(text, 1, 4) || ':'
      ELSE max(text || char(1), substr(text, 1, 4) || char(1114111))
    END
  ) FROM leap WHERE text IS NOT NULL
)
SELECT text FROM leap WHERE text IS NOT NULL`;

/** Ascending and apart from the dates; neighbours without dates between them are one. */
export function digitRanges(sql: Sql): readonly TextRange[] {
  const ranges: { from: string; to: string }[] = [];
  let isJoined = false;
  for (const { text } of sql.all(LEAPS)) {
    const first = String(text);
    const isDigits = /^\d{5}/.test(first);
    const to = `${first.slice(0, 4)}:`;
    const last = ranges.at(-1);
    if (isDigits && isJoined && last !== undefined) last.to = to;
    else if (isDigits) ranges.push({ from: first, to });
    isJoined = isDigits;
  }
  return ranges;
}

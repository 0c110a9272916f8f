// Counts each wording in each category. An index that holds all but the texts lies in the order of categories and keys, so a
// category is one walk, and only the wordings that count for most are kept while it goes.
import type { SqlRow } from "../../storage/sqlite/driver.ts";
import type { Sql } from "../../storage/sqlite/transactions.ts";
import { NO_COUNTS, type ReviewedQuery, type Wording, type WordingCounts, type WordingGroup } from "../decision-log.ts";
import {
  allOf,
  evidenceConditions,
  type Fragment,
  fragment,
  jsonList,
  limitOf,
  originalText,
  storedText,
} from "./conditions.ts";

const COUNTS =
  "sum(confirms) AS confirmations, sum(contradicts) AS contradictions, sum(fails) AS failures, count(*) AS decisions";

/** A file that cannot be written may be of a version that kept no ranks: there all are patterns. */
function rankColumn(sql: Sql): string {
  const column = sql.get("SELECT 1 FROM pragma_table_info('decision_evidence') WHERE name = 'rank'");
  return column === undefined ? "0" : "rank";
}

export function countWordings(sql: Sql, query: ReviewedQuery, most: number): readonly Wording[] {
  const where = allOf(evidenceConditions(query));
  const rank = rankColumn(sql);
  return evidenceCategories(sql, query).flatMap((category) => {
    const rows = sql.all(
      `SELECT e.key, ${COUNTS}, min(${rank}) AS rank FROM decision_evidence AS e WHERE e.category = ? AND ${where.sql}
       GROUP BY e.key ORDER BY max(sum(confirms), sum(fails)) DESC, confirmations DESC, decisions DESC, e.key LIMIT ?`,
      category,
      ...where.values,
      limitOf(most),
    );
    const name = originalText(category);
    return rows.map((row) => ({ category: name, key: originalText(String(row.key)), ...countsOf(row) }));
  });
}

function countsOf(row: SqlRow | undefined): WordingCounts {
  const number = (column: keyof WordingCounts) => Number(row?.[column] ?? NO_COUNTS[column]);
  return {
    confirmations: number("confirmations"),
    contradictions: number("contradictions"),
    failures: number("failures"),
    decisions: number("decisions"),
    rank: number("rank"),
  };
}

/** As they are stored, sorted. */
function evidenceCategories(sql: Sql, { filter: { category } }: ReviewedQuery): readonly string[] {
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

// Counts several wordings as one: each decision once, the wording that most of them have, and the latest of each kind.

const MOST_IDS = 3;
const EVIDENCE = "FROM decision_evidence AS e";
const KINDS = ["confirms", "contradicts", "fails"] as const;

export function groupWordings(
  sql: Sql,
  query: ReviewedQuery,
  groups: readonly (readonly string[])[],
): readonly WordingGroup[] {
  const categories = evidenceCategories(sql, query);
  const conditions = evidenceConditions(query);
  return groups.map((keys) => groupOf(sql, categories, [...new Set(keys)].map(storedText), conditions));
}

function groupOf(
  sql: Sql,
  categories: readonly string[],
  keys: readonly string[],
  conditions: readonly Fragment[],
): WordingGroup {
  const found = categoriesWith(sql, categories, keys, conditions);
  const within = fragment(
    "e.category IN (SELECT value FROM json_each(?)) AND e.key IN (SELECT value FROM json_each(?))",
    jsonList(found),
    jsonList(keys),
  );
  const where = allOf([within, ...conditions]);
  const { counts, text } = countGroup(sql, where);
  const latest = (kind: (typeof KINDS)[number], number: number) =>
    number === 0 ? [] : latestIds(sql, found, keys, conditions, kind);
  const { confirmations, contradictions, failures } = counts;
  return {
    text,
    categories: found.map(originalText),
    ...counts,
    confirmingIds: latest("confirms", confirmations),
    contradictingIds: latest("contradicts", contradictions),
    failingIds: latest("fails", failures),
  };
}

function categoriesWith(
  sql: Sql,
  categories: readonly string[],
  keys: readonly string[],
  conditions: readonly Fragment[],
): readonly string[] {
  const where = allOf(conditions);
  const rows = sql.all(
    `SELECT c.value AS name FROM json_each(?) AS c WHERE EXISTS (
       SELECT 1 ${EVIDENCE} WHERE e.category = c.value AND e.key IN (SELECT value FROM json_each(?)) AND ${where.sql}
     ) ORDER BY c.key`,
    jsonList(categories),
    jsonList(keys),
    ...where.values,
  );
  return rows.map(({ name }) => String(name));
}

/** A decision counts once, however many of the wordings it has. */
function countGroup(sql: Sql, where: Fragment): { readonly counts: WordingCounts; readonly text: string } {
  const counts = sql.get(
    `SELECT ${COUNTS}, min(rank) AS rank FROM (
       SELECT max(confirms) AS confirms, max(contradicts) AS contradicts, max(fails) AS fails, min(${rankColumn(sql)}) AS rank
       ${EVIDENCE} WHERE ${where.sql} GROUP BY e.id)`,
    ...where.values,
  );
  const most = sql.get(
    `SELECT text FROM (
       SELECT e.text, count(*) AS number, sum(count(*)) OVER (PARTITION BY e.key) AS of_key
       ${EVIDENCE} WHERE ${where.sql} GROUP BY e.key, e.text
     ) ORDER BY of_key DESC, number DESC, text LIMIT 1`,
    ...where.values,
  );
  return { counts: countsOf(counts), text: originalText(String(most?.text ?? "")) };
}

/** The first few of each wording, in the order in which they lie, then the first of these. */
function latestIds(
  sql: Sql,
  categories: readonly string[],
  keys: readonly string[],
  conditions: readonly Fragment[],
  kind: (typeof KINDS)[number],
): readonly string[] {
  const where = allOf(conditions);
  const found = new Map<string, number>();
  for (const category of categories) {
    for (const key of keys) {
      const rows = sql.all(
        `SELECT e.id, e.decided_at ${EVIDENCE} WHERE e.category = ? AND e.key = ? AND e.${kind} = 1 AND ${where.sql}
         ORDER BY e.decided_at DESC, e.id LIMIT ${MOST_IDS}`,
        category,
        key,
        ...where.values,
      );
      for (const { id, decided_at } of rows) found.set(String(id), Number(decided_at));
    }
  }
  return [...found]
    .sort(([id, at], [otherId, otherAt]) => otherAt - at || (id < otherId ? -1 : 1))
    .slice(0, MOST_IDS)
    .map(([id]) => originalText(id));
}

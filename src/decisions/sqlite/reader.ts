// Answers the questions of the log contract inside one transaction; wordings are counted in a file of their own.
import type { SqlRow } from "../../storage/sqlite/driver.ts";
import type { Sql } from "../../storage/sqlite/transactions.ts";
import { withoutUndefined } from "../../text/json-values.ts";
import { LEVELS, type Level, OUTCOMES, type RecordFault, type StoredDecision } from "../decision.ts";
import type {
  CycleRun,
  DecisionFilter,
  DecisionReader,
  DecisionText,
  LevelChange,
  LeveledDecision,
  LevelSurvey,
  LevelView,
  PageQuery,
  Position,
  ReviewedQuery,
  Tally,
} from "../decision-log.ts";
import {
  allOf,
  type Fragment,
  filterConditions,
  fragment,
  jsonList,
  levelColumn,
  levelNumbers,
  limitOf,
  originalText,
  preservedColumn,
  reviewedConditions,
  storedText,
} from "./conditions.ts";
import { RECORD_COLUMNS, readableConditions, storedDecision } from "./record-rows.ts";
import { countWordings, groupWordings } from "./wordings.ts";

export function createReader(sql: Sql): DecisionReader {
  return {
    decisions: async (ids) => readDecisions(sql, ids),
    idsLike: async (prefix, limit) => idsLike(sql, storedText(prefix), limitOf(limit)),
    page: async (query) => readPage(sql, query),
    survey: async (query) => surveyLevels(sql, query),
    faults: async (limit) => ({
      count: Number(sql.get("SELECT count(*) AS number FROM decision_faults")?.number),
      faults: sql
        .all("SELECT id, code, message FROM decision_faults ORDER BY id, message LIMIT ?", limitOf(limit))
        .map(recordFault),
    }),
    overdue: async (filter, day, limit) => readOverdue(sql, filter, day, limitOf(limit)),
    tally: async (query) => tallyReviewed(sql, query),
    wordings: async (query, most) => countWordings(sql, query, most),
    groupWordings: async (query, groups) => groupWordings(sql, query, groups),
    levelChanges: async (view, filter) => findLevelChanges(sql, view, filter),
    texts: async (ids) => readTexts(sql, ids),
    runs: async (limit) => readRuns(sql, limitOf(limit)),
    state: async (key) => readState(sql, key),
  };
}

function readDecisions(sql: Sql, ids: readonly string[]): readonly StoredDecision[] {
  const rows = sql.all(
    `SELECT ${RECORD_COLUMNS} FROM decisions AS d WHERE d.id IN (SELECT value FROM json_each(?))`,
    jsonList(ids.map(storedText)),
  );
  const byId = new Map(rows.map((row) => [originalText(String(row.id)), storedDecision(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function idsLike(sql: Sql, prefix: string, limit: number): readonly string[] {
  // No stored text holds this character, so what begins with the prefix lies before it.
  const end = `${prefix}\u{10ffff}`;
  const rows = sql.all("SELECT id FROM decisions WHERE id >= ? AND id < ? ORDER BY id LIMIT ?", prefix, end, limit);
  const ids = rows.map(({ id }) => String(id));
  return (ids[0] === prefix ? [prefix] : ids).map(originalText);
}

/** A record that is no JSON is never asked, and most are not parsed. */
const REVIEW_BY = `CASE WHEN instr(d.raw, '"review_by"') > 0 AND json_valid(d.raw) THEN json_extract(d.raw, '$.review_by') END`;

function readOverdue(sql: Sql, filter: DecisionFilter, day: string, limit: number): readonly StoredDecision[] {
  const where = allOf([fragment("d.is_reviewed = 0"), fragment("due < ?", day), ...filterConditions(filter)]);
  const rows = sql.all(
    `SELECT ${RECORD_COLUMNS}, trim(${REVIEW_BY}) AS due FROM decisions AS d
     WHERE ${where.sql} ORDER BY due, d.id LIMIT ?`,
    ...where.values,
    limit,
  );
  return rows.flatMap((row) => storedDecision(row) ?? []);
}

function recordFault({ id, code, message }: SqlRow): RecordFault {
  return { id: originalText(String(id)), code: code as RecordFault["code"], message: originalText(String(message)) };
}

// A page in the order of the log: latest decided first, those without a readable date last, equals by id. The order's index
// is walked from the place where the page begins, so a page costs what it holds and what it passes over.

function readPage(sql: Sql, query: PageQuery): readonly LeveledDecision[] {
  const page: LeveledDecision[] = [];
  let left = limitOf(query.limit);
  for (const part of partsAfter(query.after)) {
    if (left === 0) break;
    const rows = readRows(sql, query, part, left);
    if (left > 0) left -= rows.length;
    for (const row of rows) {
      const decision = storedDecision(row);
      if (decision !== undefined) page.push({ decision, level: levelAt(row.level) });
    }
  }
  return page;
}

/** What comes after a place, as ranges of the index, in their order. */
function partsAfter(after: Position | undefined): readonly Fragment[] {
  if (after === undefined) return [fragment("1")];
  const id = storedText(after.id);
  if (after.decidedAt === undefined) return [fragment("d.decided_at IS NULL AND d.id > ?", id)];
  return [
    fragment("d.decided_at = ? AND d.id > ?", after.decidedAt, id),
    fragment("d.decided_at < ?", after.decidedAt),
    fragment("d.decided_at IS NULL"),
  ];
}

function readRows(sql: Sql, query: PageQuery, part: Fragment, limit: number): readonly SqlRow[] {
  const { filter, view, levels, includePreserved = true } = query;
  const level = levelColumn(view, filter);
  const conditions = [part, ...readableConditions(sql), ...filterConditions(filter)];
  if (levels !== undefined) {
    conditions.push(
      fragment(`${level.sql} IN (SELECT value FROM json_each(?))`, ...level.values, levelNumbers(levels)),
    );
  }
  if (!includePreserved) {
    const kept = preservedColumn(view, filter);
    conditions.push(fragment(`NOT ${kept.sql}`, ...kept.values));
  }
  const where = allOf(conditions);
  return sql.all(
    `SELECT ${RECORD_COLUMNS}, ${level.sql} AS level FROM decisions AS d
     WHERE ${where.sql} ORDER BY d.decided_at DESC, d.id LIMIT ?`,
    ...level.values,
    ...where.values,
    limit,
  );
}

// How many decisions have which level, and whose level is another than in the last cycle.

function surveyLevels(
  sql: Sql,
  { filter, view, includePreserved = true }: Omit<PageQuery, "limit" | "after" | "levels">,
): LevelSurvey {
  const [level, kept] = [levelColumn(view, filter, () => fragment("0")), preservedColumn(view, filter)];
  const conditions = [...readableConditions(sql), ...filterConditions(filter)];
  if (!includePreserved) conditions.push(fragment(`NOT ${kept.sql}`, ...kept.values));
  const where = allOf(conditions);
  // The inner limit, which limits nothing, keeps the level from being worked out once for each sum.
  const row = sql.get(
    `SELECT count(*) AS total, total(kept) AS preserved,
       total(level = 1 AND NOT kept) AS summary, total(level = 2 AND NOT kept) AS digest,
       total(level = 3 AND NOT kept) AS wisdom
     FROM (SELECT ${level.sql} AS level, ${kept.sql} AS kept FROM decisions AS d WHERE ${where.sql} LIMIT -1)`,
    ...level.values,
    ...kept.values,
    ...where.values,
  );
  const number = (column: string) => Number(row?.[column] ?? 0);
  const levels = { summary: number("summary"), digest: number("digest"), wisdom: number("wisdom") };
  const total = number("total");
  const full = total - levels.summary - levels.digest - levels.wisdom;
  return { total, preserved: number("preserved"), levels: { full, ...levels } };
}

/** Sorted by id. */
function findLevelChanges(sql: Sql, view: LevelView, filter: DecisionFilter): readonly LevelChange[] {
  const level = levelColumn(view, filter);
  const where = allOf([...readableConditions(sql), ...filterConditions(filter)]);
  const rows = sql.all(
    `SELECT * FROM (
       SELECT d.id, d.category, d.agent, d.hash, d.least_confidence AS least, d.confidence_spread AS spread,
         coalesce(l.level, 0) AS level_before, ${level.sql} AS level_now
       FROM decisions AS d LEFT JOIN decision_levels AS l ON l.id = d.id
       WHERE ${where.sql} LIMIT -1
     ) WHERE level_before <> level_now ORDER BY id`,
    ...level.values,
    ...where.values,
  );
  return rows.map(({ id, category, agent, hash, least, spread, level_before, level_now }) => ({
    id: originalText(String(id)),
    category: originalText(String(category)),
    agent: originalText(String(agent)),
    from: levelAt(level_before),
    to: levelAt(level_now),
    hash: String(hash),
    ...(least === null ? {} : { confidence: { least: Number(least), spread: Number(spread) } }),
  }));
}

function levelAt(place: unknown): Level {
  return LEVELS[Number(place)] ?? "full";
}

// How many reviewed decisions agree in category, outcome and confidence: one walk over an index in that order.

function tallyReviewed(sql: Sql, query: ReviewedQuery): readonly Tally[] {
  const where = allOf(reviewedConditions(query));
  const rows = sql.all(
    `SELECT d.category, d.outcome, d.confidence, count(*) AS number FROM decisions AS d
     WHERE ${where.sql} GROUP BY d.category, d.outcome, d.confidence`,
    ...where.values,
  );
  return rows.map(({ category, outcome, confidence, number }) =>
    withoutUndefined({
      category: originalText(String(category)),
      outcome: OUTCOMES.find((each) => each === outcome),
      confidence: confidence === null ? undefined : Number(confidence),
      count: Number(number),
    }),
  );
}

// What cycles keep beside records: texts of them, runs, small values.

/** In the order of `ids`. */
function readTexts(sql: Sql, ids: readonly string[]): readonly DecisionText[] {
  const rows = sql.all(
    `SELECT t.* FROM json_each(?) AS wanted
       JOIN decisions AS d ON d.id = wanted.value
       JOIN decision_texts AS t ON t.id = d.id AND t.hash = d.hash
     ORDER BY wanted.key, t.level, t.strategy, t.model`,
    jsonList([...new Set(ids)].map(storedText)),
  );
  return rows.map(({ id, level, hash, strategy, model, text, source }) => ({
    id: originalText(String(id)),
    level: level as DecisionText["level"],
    hash: String(hash),
    strategy: originalText(String(strategy)),
    model: originalText(String(model)),
    text: originalText(String(text)),
    source: source as DecisionText["source"],
  }));
}

function readRuns(sql: Sql, limit: number): readonly CycleRun[] {
  return sql
    .all("SELECT run FROM decision_runs ORDER BY started_at DESC, n DESC LIMIT ?", limit)
    .map(({ run }) => JSON.parse(String(run)) as CycleRun);
}

function readState(sql: Sql, key: string): unknown {
  const row = sql.get("SELECT value FROM decision_state WHERE key = ?", storedText(key));
  return row === undefined ? undefined : JSON.parse(String(row.value));
}

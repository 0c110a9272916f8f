// How many decisions have which level, and whose level is another than in the last cycle.
import type { Sql } from "../../../storage/sqlite/transactions.ts";
import { LEVELS, type Level } from "../../decision.ts";
import type { DecisionFilter, LevelChange, LevelSurvey, LevelView, PageQuery } from "../../decision-log.ts";
import { filterConditions } from "../conditions.ts";
import { allOf, fragment } from "../fragment.ts";
import { originalText } from "../ordered-text.ts";
import { readableConditions } from "../unreadable.ts";
import { keptColumn, levelColumn, unkeptLevelColumn } from "./level-columns.ts";

export function surveyLevels(
  sql: Sql,
  { filter, view, includePreserved = true }: Omit<PageQuery, "limit" | "after" | "levels">,
): LevelSurvey {
  const [level, kept] = [unkeptLevelColumn(view, filter), keptColumn(view, filter)];
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
export function findLevelChanges(sql: Sql, view: LevelView, filter: DecisionFilter): readonly LevelChange[] {
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

export function levelAt(place: unknown): Level {
  return LEVELS[Number(place)] ?? "full";
}

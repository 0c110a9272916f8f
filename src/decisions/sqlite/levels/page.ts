// A page in the order of the log: latest decided first, those without a readable date last, equals by id. The order's index
// is walked from the place where the page begins, so a page costs what it holds and what it passes over.
import type { SqlRow } from "../../../storage/driver.ts";
import type { Sql } from "../../../storage/sqlite/transactions.ts";
import { LEVELS } from "../../decision.ts";
import type { LeveledDecision, PageQuery, Position } from "../../decision-log.ts";
import { filterConditions } from "../conditions.ts";
import { allOf, type Fragment, fragment, limitOf } from "../fragment.ts";
import { storedText } from "../ordered-text.ts";
import { RECORD_COLUMNS, storedDecision } from "../records/read-row.ts";
import { readableConditions } from "../unreadable.ts";
import { keptColumn, levelColumn, levelNumbers } from "./level-columns.ts";

export function readPage(sql: Sql, query: PageQuery): readonly LeveledDecision[] {
  const page: LeveledDecision[] = [];
  let left = limitOf(query.limit);
  for (const part of partsAfter(query.after)) {
    if (left === 0) break;
    const rows = readRows(sql, query, part, left);
    if (left > 0) left -= rows.length;
    for (const row of rows) {
      const decision = storedDecision(row);
      if (decision !== undefined) page.push({ decision, level: LEVELS[Number(row.level)] ?? "full" });
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
    const kept = keptColumn(view, filter);
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

// Counts rows by age through their ids. Rows are written as time goes by, so those of an age are a range of ids but for a few
// strays: an import of older rows, a clock that was put right. Strays are found in the index over the times and set right one
// by one; the others are counted by the index of a filter, which knows ids and no times.
import type { Sql } from "../../storage/sqlite/transactions.ts";
import { type Condition, conditionsOf, countWalking, type IdRange, idList, LISTED, whereOf } from "./rows.ts";
import type { StoreShape } from "./schema.ts";

/** With more of them, ids say too little. */
const MOST_STRAYS = 10_000;
const LAST_TEXT = "\u{10ffff}";

interface AgeGroup {
  readonly ids: IdRange;
  /** Rows of its time, whatever their ids. */
  readonly size: number;
  /** Those of them whose ids are of another group. */
  readonly strays: readonly number[];
}

/**
 * How many live rows that meet `filter` are of each age: before the first of `ends`, between it and the second, and so on, and
 * at last from the last on. All `created_at` are in one exact shape, `ends` are texts of it, ascending. Undefined where ids do
 * not tell.
 */
export function countByAge(
  sql: Sql,
  shape: StoreShape,
  filter: Condition | undefined,
  ends: readonly string[],
): readonly number[] | undefined {
  const groups = findGroups(sql, ends);
  if (groups === undefined) return undefined;
  const count = (walked: Condition, ...asked: readonly Condition[]) => {
    const counts = groups.map(({ ids }) => countWalking(sql, walked, asked, ids));
    for (const [group, { strays }] of groups.entries()) {
      for (const id of idsThatMeet(sql, shape, strays, [walked, ...asked])) {
        const taken = groups.findIndex(({ ids }) => id >= ids.from && id < ids.to);
        counts[group] = (counts[group] ?? 0) + 1;
        counts[taken] = (counts[taken] ?? 0) - 1;
      }
    }
    return counts;
  };
  const [deleted] = conditionsOf({}, "deleted") as [Condition];
  const any = filter === undefined ? groups.map(({ size }) => size) : count(filter);
  const gone = count(deleted, ...(filter === undefined ? [] : [filter]));
  return any.map((number, group) => number - (gone[group] ?? 0));
}

function findGroups(sql: Sql, ends: readonly string[]): readonly AgeGroup[] | undefined {
  const cuts = [Number.MIN_SAFE_INTEGER, ...ends.map((end) => firstIdFrom(sql, end)), Number.MAX_SAFE_INTEGER];
  const groups: AgeGroup[] = [];
  let left = MOST_STRAYS;
  for (let group = 0; group <= ends.length; group++) {
    const [from = 0, to = 0] = cuts.slice(group, group + 2);
    if (from > to) return undefined;
    const times = [ends[group - 1] ?? "", ends[group] ?? LAST_TEXT];
    const strays = "+id < ? OR +id >= ?";
    const ofTime = "FROM observations WHERE created_at >= ? AND created_at < ?";
    const counted = `SELECT count(*) AS size, count(*) FILTER (WHERE ${strays}) AS strays ${ofTime}`;
    const found = sql.get(counted, from, to, ...times);
    const number = Number(found?.strays);
    left -= number;
    if (left < 0) return undefined;
    const rows = number === 0 ? [] : sql.all(`SELECT id ${ofTime} AND (${strays})`, ...times, from, to);
    groups.push({ ids: { from, to }, size: Number(found?.size), strays: rows.map(({ id }) => Number(id)) });
  }
  return groups;
}

/** Of the first row that was created at or after a time; beyond all ids where there is none. */
function firstIdFrom(sql: Sql, text: string): number {
  const first = "SELECT min(created_at) FROM observations WHERE created_at >= ?";
  const found = sql.get(`SELECT min(id) AS id FROM observations WHERE created_at = (${first})`, text);
  return Number(found?.id ?? Number.MAX_SAFE_INTEGER);
}

function idsThatMeet(
  sql: Sql,
  shape: StoreShape,
  ids: readonly number[],
  conditions: readonly Condition[],
): readonly number[] {
  if (ids.length === 0) return [];
  const where = whereOf(shape, conditions);
  const rows = sql.all(
    `SELECT id FROM observations WHERE id IN ${LISTED} AND ${where.sql}`,
    idList(ids),
    ...where.values,
  );
  return rows.map(({ id }) => Number(id));
}

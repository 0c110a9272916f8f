// Answers the questions of the log contract inside one transaction; the longer ones are files of their own.
import type { SqlRow } from "../../storage/driver.ts";
import type { Sql } from "../../storage/sqlite/transactions.ts";
import type { RecordFault, StoredDecision } from "../decision.ts";
import type { DecisionReader } from "../decision-log.ts";
import { jsonList, limitOf } from "./fragment.ts";
import { findLevelChanges, surveyLevels } from "./levels/count-levels.ts";
import { readPage } from "./levels/page.ts";
import { originalText, storedText } from "./ordered-text.ts";
import { RECORD_COLUMNS, storedDecision } from "./records/read-row.ts";
import { readRuns, readState, readTexts } from "./side-values.ts";
import { countWordings } from "./wordings/count-wordings.ts";
import { groupWordings } from "./wordings/group-wordings.ts";
import { tallyReviewed } from "./wordings/tally.ts";

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
        .map(faultOf),
    }),
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

function faultOf({ id, code, message }: SqlRow): RecordFault {
  return { id: originalText(String(id)), code: code as RecordFault["code"], message: originalText(String(message)) };
}

// Puts a record into the log with everything that is made from it, and settles who took whose place, whichever came first.
import type { SqlRow } from "../../../storage/driver.ts";
import type { Sql } from "../../../storage/sqlite/transactions.ts";
import type { RecordFault, StoredDecision } from "../../decision.ts";
import { storedText } from "../ordered-text.ts";
import { removeRemains } from "../unreadable.ts";
import { dropCircles, markCircles } from "./circle-rows.ts";
import { addEvidence, removeEvidence } from "./evidence-rows.ts";
import { RECORD_COLUMNS, storedDecision } from "./read-row.ts";
import { type Columns, recordColumns } from "./record-columns.ts";
import { addSideRows, removeSideRows } from "./side-rows.ts";

export interface CheckedRecord {
  readonly decision: StoredDecision;
  readonly faults: readonly RecordFault[];
  /** The record as JSON. */
  readonly json: string;
}

/** A record whose id is not there yet. */
export function addRecord(sql: Sql, { decision, faults, json }: CheckedRecord): void {
  const columns = allColumns(decision, json);
  const names = Object.keys(columns);
  const places = names.map(() => "?").join(", ");
  const added = sql.run(
    `INSERT INTO decisions(${names.join(", ")}) VALUES (${places})`,
    ...Object.values(columns),
  ).lastInsertRowid;
  addSideRows(sql, added, decision, faults);
  addEvidence(sql, decision);
  const ids = [decision.id, ...decision.supersedes];
  dropCircles(sql, ids);
  settle(sql, ids);
  markCircles(sql, ids);
}

/** `row`: the row of the record with this id. */
export function replaceRecord(sql: Sql, row: SqlRow, { decision, faults, json }: CheckedRecord): void {
  const n = Number(row.n);
  const before = storedDecision(row);
  const ids = [decision.id, ...decision.supersedes, ...(before?.supersedes ?? [])];
  dropCircles(sql, ids);
  if (before === undefined) removeRemains(sql, n, String(row.id));
  else {
    removeEvidence(sql, before);
    removeSideRows(sql, n, before);
  }
  const columns = allColumns(decision, json);
  const set = Object.keys(columns).map((name) => `${name} = ?`);
  sql.run(`UPDATE decisions SET ${set.join(", ")} WHERE n = ?`, ...Object.values(columns), n);
  addSideRows(sql, n, decision, faults);
  addEvidence(sql, decision);
  settle(sql, ids);
  markCircles(sql, ids);
}

/** Who took its place is settled afterwards; until then it is who the record names. */
function allColumns(decision: StoredDecision, json: string): Columns {
  const columns = recordColumns(decision);
  return { ...columns, superseded_by: columns.named_successor ?? null, raw: json };
}

/** What a record names itself goes first, else who claims it; of several, the one that sorts first. */
export const RESOLVED = `
coalesce(
  nullif(named_successor, ''),
  (SELECT min(claim.id) FROM decision_claims AS claim WHERE claim.superseded = decisions.id),
  named_successor
)`;

function settle(sql: Sql, ids: readonly string[]): void {
  for (const id of new Set(ids)) {
    const stored = storedText(id);
    const { resolved = null } = sql.get(`SELECT ${RESOLVED} AS resolved FROM decisions WHERE id = ?`, stored) ?? {};
    const row = sql.get(
      `SELECT ${RECORD_COLUMNS} FROM decisions AS d WHERE id = ? AND superseded_by IS NOT ?`,
      stored,
      resolved,
    );
    if (row === undefined) continue;
    const [before, after] = [storedDecision(row), storedDecision({ ...row, superseded_by: resolved })];
    if (before !== undefined) removeEvidence(sql, before);
    sql.run("UPDATE decisions SET superseded_by = ? WHERE id = ?", resolved, stored);
    if (after !== undefined) addEvidence(sql, after);
  }
}

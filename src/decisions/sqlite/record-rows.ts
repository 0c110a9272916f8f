// Every row that is made from records.
import type { SqlRow, SqlValue } from "../../storage/sqlite/driver.ts";
import type { Sql } from "../../storage/sqlite/transactions.ts";
import { REVIEWED, type RecordFault, type StoredDecision } from "../decision.ts";
import { evidenceOf, stanceOf } from "../evidence.ts";
import { type ReadDecision, readDecision, searchedTexts } from "../read-decision.ts";
import { confidenceRange } from "../statistics.ts";
import { type Fragment, fragment, originalText, SEPARATOR, storedText } from "./conditions.ts";
import { MADE_FROM_RECORDS, puttingAside, TABLES, UNDATED, UNREADABLE } from "./schema.ts";

// Puts a record into the log with everything that is made from it, and resolves who took whose place, whichever came first.

export interface CheckedRecord {
  readonly decision: StoredDecision;
  readonly faults: readonly RecordFault[];
  /** The record as JSON. */
  readonly json: string;
}

/** `row`: the row of the record with this id; undefined where it is not there yet. */
export function putRecord(sql: Sql, { decision, faults, json }: CheckedRecord, row?: SqlRow): void {
  const columns = allColumns(decision, json);
  const [names, values] = [Object.keys(columns), Object.values(columns)];
  let n: number | bigint;
  let before: StoredDecision | undefined;
  if (row === undefined) {
    const places = names.map(() => "?").join(", ");
    n = sql.run(`INSERT INTO decisions(${names.join(", ")}) VALUES (${places})`, ...values).lastInsertRowid;
  } else {
    n = Number(row.n);
    before = storedDecision(row);
    if (before === undefined) removeRemains(sql, n, String(row.id));
    else {
      removeEvidence(sql, before);
      removeSideRows(sql, n, before);
    }
    sql.run(`UPDATE decisions SET ${setting(names)} WHERE n = ?`, ...values, n);
  }
  addSideRows(sql, n, decision, faults);
  addEvidence(sql, decision);
  resolveSupersession(sql, [decision.id, ...decision.supersedes, ...(before?.supersedes ?? [])]);
}

function setting(columns: readonly string[]): string {
  return columns.map((name) => `${name} = ?`).join(", ");
}

/** Who took its place is settled afterwards; until then it is who the record names. */
function allColumns(decision: StoredDecision, json: string): Columns {
  const columns = recordColumns(decision);
  return { ...columns, superseded_by: columns.named_successor ?? null, raw: json };
}

/** What a record names itself goes first, else who claims it; of several, the one that sorts first. */
const RESOLVED = `
coalesce(
  nullif(named_successor, ''),
  (SELECT min(claim.id) FROM decision_claims AS claim WHERE claim.superseded = decisions.id),
  named_successor
)`;

function resolveSupersession(sql: Sql, ids: readonly string[]): void {
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

// From a row to the decision that its record is, with what other records say about it.

/** Columns of `decisions AS d` that `storedDecision` reads. */
export const RECORD_COLUMNS = "d.id, d.superseded_by, d.raw";

/** Undefined for a record that another program has made unreadable. */
export function storedDecision(row: SqlRow): StoredDecision | undefined {
  const { decision } = readRaw(row);
  if (decision === undefined || typeof row.superseded_by !== "string") return decision;
  return { ...decision, supersededBy: originalText(row.superseded_by) };
}

/** As the record says by itself. */
function readRaw({ id, raw }: SqlRow): ReadDecision {
  const name = originalText(String(id));
  try {
    const read = readDecision(JSON.parse(String(raw)), { name });
    return read.decision === undefined || read.decision.id === name ? read : { faults: [] };
  } catch {
    return { faults: [] };
  }
}

// What the columns beside a record hold, so that levels, pages and counts need not read it.

type Columns = Readonly<Record<string, SqlValue>>;

/** All but `n`, `raw` and `superseded_by`, which hangs on other records as well. */
function recordColumns(decision: StoredDecision): Columns {
  const { id, decidedAt, reviewedAt, category, agent, status, stakes, outcome, confidence, supersededBy } = decision;
  const range = confidenceRange(decision);
  return {
    id: storedText(id),
    decided_at: decidedAt ?? null,
    reviewed_at: reviewedAt ?? null,
    category: storedText(category),
    agent: storedText(agent),
    status: storedText(status),
    is_reviewed: Number(status === REVIEWED),
    preserve: Number(decision.isPreserved),
    stakes: textOrNull(stakes),
    outcome: outcome ?? null,
    confidence: confidence ?? null,
    least_confidence: range?.least ?? null,
    confidence_spread: range?.spread ?? null,
    named_successor: textOrNull(supersededBy),
    hash: decision.hash,
  };
}

function textOrNull(text: string | undefined): string | null {
  return text === undefined ? null : storedText(text);
}

// The rows that a record has in the tables beside it: tags, claims, faults and the text that words are looked for in.

function addSideRows(sql: Sql, n: number, decision: StoredDecision, faults: readonly RecordFault[]): void {
  const id = storedText(decision.id);
  for (const tag of new Set(decision.tags)) {
    sql.run("INSERT OR REPLACE INTO decision_tags(id, tag) VALUES (?, ?)", id, storedText(tag));
  }
  for (const other of decision.supersedes) {
    sql.run("INSERT OR REPLACE INTO decision_claims(superseded, id) VALUES (?, ?)", storedText(other), id);
  }
  for (const { code, message } of faults) {
    sql.run(
      "INSERT OR REPLACE INTO decision_faults(id, code, message) VALUES (?, ?, ?)",
      ...[id, code, storedText(message)],
    );
  }
  const words = searchedTexts(decision).map(storedText).join(SEPARATOR);
  sql.run("INSERT OR REPLACE INTO decision_words(n, words) VALUES (?, ?)", n, words);
}

/** `decision` as it was when they were added. */
function removeSideRows(sql: Sql, n: number, decision: StoredDecision): void {
  const id = storedText(decision.id);
  for (const other of decision.supersedes) {
    sql.run("DELETE FROM decision_claims WHERE superseded = ? AND id = ?", storedText(other), id);
  }
  sql.run("DELETE FROM decision_tags WHERE id = ?", id);
  sql.run("DELETE FROM decision_faults WHERE id = ?", id);
  sql.run("DELETE FROM decision_words WHERE n = ?", n);
}

// The rows of a decision's evidence: only of reviewed ones, which alone are counted. A row says what the decision does for
// or against the wording, so that counting is adding up.

/** `decision` as it stands in the log, `supersededBy` resolved. */
function addEvidence(sql: Sql, decision: StoredDecision): void {
  const { id, category, agent, decidedAt, reviewedAt } = decision;
  for (const evidence of ofReviewed(decision)) {
    const { confirms, contradicts, fails, rank } = stanceOf(decision, evidence);
    sql.run(
      `INSERT INTO decision_evidence
         (category, key, decided_at, id, reviewed_at, agent, confirms, contradicts, fails, rank, text)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[storedText(category), storedText(evidence.key), decidedAt ?? UNDATED, storedText(id)],
      ...[reviewedAt ?? null, storedText(agent)],
      ...[Number(confirms), Number(contradicts), Number(fails), rank, storedText(evidence.text)],
    );
  }
}

/** `decision` as it was when its evidence was added. */
function removeEvidence(sql: Sql, decision: StoredDecision): void {
  const { id, category, decidedAt } = decision;
  for (const { key } of ofReviewed(decision)) {
    sql.run(
      "DELETE FROM decision_evidence WHERE category = ? AND key = ? AND decided_at = ? AND id = ?",
      ...[storedText(category), storedText(key), decidedAt ?? UNDATED, storedText(id)],
    );
  }
}

function ofReviewed(decision: StoredDecision) {
  return decision.status === REVIEWED ? evidenceOf(decision) : [];
}

// Records that another program has made unreadable. They stay in the log, are listed as faults and counted nowhere. The
// database sees at once what is no JSON (schema.ts); JSON that is no decision is found when all is made anew.

/** On rows `d` of decisions. None in almost every log, so that nothing is asked of each row. */
export function readableConditions(sql: Sql): readonly Fragment[] {
  if (sql.get("SELECT 1 FROM decision_faults WHERE code = ? LIMIT 1", UNREADABLE) === undefined) return [];
  return [fragment("d.id NOT IN (SELECT id FROM decision_faults WHERE code = ?)", UNREADABLE)];
}

/** `id` as it is stored. */
function putAside(sql: Sql, id: string): void {
  for (const statement of puttingAside("?")) sql.run(statement, id);
}

/** Removes what was once made from the record that stood here, which can no longer be asked. */
function removeRemains(sql: Sql, n: number, id: string): void {
  for (const table of ["decision_tags", "decision_claims", "decision_faults", "decision_evidence"]) {
    sql.run(`DELETE FROM ${table} WHERE id = ?`, id);
  }
  sql.run("DELETE FROM decision_words WHERE n = ?", n);
}

// Makes everything anew that is made from records, inside one transaction: the tables themselves, as another version may have
// had them otherwise, and their rows. Records stay as they are.

const BATCH = 500;

export function rebuild(sql: Sql): void {
  for (const table of MADE_FROM_RECORDS) sql.script(`DROP TABLE ${table}; ${TABLES[table]}`);
  forEachRow(sql, (n, row) => {
    const { decision, faults } = readRaw(row);
    if (decision === undefined) return putAside(sql, String(row.id));
    const columns = recordColumns(decision);
    sql.run(`UPDATE decisions SET ${setting(Object.keys(columns))} WHERE n = ?`, ...Object.values(columns), n);
    addSideRows(sql, n, decision, faults);
  });
  // Claims are all there only now, and evidence hangs on them.
  sql.script(`UPDATE decisions SET superseded_by = ${RESOLVED}`);
  forEachRow(sql, (_, row) => {
    const decision = storedDecision(row);
    if (decision !== undefined) addEvidence(sql, decision);
  });
}

function forEachRow(sql: Sql, visit: (n: number, row: SqlRow) => void): void {
  let last = 0;
  for (;;) {
    const rows = sql.all(
      `SELECT d.n, ${RECORD_COLUMNS} FROM decisions AS d WHERE d.n > ? ORDER BY d.n LIMIT ?`,
      last,
      BATCH,
    );
    for (const row of rows) visit(Number(row.n), row);
    const { n } = rows.at(-1) ?? {};
    if (n === undefined) return;
    last = Number(n);
  }
}

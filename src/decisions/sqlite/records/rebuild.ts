// Makes everything anew that is made from records, inside one transaction: the tables themselves, as another version may have
// had them otherwise, and their rows. Records stay as they are.
import type { SqlRow } from "../../../storage/driver.ts";
import type { Sql } from "../../../storage/sqlite/transactions.ts";
import { MADE_FROM_RECORDS, TABLES } from "../schema.ts";
import { putAside } from "../unreadable.ts";
import { markAllCircles } from "./circle-rows.ts";
import { addEvidence } from "./evidence-rows.ts";
import { RESOLVED } from "./put-record.ts";
import { RECORD_COLUMNS, readRaw, storedDecision } from "./read-row.ts";
import { recordColumns } from "./record-columns.ts";
import { addSideRows } from "./side-rows.ts";

const BATCH = 500;

export function rebuild(sql: Sql): void {
  for (const table of MADE_FROM_RECORDS) sql.script(`DROP TABLE ${table}; ${TABLES[table]}`);
  forEachRow(sql, (n, row) => {
    const { decision, faults } = readRaw(row);
    if (decision === undefined) return putAside(sql, String(row.id));
    const columns = recordColumns(decision);
    const set = Object.keys(columns).map((name) => `${name} = ?`);
    sql.run(`UPDATE decisions SET ${set.join(", ")} WHERE n = ?`, ...Object.values(columns), n);
    addSideRows(sql, n, decision, faults);
  });
  // Claims are all there only now, and evidence hangs on them.
  sql.script(`UPDATE decisions SET superseded_by = ${RESOLVED}`);
  markAllCircles(sql);
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

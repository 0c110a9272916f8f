// Records that another program has made unreadable. They stay in the log, are listed as faults and counted nowhere. The
// database sees at once what is no JSON (schema.ts); JSON that is no decision is found when all is made anew.
import type { Sql } from "../../storage/sqlite/transactions.ts";
import { type Fragment, fragment } from "./fragment.ts";
import { puttingAside, UNREADABLE } from "./schema.ts";

/** On rows `d` of decisions. None in almost every log, so that nothing is asked of each row. */
export function readableConditions(sql: Sql): readonly Fragment[] {
  if (sql.get("SELECT 1 FROM decision_faults WHERE code = ? LIMIT 1", UNREADABLE) === undefined) return [];
  return [fragment("d.id NOT IN (SELECT id FROM decision_faults WHERE code = ?)", UNREADABLE)];
}

/** `id` as it is stored. */
export function putAside(sql: Sql, id: string): void {
  for (const statement of puttingAside("?")) sql.run(statement, id);
}

/** Removes what was once made from the record that stood here, which can no longer be asked. */
export function removeRemains(sql: Sql, n: number, id: string): void {
  for (const table of ["decision_tags", "decision_claims", "decision_faults", "decision_evidence"]) {
    sql.run(`DELETE FROM ${table} WHERE id = ?`, id);
  }
  sql.run("DELETE FROM decision_words WHERE n = ?", n);
}

// The rows that a record has in the tables beside it: tags, claims, faults and the text that words are looked for in.
import type { Sql } from "../../../storage/sqlite/transactions.ts";
import type { RecordFault, StoredDecision } from "../../decision.ts";
import { storedText } from "../ordered-text.ts";
import { searchedText } from "./record-columns.ts";

export function addSideRows(sql: Sql, n: number, decision: StoredDecision, faults: readonly RecordFault[]): void {
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
      id,
      code,
      storedText(message),
    );
  }
  sql.run("INSERT OR REPLACE INTO decision_words(n, words) VALUES (?, ?)", n, searchedText(decision));
}

/** `decision` as it was when they were added. */
export function removeSideRows(sql: Sql, n: number, decision: StoredDecision): void {
  const id = storedText(decision.id);
  for (const other of decision.supersedes) {
    sql.run("DELETE FROM decision_claims WHERE superseded = ? AND id = ?", storedText(other), id);
  }
  sql.run("DELETE FROM decision_tags WHERE id = ?", id);
  sql.run("DELETE FROM decision_faults WHERE id = ?", id);
  sql.run("DELETE FROM decision_words WHERE n = ?", n);
}

// The rows of a decision's evidence: only of reviewed ones, which alone are counted. A row says what the decision does for
// or against the wording, so that counting is adding up.
import type { Sql } from "../../../storage/sqlite/transactions.ts";
import { REVIEWED, type StoredDecision } from "../../decision.ts";
import { evidenceOf } from "../../evidence/evidence.ts";
import { storedText } from "../ordered-text.ts";
import { UNDATED } from "../schema.ts";

/** `decision` as it stands in the log, `supersededBy` resolved. */
export function addEvidence(sql: Sql, decision: StoredDecision): void {
  const { id, category, agent, decidedAt, reviewedAt, outcome, supersededBy } = decision;
  const isFailure = outcome === "failure";
  for (const { key, text, isPattern, isReason, isFailureMode } of ofReviewed(decision)) {
    sql.run(
      `INSERT INTO decision_evidence
         (category, key, decided_at, id, reviewed_at, agent, confirms, contradicts, fails, text)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      storedText(category),
      storedText(key),
      decidedAt ?? UNDATED,
      storedText(id),
      reviewedAt ?? null,
      storedText(agent),
      Number(outcome === "success" && supersededBy === undefined),
      Number(isFailure && (isPattern || isReason)),
      Number(isFailure && isFailureMode),
      storedText(text),
    );
  }
}

/** `decision` as it was when its evidence was added. */
export function removeEvidence(sql: Sql, decision: StoredDecision): void {
  const { id, category, decidedAt } = decision;
  for (const { key } of ofReviewed(decision)) {
    sql.run(
      "DELETE FROM decision_evidence WHERE category = ? AND key = ? AND decided_at = ? AND id = ?",
      storedText(category),
      storedText(key),
      decidedAt ?? UNDATED,
      storedText(id),
    );
  }
}

function ofReviewed(decision: StoredDecision) {
  return decision.status === REVIEWED ? evidenceOf(decision) : [];
}

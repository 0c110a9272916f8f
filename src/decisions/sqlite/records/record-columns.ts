// What the columns beside a record hold, so that levels, pages and counts need not read it.
import type { SqlValue } from "../../../storage/driver.ts";
import { REVIEWED, type StoredDecision } from "../../decision.ts";
import { confidenceRange } from "../../levels/confidence-range.ts";
import { SEPARATOR, storedText } from "../ordered-text.ts";

export type Columns = Readonly<Record<string, SqlValue>>;

/** All but `n`, `raw` and `superseded_by`, which hangs on other records as well. */
export function recordColumns(decision: StoredDecision): Columns {
  const { id, decidedAt, reviewedAt, category, agent, status, stakes, outcome, confidence, supersededBy } = decision;
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
    ...confidenceColumns(decision),
    named_successor: textOrNull(supersededBy),
    hash: decision.hash,
  };
}

function confidenceColumns(decision: StoredDecision): Columns {
  const range = confidenceRange(decision);
  return { least_confidence: range?.least ?? null, confidence_spread: range?.spread ?? null };
}

/** All that words are looked for in, in lower case. */
export function searchedText(decision: StoredDecision): string {
  const { text, context, pattern, lessons, actualResult, reasons, tags } = decision;
  return [text, context, pattern, lessons, actualResult, ...reasons.map((reason) => reason.text), ...tags]
    .flatMap((field) => (field === undefined ? [] : storedText(field.toLowerCase())))
    .join(SEPARATOR);
}

function textOrNull(text: string | undefined): string | null {
  return text === undefined ? null : storedText(text);
}

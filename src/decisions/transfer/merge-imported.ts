// What becomes of a record that the log has already: the file's content comes in, and what was decided in the log itself
// (its mark, its review) stays.

import type { RawDecision } from "../decision.ts";
import { REVIEWED } from "../decision.ts";
import { canonicalJson } from "../reading/canonical-json.ts";

const OF_REVIEWS = [
  "outcome",
  "actual_result",
  "lessons",
  "reviewed_at",
  "reviewed_by",
  "review_notes",
  "affected_kpis",
] as const;

/** Undefined where nothing would change. */
export function mergeImported(known: RawDecision, imported: RawDecision): RawDecision | undefined {
  const merged: RawDecision = {
    ...imported,
    ...(keepsReview(known, imported) ? reviewOf(known, imported) : {}),
    ...("preserve" in known ? { preserve: known.preserve } : {}),
  };
  return canonicalJson(merged) === canonicalJson(known) ? undefined : merged;
}

/** A review in the log outlives a file that has none. An issue that was opened again says so itself. */
function keepsReview(known: RawDecision, imported: RawDecision): boolean {
  const isReviewed = known.status === REVIEWED && imported.status !== REVIEWED;
  return (
    isReviewed && known.issue_status === imported.issue_status && isAbsent(imported.outcome) && !isAbsent(known.outcome)
  );
}

function reviewOf(known: RawDecision, imported: RawDecision): RawDecision {
  const kept = OF_REVIEWS.filter((key) => isAbsent(imported[key]) && !isAbsent(known[key]));
  return { status: known.status, ...Object.fromEntries(kept.map((key) => [key, known[key]])) };
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

// Whether a decision is what a filter asks for. Words are looked for as they stand, in any of the fields, without case.
import type { RawDecision, StoredDecision } from "../decision.ts";
import { REVIEWED } from "../decision.ts";
import type { DecisionFilter, ReviewedQuery } from "../decision-log.ts";
import { levelByAge } from "../levels/level.ts";
import { policyFor } from "../levels/policy.ts";

/** By the record, which is the same object however often its supersession is resolved. */
const made = new WeakMap<RawDecision, readonly string[]>();

export function matches(decision: StoredDecision, { category, agent, status, words = [] }: DecisionFilter): boolean {
  return (
    (category === undefined || decision.category === category) &&
    (agent === undefined || decision.agent === agent) &&
    (status === undefined || decision.status === status) &&
    words.every((word) => holds(decision, word.toLowerCase()))
  );
}

/** Reviewed and, with a view, of an age that is wisdom's. */
export function isReviewed(decision: StoredDecision, { filter, view }: ReviewedQuery): boolean {
  if (decision.status !== REVIEWED || !matches(decision, filter)) return false;
  return view === undefined || levelByAge(policyFor(view.policies, decision), decision, view.now) === "wisdom";
}

function holds(decision: StoredDecision, word: string): boolean {
  return fieldsOf(decision).some((field) => field.includes(word));
}

function fieldsOf(decision: StoredDecision): readonly string[] {
  const known = made.get(decision.raw);
  if (known !== undefined) return known;
  const { text, context, pattern, lessons, actualResult, reasons, tags } = decision;
  const fields = [text, context, pattern, lessons, actualResult, ...reasons.map((reason) => reason.text), ...tags];
  const lower = fields.flatMap((field) => field?.toLowerCase() ?? []);
  made.set(decision.raw, lower);
  return lower;
}

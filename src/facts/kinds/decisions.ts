// Decisions: first, empty version.
import type { FactMessage } from "../fact-message.ts";
import type { DecisionFact } from "../ledger.ts";

export function extractDecisions(_messages: readonly FactMessage[]): readonly DecisionFact[] {
  return [];
}

export function mergeDecisions(
  earlier: readonly DecisionFact[],
  later: readonly DecisionFact[],
): readonly DecisionFact[] {
  return [...earlier, ...later];
}

// Plans: first, empty version.
import type { FactMessage } from "../fact-message.ts";
import type { PlanFact } from "../ledger.ts";

export function extractPlans(_messages: readonly FactMessage[]): readonly PlanFact[] {
  return [];
}

export function mergePlans(earlier: readonly PlanFact[], later: readonly PlanFact[]): readonly PlanFact[] {
  return [...earlier, ...later];
}

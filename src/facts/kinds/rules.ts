// Rules: first, empty version.
import type { FactMessage } from "../fact-message.ts";
import type { RuleFact } from "../ledger.ts";

export function extractRules(_messages: readonly FactMessage[]): readonly RuleFact[] {
  return [];
}

export function mergeRules(earlier: readonly RuleFact[], later: readonly RuleFact[]): readonly RuleFact[] {
  return [...earlier, ...later];
}

// Values: first, empty version.
import type { FactMessage } from "../fact-message.ts";
import type { ValueFact } from "../ledger.ts";

export function extractValues(_messages: readonly FactMessage[]): readonly ValueFact[] {
  return [];
}

export function mergeValues(earlier: readonly ValueFact[], later: readonly ValueFact[]): readonly ValueFact[] {
  return [...earlier, ...later];
}

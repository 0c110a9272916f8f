// Responses: first, empty version.
import type { FactMessage } from "../fact-message.ts";
import type { ResponseFact } from "../ledger.ts";

export function extractResponses(_messages: readonly FactMessage[]): readonly ResponseFact[] {
  return [];
}

export function mergeResponses(
  earlier: readonly ResponseFact[],
  later: readonly ResponseFact[],
): readonly ResponseFact[] {
  return [...earlier, ...later];
}

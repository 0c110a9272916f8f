// Errors: first, empty version.
import type { FactMessage } from "../fact-message.ts";
import type { CommandFact, ErrorFact } from "../ledger.ts";

export function extractErrors(_messages: readonly FactMessage[]): readonly ErrorFact[] {
  return [];
}

export function mergeErrors(
  earlier: readonly ErrorFact[],
  later: readonly ErrorFact[],
  _commands: readonly CommandFact[],
): readonly ErrorFact[] {
  return [...earlier, ...later];
}

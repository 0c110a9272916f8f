// Commands: first, empty version.
import type { FactMessage } from "../fact-message.ts";
import type { CommandFact } from "../ledger.ts";

export function extractCommands(_messages: readonly FactMessage[]): readonly CommandFact[] {
  return [];
}

export function mergeCommands(earlier: readonly CommandFact[], later: readonly CommandFact[]): readonly CommandFact[] {
  return [...earlier, ...later];
}

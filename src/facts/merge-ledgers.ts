// Carries a ledger over a round: what was known, plus what the newly removed messages add. Order of arrival is
// kept; mentions add up; a file that was written stays written.
import { recordFile } from "./extract-facts.ts";
import type { FileFact, IdentifierFact, Ledger } from "./ledger.ts";

export function mergeLedgers(earlier: Ledger, later: Ledger): Ledger {
  const files = new Map<string, FileFact>();
  for (const fact of [...earlier.files, ...later.files]) recordFile(files, fact);
  const identifiers = new Map<string, IdentifierFact>();
  for (const fact of [...earlier.identifiers, ...later.identifiers]) {
    const mentions = (identifiers.get(fact.value)?.mentions ?? 0) + fact.mentions;
    identifiers.set(fact.value, { ...fact, mentions });
  }
  return {
    version: 1,
    userMessages: [...earlier.userMessages, ...later.userMessages],
    files: [...files.values()],
    identifiers: [...identifiers.values()],
    statements: [...earlier.statements, ...later.statements],
  };
}

/** Facts by kind, as reports show them. */
export function countFacts(ledger: Ledger): Readonly<Record<string, number>> {
  return {
    user_message: ledger.userMessages.length,
    file: ledger.files.length,
    identifier: ledger.identifiers.length,
    statement: ledger.statements.length,
  };
}

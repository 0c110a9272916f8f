// How many facts of each kind a ledger holds. Apart from what finds and merges them, so that a report can be read without.
import type { Ledger } from "./ledger.ts";

/** Facts by kind, as reports show them; kinds without any are left out. */
export function countFacts(ledger: Ledger): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const facts of Object.values(ledger)) {
    if (typeof facts === "number") continue;
    const list: readonly { readonly kind: string }[] = facts;
    for (const { kind } of list) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

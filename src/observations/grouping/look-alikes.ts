// Finds stale rows that look nearly alike and are different facts: they are left alone, and named, so that a person can
// see what was not merged and why.
import { findNearDuplicates } from "../../similarity/near-duplicates.ts";
import { differenceOf } from "../../similarity/same-fact.ts";
import type { StaleNote } from "./stale-notes.ts";

export interface LookAlikes {
  readonly count: number;
  /** At most 20. `differ_in` is the gravest difference. */
  readonly pairs: readonly { readonly ids: readonly number[]; readonly differ_in: string }[];
}

const MOST_SHOWN = 20;

/** Pairs of one project, scope and namespace. */
export function findLookAlikes(notes: readonly StaleNote[], texts: ReadonlyMap<number, string>): LookAlikes {
  const compared = notes.filter(({ id }) => texts.has(id));
  const pairs: { ids: readonly number[]; differ_in: string }[] = [];
  let count = 0;
  const textOf = (note: StaleNote) => texts.get(note.id) ?? "";
  for (const { first, second } of findNearDuplicates(compared.map(textOf))) {
    const [a, b] = [compared[first], compared[second]];
    if (a === undefined || b === undefined || a.place !== b.place || a.factHash === b.factHash) continue;
    count += 1;
    if (pairs.length < MOST_SHOWN)
      pairs.push({ ids: [a.id, b.id], differ_in: differenceOf(textOf(a), textOf(b)) ?? "wording" });
  }
  return { count, pairs };
}

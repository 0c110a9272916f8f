// Which groups of wordings the log has to be asked about: those that may be among the five that are told. A decision that
// holds several wordings of a group is counted once by the log alone; until it is asked, a group has a least and a most.
import type { WordingCounts } from "../decision-log.ts";
import { isPrinciple, MOST_TOLD } from "./choose.ts";
import type { WeighedCounts } from "./merge-wordings.ts";

/** Where very many count the same, so many of them are looked at closely. */
const MOST_CANDIDATES = 30;

interface Bounded<Item> {
  readonly group: readonly Item[];
  readonly least: WordingCounts;
  readonly most: WordingCounts;
}

export function candidatesOf<Item extends WeighedCounts>(
  groups: readonly (readonly Item[])[],
): readonly (readonly Item[])[] {
  const bounded = groups.flatMap(boundsOf);
  const principles = leading(
    bounded.filter(mayBePrinciple),
    (item) => (mustBePrinciple(item) ? item.least.confirmations : 0),
    ({ most }) => most.confirmations,
  );
  const failures = leading(
    bounded.filter((item) => item.most.failures > 0 && !mustBePrinciple(item)),
    (item) => (mayBePrinciple(item) ? 0 : item.least.failures),
    // By share where the number is the same: it is one at most.
    ({ most }) => most.failures + most.failures / most.decisions / 2,
  );
  return [...new Set([...principles, ...failures].map(({ group }) => group))];
}

function mayBePrinciple({ least, most }: Bounded<unknown>): boolean {
  return isPrinciple({ confirmations: most.confirmations, contradictions: least.contradictions });
}

function mustBePrinciple({ least, most }: Bounded<unknown>): boolean {
  return isPrinciple({ confirmations: least.confirmations, contradictions: most.contradictions });
}

/** None that is left out has a most below the fifth of the leasts. */
function leading<Item>(
  items: readonly Item[],
  leastOf: (item: Item) => number,
  mostOf: (item: Item) => number,
): readonly Item[] {
  const floor = items.map(leastOf).sort((a, b) => b - a)[MOST_TOLD - 1] ?? 0;
  return items
    .filter((item) => mostOf(item) >= floor)
    .sort((a, b) => mostOf(b) - mostOf(a))
    .slice(0, MOST_CANDIDATES);
}

function boundsOf<Item extends WordingCounts>(group: readonly Item[]): readonly Bounded<Item>[] {
  const [first, ...rest] = group;
  if (first === undefined) return [];
  if (rest.length === 0) return [{ group, least: first, most: first }];
  const joined = (join: (a: number, b: number) => number) =>
    group.reduce<WordingCounts>((sum, counts) => joinCounts(sum, counts, join), NONE);
  return [{ group, least: joined(Math.max), most: joined((a, b) => a + b) }];
}

const NONE: WordingCounts = { confirmations: 0, contradictions: 0, failures: 0, decisions: 0 };

export function joinCounts(a: WordingCounts, b: WordingCounts, join: (a: number, b: number) => number): WordingCounts {
  return {
    confirmations: join(a.confirmations, b.confirmations),
    contradictions: join(a.contradictions, b.contradictions),
    failures: join(a.failures, b.failures),
    decisions: join(a.decisions, b.decisions),
  };
}

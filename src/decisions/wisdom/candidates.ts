// Which groups of wordings the log has to be asked about: those that may be among the five that are told. A decision that
// holds several wordings of a group is counted once by the log alone; until it is asked, a group has a least and a most.
// Asking costs a walk over all decisions of the group, so the likeliest are asked first, and the rest only if they can be more.
import type { WordingCounts, WordingGroup } from "../decision-log.ts";
import { failureScore, isPrinciple, MOST_TOLD } from "./choose.ts";
import type { WeighedCounts } from "./merge-wordings.ts";

/** Where very many count the same, so many of them are looked at closely. */
const MOST_CANDIDATES = 30;

interface Bounded<Item> {
  readonly group: readonly Item[];
  readonly least: WordingCounts;
  readonly most: WordingCounts;
}

/** Those that may be told of one kind, the likeliest first. */
interface Contest<Item> {
  readonly items: readonly Bounded<Item>[];
  readonly mostOf: (item: Bounded<Item>) => number;
  /** Undefined for what turned out to be of the other kind. */
  readonly scoreOf: (counts: WordingCounts) => number | undefined;
}

/** What the log says of these groups, in their order. */
export type AskLog<Item> = (groups: readonly (readonly Item[])[]) => Promise<readonly WordingGroup[]>;

/** Counted groups, in no order; among them all that are to be told. */
export async function leadingGroups<Item extends WeighedCounts>(
  groups: readonly (readonly Item[])[],
  ask: AskLog<Item>,
  kinds: { readonly withFailures: boolean },
): Promise<ReadonlyMap<readonly Item[], WordingGroup>> {
  const bounded = groups.flatMap(boundsOf);
  const contests = [principleContest(bounded), ...(kinds.withFailures ? [failureContest(bounded)] : [])];
  const counted = new Map<readonly Item[], WordingGroup>();
  for (;;) {
    const next = [...new Set(contests.flatMap((contest) => nextOf(contest, counted)))];
    if (next.length === 0) return counted;
    for (const [at, answer] of (await ask(next)).entries()) {
      const group = next[at];
      if (group !== undefined) counted.set(group, answer);
    }
  }
}

/** The next few that may still be more than the fifth of those that are counted. */
function nextOf<Item>(
  { items, mostOf, scoreOf }: Contest<Item>,
  counted: ReadonlyMap<readonly Item[], WordingGroup>,
): readonly (readonly Item[])[] {
  const floor = fifthOf([...counted.values()].flatMap((group) => scoreOf(group) ?? []));
  return items
    .filter((item) => !counted.has(item.group) && mostOf(item) >= floor)
    .slice(0, MOST_TOLD)
    .map(({ group }) => group);
}

function principleContest<Item>(bounded: readonly Bounded<Item>[]): Contest<Item> {
  const mostOf = ({ most }: Bounded<Item>) => most.confirmations;
  const items = leading(
    bounded.filter(mayBePrinciple),
    (item) => (mustBePrinciple(item) ? item.least.confirmations : 0),
    mostOf,
  );
  return { items, mostOf, scoreOf: (counts) => (isPrinciple(counts) ? counts.confirmations : undefined) };
}

function failureContest<Item>(bounded: readonly Bounded<Item>[]): Contest<Item> {
  const mostOf = ({ least, most }: Bounded<Item>) => failureScore(most.failures, least.decisions);
  const items = leading(
    bounded.filter((item) => item.most.failures > 0 && !mustBePrinciple(item)),
    (item) => (mayBePrinciple(item) ? 0 : item.least.failures),
    mostOf,
  );
  const scoreOf = (counts: WordingCounts) =>
    counts.failures === 0 || isPrinciple(counts) ? undefined : failureScore(counts.failures, counts.decisions);
  return { items, mostOf, scoreOf };
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
  const floor = fifthOf(items.map(leastOf));
  return items
    .filter((item) => mostOf(item) >= floor)
    .sort((a, b) => mostOf(b) - mostOf(a))
    .slice(0, MOST_CANDIDATES);
}

function fifthOf(scores: readonly number[]): number {
  return [...scores].sort((a, b) => b - a)[MOST_TOLD - 1] ?? 0;
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

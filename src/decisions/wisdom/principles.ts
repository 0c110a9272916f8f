// What makes a principle and what a way to fail, and which of them are served: the five that count for most.
import { flat } from "../../text/quote.ts";
import { compareTexts } from "../../text/words.ts";
import { joinCounts, NO_COUNTS, type WordingCounts, type WordingGroup } from "../decision-log.ts";
import { NO_RANK } from "../evidence.ts";
import type { WeighedCounts } from "./merge-wordings.ts";
import type { FailureMode, Principle } from "./wisdom.ts";

const MOST_PRINCIPLES = 5;
const LEAST_CONFIRMATIONS = 2;

/** Best first. */
export function leadingPrinciples<Group extends WordingGroup>(groups: readonly Group[]): readonly Group[] {
  return groups.filter(isPrinciple).sort(byWorth).slice(0, MOST_PRINCIPLES);
}

/** Patterns and decisions that failed, but for those that are principles; worst first. */
export function leadingFailures<Group extends WordingGroup>(groups: readonly Group[]): readonly Group[] {
  const modes = groups.filter((group) => group.failures > 0 && !isPrinciple(group));
  return modes
    .sort(
      (a, b) =>
        failureScore(b.failures, b.decisions) - failureScore(a.failures, a.decisions) || compareTexts(a.text, b.text),
    )
    .slice(0, MOST_PRINCIPLES);
}

/** What it taught is in the records of those that failed. */
export function failureModeOf({ text, failures, decisions, failingIds }: WordingGroup): Omit<FailureMode, "learned"> {
  return { text: flat(text), failures, decisions, failingIds };
}

/** More failures are more; where they are the same, the greater share of failures is. */
function failureScore(failures: number, decisions: number): number {
  // Less than the next whole number, so the share never outweighs a failure.
  return failures + Math.min(1, failures / decisions) / 2;
}

export function principleOf({ text, ...group }: WordingGroup): Principle {
  const { confirmations, contradictions, confirmingIds, contradictingIds } = group;
  return { text: flat(text), confirmations, contradictions, confirmingIds, contradictingIds };
}

function isPrinciple({
  confirmations,
  contradictions,
}: Pick<WordingCounts, "confirmations" | "contradictions">): boolean {
  return confirmations >= LEAST_CONFIRMATIONS && contradictions <= confirmations;
}

/** Patterns, then lessons, then reasons; of each those with most confirmations. */
function byWorth(a: WordingGroup, b: WordingGroup): number {
  return worthOf(b) - worthOf(a) || compareTexts(a.text, b.text);
}

/** No number of confirmations outweighs a rank. */
function worthOf({ rank, confirmations }: WordingCounts): number {
  return (NO_RANK - rank) * 1e12 + confirmations;
}

// Which groups of wordings the log has to be asked about: those that may be among the five that are served. A decision that
// has several wordings of a group is counted once by the log alone; until it is asked, a group's counts have bounds. Asking
// costs a walk over all decisions of the group, so groups whose upper bound is below the lower bounds of five others are left out.

/** Where very many count the same, so many of them are looked at closely. */
const MOST_CANDIDATES = 30;

interface Bounded<Item> {
  readonly group: readonly Item[];
  readonly least: WordingCounts;
  readonly most: WordingCounts;
}

/** What the log says of these groups, in their order. */
type AskLog<Item> = (groups: readonly (readonly Item[])[]) => Promise<readonly WordingGroup[]>;

/** Counted groups, in no order; among them all that are to be served. */
export async function leadingGroups<Item extends WeighedCounts>(
  groups: readonly (readonly Item[])[],
  ask: AskLog<Item>,
  { withFailures }: { readonly withFailures: boolean },
): Promise<ReadonlyMap<readonly Item[], WordingGroup>> {
  const bounded = groups.map(boundsOf);
  const candidates = [...principleCandidates(bounded), ...(withFailures ? failureCandidates(bounded) : [])];
  const wanted = [...new Set(candidates.map(({ group }) => group))];
  const answers = wanted.length === 0 ? [] : await ask(wanted);
  return new Map(answers.flatMap((answer, at) => (wanted[at] === undefined ? [] : [[wanted[at], answer]])));
}

function principleCandidates<Item>(bounded: readonly Bounded<Item>[]): readonly Bounded<Item>[] {
  return leading(
    bounded.filter(mayBePrinciple),
    (item) => (mustBePrinciple(item) ? worthOf(item.least) : 0),
    ({ most }) => worthOf(most),
  );
}

function failureCandidates<Item>(bounded: readonly Bounded<Item>[]): readonly Bounded<Item>[] {
  return leading(
    bounded.filter((item) => item.most.failures > 0 && !mustBePrinciple(item)),
    (item) => (mayBePrinciple(item) ? 0 : item.least.failures),
    ({ least, most }) => failureScore(most.failures, least.decisions),
  );
}

function mayBePrinciple({ least, most }: Bounded<unknown>): boolean {
  return isPrinciple({ confirmations: most.confirmations, contradictions: least.contradictions });
}

function mustBePrinciple({ least, most }: Bounded<unknown>): boolean {
  return isPrinciple({ confirmations: least.confirmations, contradictions: most.contradictions });
}

/** Those whose upper bound is not below the fifth of the lower bounds, the likeliest first. */
function leading<Item>(
  items: readonly Bounded<Item>[],
  leastOf: (item: Bounded<Item>) => number,
  mostOf: (item: Bounded<Item>) => number,
): readonly Bounded<Item>[] {
  const floor = items.map(leastOf).sort((a, b) => b - a)[MOST_PRINCIPLES - 1] ?? 0;
  return items
    .filter((item) => mostOf(item) >= floor)
    .sort((a, b) => mostOf(b) - mostOf(a))
    .slice(0, MOST_CANDIDATES);
}

function boundsOf<Item extends WordingCounts>(group: readonly Item[]): Bounded<Item> {
  const joined = (join: (a: number, b: number) => number) =>
    group.reduce<WordingCounts>((sum, counts) => joinCounts(sum, counts, join), NO_COUNTS);
  return { group, least: joined(Math.max), most: joined((a, b) => a + b) };
}

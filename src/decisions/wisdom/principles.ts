// What makes a principle and what a way to fail, which of them are served (the five that count for most), and which wordings
// are one.
import { cueOf } from "../../similarity/cue-words.ts";
import { flat } from "../../text/quote.ts";
import { compareTexts } from "../../text/words.ts";
import { joinCounts, NO_COUNTS, type WordingCounts, type WordingGroup } from "../decision-log.ts";
import type { FailureMode, Principle } from "./wisdom.ts";

export const MOST_PRINCIPLES = 5;
const LEAST_CONFIRMATIONS = 2;

export function principlesOf(groups: readonly WordingGroup[]): readonly Principle[] {
  return groups.filter(isPrinciple).sort(byConfirmations).slice(0, MOST_PRINCIPLES).map(principleOf);
}

/** Wordings of decisions that failed, but for those that are principles. */
export function failureModesOf(groups: readonly WordingGroup[]): readonly FailureMode[] {
  const modes = groups.filter((group) => group.failures > 0 && !isPrinciple(group));
  return modes
    .sort(
      (a, b) =>
        failureScore(b.failures, b.decisions) - failureScore(a.failures, a.decisions) || compareTexts(a.text, b.text),
    )
    .slice(0, MOST_PRINCIPLES)
    .map(({ text, failures, decisions, failingIds }) => ({ text: flat(text), failures, decisions, failingIds }));
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

export function isPrinciple({
  confirmations,
  contradictions,
}: Pick<WordingCounts, "confirmations" | "contradictions">): boolean {
  return confirmations >= LEAST_CONFIRMATIONS && contradictions <= confirmations;
}

export function byConfirmations(a: WordingGroup, b: WordingGroup): number {
  return b.confirmations - a.confirmations || compareTexts(a.text, b.text);
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
    (item) => (mustBePrinciple(item) ? item.least.confirmations : 0),
    ({ most }) => most.confirmations,
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

// Which wordings beyond one key are one principle: those that differ by added words which say nothing of their own ("prevents
// duplicate work" and "reliably prevents costly duplicate work"). Any other word may be what a fact turns on: a name nobody
// has a list of, an "if", a "skip". Two wordings too many cost a confirmation, one too few tells something untrue.

export interface WeighedCounts extends WordingCounts {
  readonly key: string;
  /** What `weightOf` says of the key. */
  readonly weight: string;
}

/** The longer of two wordings may add a quarter to the shorter: four words of five are shared. */
const [SHARED, OF] = [4, 5];
/** In the form that keys have them. */
const EMPTY_WORDS = new Set(
  `be is are was were been being do does did it this that these those its their our your own so thus then therefore as of for with by
  and even still far much well again here there us everyone everybody early carefully properly thoroughly considerably greatly
  significantly substantially clearly obviously quickly effectively reliably consistently repeatedly easily definitely
  certainly strongly noticeably dramatically massively overall whole entire costly expensive wasteful needless unnecessary
  painful nasty annoying subtle effort engineering codebase project practice approach step process thing way`
    .split(/\s+/u)
    .filter((word) => cueOf(word) === undefined),
);

/** The words of a key that say something, in their order. Only wordings of one weight may be merged. */
export function weightOf(key: string): string {
  const words = key.split(" ");
  return words.some(isPadding) ? words.filter((word) => !isPadding(word)).join(" ") : key;
}

function isPadding(word: string): boolean {
  return EMPTY_WORDS.has(word);
}

/**
 * Groups, the representative of each first: of its wordings the one with most confirmations, then decisions, then by key.
 * Each wording is held against representatives alone, so a chain of small steps leads nowhere. Whatever order they come in,
 * the groups are the same. Linear but for wordings of one weight.
 */
export function mergeWordings<Item extends WeighedCounts>(wordings: readonly Item[]): readonly (readonly Item[])[] {
  const byWeight = new Map<string, Group<Item>[]>();
  const groups: Item[][] = [];
  for (const wording of [...wordings].sort(byConfirmedFirst)) {
    const { key, weight } = wording;
    const known = byWeight.get(weight);
    const near = known === undefined || weight === "" ? undefined : nearest(known, key.split(" "));
    if (near !== undefined) near.members.push(wording);
    else {
      const members = [wording];
      groups.push(members);
      byWeight.set(weight, known ?? []);
      byWeight.get(weight)?.push({ key, members });
    }
  }
  return groups;
}

interface Group<Item> {
  /** Of its representative. */
  readonly key: string;
  /** Of the key, once somebody has asked: most have no other of their weight. */
  words?: readonly string[];
  readonly members: Item[];
}

function nearest<Item>(groups: readonly Group<Item>[], words: readonly string[]): Group<Item> | undefined {
  return groups.find((group) => {
    group.words ??= group.key.split(" ");
    return areNear(group.words, words);
  });
}

export function keysOf(group: readonly WeighedCounts[]): readonly string[] {
  return group.map(({ key }) => key);
}

/** Does one hold the other's words in their order, and little else? What else it holds is padding: their weight is equal. */
function areNear(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length * OF < long.length * SHARED) return false;
  let found = 0;
  for (const word of long) if (word === short[found]) found += 1;
  return found === short.length;
}

function byConfirmedFirst(a: WeighedCounts, b: WeighedCounts): number {
  return b.confirmations - a.confirmations || b.decisions - a.decisions || compareTexts(a.key, b.key);
}

// What makes a principle and what a way to fail, which of them are served (the five that count for most), and which wordings
// are one.
import { cueOf } from "../../similarity/cue-words.ts";
import { flat } from "../../text/quote.ts";
import { compareTexts } from "../../text/words.ts";
import type { WordingCounts, WordingGroup } from "../decision-log.ts";
import type { FailureMode, Principle } from "./wisdom.ts";

export const MOST_PRINCIPLES = 5;
const LEAST_CONFIRMATIONS = 2;

export function principlesOf(groups: readonly WordingGroup[]): readonly Principle[] {
  return groups.filter(isPrinciple).sort(byConfirmations).slice(0, MOST_PRINCIPLES).map(principleOf);
}

/** Only what has failed; a principle is none, however often it was there when something failed. */
export function failureModesOf(groups: readonly WordingGroup[]): readonly FailureMode[] {
  const modes = groups.filter((group) => group.failures > 0 && !isPrinciple(group));
  return modes
    .sort((a, b) => scoreOf(b) - scoreOf(a) || compareTexts(a.text, b.text))
    .slice(0, MOST_PRINCIPLES)
    .map(({ text, failures, decisions, failingIds }) => ({ text: flat(text), failures, decisions, failingIds }));
}

function scoreOf({ failures, decisions }: WordingCounts): number {
  return failureScore(failures, decisions);
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

// Which groups of wordings the log has to be asked about: those that may be among the five that are told. A decision that
// holds several wordings of a group is counted once by the log alone; until it is asked, a group has a least and a most.
// Asking costs a walk over all decisions of the group, so the likeliest are asked first, and the rest only if they can be more.

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
type AskLog<Item> = (groups: readonly (readonly Item[])[]) => Promise<readonly WordingGroup[]>;

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
  const floor = fifthScore([...counted.values()].flatMap((group) => scoreOf(group) ?? []));
  return items
    .filter((item) => !counted.has(item.group) && mostOf(item) >= floor)
    .slice(0, MOST_PRINCIPLES)
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
  const floor = fifthScore(items.map(leastOf));
  return items
    .filter((item) => mostOf(item) >= floor)
    .sort((a, b) => mostOf(b) - mostOf(a))
    .slice(0, MOST_CANDIDATES);
}

function fifthScore(scores: readonly number[]): number {
  return [...scores].sort((a, b) => b - a)[MOST_PRINCIPLES - 1] ?? 0;
}

function boundsOf<Item extends WordingCounts>(group: readonly Item[]): readonly Bounded<Item>[] {
  const [first, ...rest] = group;
  if (first === undefined) return [];
  if (rest.length === 0) return [{ group, least: first, most: first }];
  const joined = (join: (a: number, b: number) => number) =>
    group.reduce<WordingCounts>((sum, counts) => joinCounts(sum, counts, join), NO_COUNTS);
  return [{ group, least: joined(Math.max), most: joined((a, b) => a + b) }];
}

const NO_COUNTS: WordingCounts = { confirmations: 0, contradictions: 0, failures: 0, decisions: 0 };

export function joinCounts(a: WordingCounts, b: WordingCounts, join: (a: number, b: number) => number): WordingCounts {
  return {
    confirmations: join(a.confirmations, b.confirmations),
    contradictions: join(a.contradictions, b.contradictions),
    failures: join(a.failures, b.failures),
    decisions: join(a.decisions, b.decisions),
  };
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
      if (known === undefined) byWeight.set(weight, [{ key, members }]);
      else known.push({ key, members });
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
  return b.confirmations - a.confirmations || b.decisions - a.decisions || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}

// Which wordings beyond one key are one principle: those that are the same once each is put in plain words, but for added
// words which say nothing of their own ("prevents duplicate work" and "reliably avoids costly duplicate work"). Any other
// word may be what a fact turns on: a name nobody has a list of, an "if", a "skip". Two wordings too many cost a
// confirmation, one too few tells something untrue.
import { cueOf } from "../../similarity/cue-words.ts";
import { compareTexts } from "../../text/words.ts";
import type { DecisionReader, WordingCounts } from "../decision-log.ts";
import { plainWords } from "./plain-words.ts";

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

/** The plain words of a key that say something, in their order. Only wordings of one weight may be merged. */
export function weightOf(key: string): string {
  return plainWords(key)
    .filter((word) => !isPadding(word))
    .join(" ");
}

function isPadding(word: string): boolean {
  return EMPTY_WORDS.has(word);
}

/**
 * Groups, the representative of each first: of its wordings the one with most confirmations, then decisions, then by key.
 * Each wording is held against representatives alone, so a chain of small steps leads nowhere. Whatever order they come in,
 * the groups are the same. Linear but for wordings of one weight.
 */
export function mergeWordings<Item extends WeighedCounts>(
  wordings: readonly Item[],
  same: SameWordings = NONE,
): readonly (readonly Item[])[] {
  const byWeight = new Map<string, Group<Item>[]>();
  const groups: Item[][] = [];
  for (const wording of [...wordings].sort(byConfirmedFirst)) {
    const { key, weight } = wording;
    const known = byWeight.get(weight);
    const near = known === undefined || weight === "" ? undefined : nearest(known, plainWords(key));
    if (near !== undefined) near.members.push(wording);
    else {
      const members = [wording];
      groups.push(members);
      byWeight.set(weight, known ?? []);
      byWeight.get(weight)?.push({ key, members });
    }
  }
  return same.size === 0 ? groups : joinConfirmed(groups, same);
}

// Which wordings a model has said to be one, by their keys. Kept beside the records, as they can be asked again.

/** Two keys, and whether they are one principle. */
export type Judged = readonly [string, string, boolean];
export const SAME_WORDINGS = "same_wordings";
/** Under each key, those that are one with it. */
export type SameWordings = ReadonlyMap<string, ReadonlySet<string>>;
const NONE: SameWordings = new Map();

export async function judgedWordings(reader: Pick<DecisionReader, "state">): Promise<readonly Judged[]> {
  return ((await reader.state(SAME_WORDINGS)) ?? []) as readonly Judged[];
}

export async function sameWordings(reader: Pick<DecisionReader, "state">): Promise<SameWordings> {
  const same = new Map<string, Set<string>>();
  for (const [one, other, isSame] of await judgedWordings(reader)) {
    if (!isSame) continue;
    same.set(one, (same.get(one) ?? new Set()).add(other));
    same.set(other, (same.get(other) ?? new Set()).add(one));
  }
  return same;
}

/** Each group is held against representatives alone, as wordings are. */
function joinConfirmed<Item extends WeighedCounts>(groups: readonly Item[][], same: SameWordings): readonly Item[][] {
  const joined: Item[][] = [];
  for (const group of groups) {
    const known = same.get(group[0]?.key ?? "");
    const other = joined.find(([first]) => first !== undefined && known?.has(first.key) === true);
    if (other === undefined) joined.push(group);
    else other.push(...group);
  }
  return joined;
}

interface Group<Item> {
  /** Of its representative. */
  readonly key: string;
  /** Plain ones of the key, once somebody has asked: most have no other of their weight. */
  words?: readonly string[];
  readonly members: Item[];
}

function nearest<Item>(groups: readonly Group<Item>[], words: readonly string[]): Group<Item> | undefined {
  return groups.find((group) => {
    group.words ??= plainWords(group.key);
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

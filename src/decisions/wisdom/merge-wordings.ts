// Which wordings beyond one key are one principle: those that are the same once each is put in plain words, but for added
// words which say nothing of their own ("prevents duplicate work" and "reliably avoids costly duplicate work"). Any other
// word may be what a fact turns on: a name nobody has a list of, an "if", a "skip". Two wordings too many cost a
// confirmation, one too few tells something untrue.
import { cueOf } from "../../similarity/cue-words.ts";
import { flat } from "../../text/quote.ts";
import { compareTexts } from "../../text/words.ts";
import type { DecisionReader, WordingCounts } from "../decision-log.ts";
import { wordingKey } from "../evidence.ts";
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

// Wordings that a log has and that may be what somebody is about to word anew. Only offered, never merged: who writes knows
// whether it is the same principle.

export interface NearWording {
  readonly text: string;
  /** Reviewed decisions that hold it. */
  readonly decisions: number;
}

const MOST_OFFERED = 3;
/** Of each category. */
const MOST_LOOKED_AT = 500;
/** Of the words of the shorter one. */
const LEAST_SHARED = 0.6;
/** Of a word, behind which its forms differ: "optimize", "optimization". */
const STEM = 5;

/** The nearest first; none that wisdom counts together with `text`, or that differs by a number or a negation. */
export async function nearWordings(reader: DecisionReader, text = ""): Promise<readonly NearWording[]> {
  const key = wordingKey(text);
  if (key === "") return [];
  const own = shapeOf(key);
  const near = (await knownGroups(reader))
    .filter((group) => group.every((wording) => wording.key !== key && wording.weight !== weightOf(key)))
    .map((group) => ({ keys: keysOf(group), shared: sharedShare(own, shapeOf(group[0]?.key ?? "")) }))
    .filter(({ shared }) => shared >= LEAST_SHARED)
    .sort((a, b) => b.shared - a.shared || compareTexts(a.keys[0] ?? "", b.keys[0] ?? ""))
    .slice(0, MOST_OFFERED);
  const groups = await reader.groupWordings(
    { filter: {} },
    near.map(({ keys }) => keys),
  );
  return groups.map(({ text: said, decisions }) => ({ text: flat(said), decisions }));
}

async function knownGroups(reader: DecisionReader): Promise<readonly (readonly WeighedCounts[])[]> {
  const same = await sameWordings(reader);
  const wordings = (await reader.wordings({ filter: {} }, MOST_LOOKED_AT)).map((wording) => ({
    ...wording,
    weight: weightOf(wording.key),
  }));
  return mergeWordings([...new Map(wordings.map((wording) => [wording.key, wording])).values()], same);
}

/** Texts of two wordings that may be one principle, by their keys. */
interface DoubtfulPair {
  readonly keys: readonly [string, string];
  readonly texts: readonly [string, string];
}

const MOST_HELD_AGAINST = 200;

/** Pairs of which nobody has said whether they are one, at most `most`; those that most decisions hold first. */
export async function doubtfulPairs(reader: DecisionReader, most: number): Promise<readonly DoubtfulPair[]> {
  const judged = new Set((await judgedWordings(reader)).map(([a, b]) => `${a}\n${b}`));
  const groups = (await knownGroups(reader)).slice(0, MOST_HELD_AGAINST).map(([first]) => first?.key ?? "");
  const shapes = groups.map((key) => ({ key, shape: shapeOf(key) }));
  const pairs = shapes.flatMap((one, at) =>
    shapes
      .slice(at + 1)
      .filter((other) => sharedShare(one.shape, other.shape) >= LEAST_SHARED && !judged.has(`${one.key}\n${other.key}`))
      .map((other) => [one.key, other.key] as const),
  );
  const asked = pairs.slice(0, most);
  const texts = await reader.groupWordings(
    { filter: {} },
    asked.flat().map((key) => [key]),
  );
  return asked.map((keys, at) => ({ keys, texts: [texts[2 * at]?.text ?? "", texts[2 * at + 1]?.text ?? ""] }));
}

/** Could `answer` be what both of these say? */
export function isNearBoth(answer: string, texts: readonly string[]): boolean {
  const own = shapeOf(wordingKey(answer));
  return texts.every((text) => sharedShare(own, shapeOf(wordingKey(text))) >= LEAST_SHARED);
}

interface Shape {
  readonly stems: ReadonlySet<string>;
  /** Numbers and negations, sorted: of rewordings they are the same. */
  readonly turns: string;
}

function shapeOf(key: string): Shape {
  const words = plainWords(key);
  const turns = words.filter((word) => /\d/.test(word) || cueOf(word) === "negation").sort();
  return { stems: new Set(words.map((word) => word.slice(0, STEM))), turns: turns.join(" ") };
}

/** Two words at least. */
function sharedShare(one: Shape, other: Shape): number {
  if (one.turns !== other.turns) return 0;
  const shared = [...one.stems].filter((stem) => other.stems.has(stem)).length;
  return shared < 2 ? 0 : shared / Math.min(one.stems.size, other.stems.size);
}

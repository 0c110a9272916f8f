// Wordings that a log has and that may be what somebody is about to word anew. Only offered, never merged: who writes knows
// whether it is the same principle.
import { cueOf } from "../../similarity/cue-words.ts";
import { flat } from "../../text/quote.ts";
import { compareTexts } from "../../text/words.ts";
import type { DecisionReader } from "../decision-log.ts";
import { wordingKey } from "../evidence.ts";
import { judgedWordings, keysOf, mergeWordings, sameWordings, type WeighedCounts, weightOf } from "./merge-wordings.ts";
import { plainWords } from "./plain-words.ts";

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
export interface DoubtfulPair {
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

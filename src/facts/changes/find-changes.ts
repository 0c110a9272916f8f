// Which value that somebody gave replaces an earlier one, by what both sentences are about: the same shape of value,
// words in common, a cue of change, and no word that makes it another thing. Between several nothing is decided.
import { runThrough, type Stepwise } from "../../tokens/turns/stepwise.ts";
import { normalWords } from "../language/normal-words.ts";
import { contrastOf, SAYS_MOVED } from "./change-cues.ts";
import { readTopics, type Saying, type Topic, type TopicWord } from "./topic.ts";

export interface Change {
  readonly old: Topic;
  readonly oldValue: string;
  readonly now: Topic;
  readonly nowValue: string;
}

/** Only the newest are looked through: a change follows what it changes within a session's memory. */
const MOST_CANDIDATES = 300;
/** Of the words of the shorter sentence, so many are in the other. */
const LEAST_SHARE = 0.5;
/** A person knows their own words; of the assistant's, two must be taken up. */
const LEAST_SHARED = { user: 1, assistant: 2 } as const;
/** From this length on two words with one beginning are one. */
const SHORTEST_BEGINNING = 5;

/** Changes in the order they were said. Sayings from `from` on are new; what earlier ones changed among themselves is known. */
export function findChanges(sayings: readonly Saying[], from = 0): readonly Change[] {
  return runThrough(findChangesStepwise(sayings, from));
}

export function* findChangesStepwise(sayings: readonly Saying[], from = 0): Stepwise<readonly Change[]> {
  const standing: Topic[] = [];
  const changes: Change[] = [];
  for (const [at, saying] of sayings.entries()) {
    for (const topic of yield* readTopics(saying)) {
      const found = enter(topic, standing);
      if (found !== undefined && at >= from) changes.push(found);
    }
    yield;
  }
  return changes;
}

/** Puts a topic among those that stand, in the place of what it replaces. */
function enter(topic: Topic, standing: Topic[]): Change | undefined {
  const found = replacedBy(topic, standing);
  if (found !== undefined) {
    standing.splice(standing.indexOf(found.old), 1);
    standing.push({ ...topic, values: [found.nowValue] });
  } else if (topic.values.length === 1) standing.push(topic);
  if (standing.length > MOST_CANDIDATES) standing.shift();
  return found;
}

/** The one topic that `now` is also about and gives another value. */
function replacedBy(now: Topic, standing: readonly Topic[]): Change | undefined {
  let best: { readonly change: Change; readonly score: number } | undefined;
  let isSingle = true;
  for (const old of standing) {
    // Without a word of change only the very same sentence says it.
    if (old.shape !== now.shape || (!now.isChange && frameOf(old) !== frameOf(now))) continue;
    const change = asChange(old, now);
    const score = change === undefined ? 0 : likeness(old, now);
    if (change === undefined || score === 0) continue;
    if (best === undefined || score > best.score) {
      best = { change, score };
      isSingle = true;
    } else if (score === best.score) isSingle = false;
  }
  return isSingle ? best?.change : undefined;
}

/** Could it be one by its values alone: another value of the same unit, in a later message? */
function asChange(old: Topic, now: Topic): Change | undefined {
  const [oldValue] = old.values;
  if (oldValue === undefined || isSameMessage(old, now)) return undefined;
  if (old.unit !== now.unit && !isUnitLeftOut(old.unit, now.unit)) return undefined;
  if (now.by === "assistant" && (old.by === "assistant" || !SAYS_MOVED.test(now.sentence))) return undefined;
  const others = now.values.filter((value) => comparable(value) !== comparable(oldValue));
  const [nowValue] = others;
  if (nowValue === undefined || others.length !== 1) return undefined;
  return { old, oldValue, now, nowValue };
}

/** "19 times", later only "52"; but what has a price or a share keeps its sign. */
function isUnitLeftOut(old: string | undefined, now: string | undefined): boolean {
  return (old === undefined || now === undefined) && !/^[$€£%]/.test(old ?? now ?? "");
}

function isSameMessage({ source: left }: Topic, { source: right }: Topic): boolean {
  return left.step === right.step && left.message === right.message;
}

/** A unit may be left out the second time. */
function comparable(value: string): string {
  return value.toLowerCase().replace(/^([$€£]?[\d.,_]+) ?\p{L}{1,14}$/u, "$1");
}

/** How much both are about one thing: shared words; 0 where they are not, or may not be. */
function likeness(old: Topic, now: Topic): number {
  const shared = [...now.words.values()].flatMap((word) => {
    const known = findAlike(word.stem, old.words);
    return known === undefined ? [] : [[known, word] as const];
  });
  if (shared.length === 0 || isOther(old, now)) return 0;
  if (shared.some(([known, word]) => isOtherPart(known, word))) return 0;
  if (shared.length < LEAST_SHARED[old.by]) return 0;
  const fewest = Math.min(old.words.size, now.words.size);
  if (shared.length < fewest * LEAST_SHARE) return 0;
  return shared.length + (old.unit !== undefined && old.unit === now.unit ? 0.5 : 0) + (old.by === "user" ? 0.2 : 0);
}

/** Asked for each pair of topics. */
const frames = new WeakMap<Topic, string>();

/** The sentence without its value. */
function frameOf(topic: Topic): string {
  const known = frames.get(topic);
  if (known !== undefined) return known;
  const { sentence, values } = topic;
  const frame = normalWords(sentence.replace(values[0] ?? "", " "));
  frames.set(topic, frame);
  return frame;
}

/** Different kinds of setting, or a word whose opposite stands in the other. */
function isOther(old: Topic, now: Topic): boolean {
  if (old.kinds.size > 0 && now.kinds.size > 0 && ![...now.kinds].some((kind) => old.kinds.has(kind))) return true;
  return [...now.words.keys()].some((word) => {
    const contrast = contrastOf(word);
    if (contrast === undefined || old.words.has(word)) return false;
    return [...old.words.keys()].some((other) => contrastOf(other) === contrast && !now.words.has(other));
  });
}

/** "API gateway" and "API workers" share a word and are two things. */
function isOtherPart(known: TopicWord, word: TopicWord): boolean {
  const differs = (left: string | undefined, right: string | undefined) =>
    left !== undefined && right !== undefined && !isAlike(left, right);
  return differs(known.behind, word.behind) || differs(known.before, word.before);
}

function findAlike(stem: string, words: ReadonlyMap<string, TopicWord>): TopicWord | undefined {
  return words.get(stem) ?? [...words.values()].find((word) => isAlike(word.stem, stem));
}

function isAlike(left: string, right: string): boolean {
  if (left === right) return true;
  if (left.length < SHORTEST_BEGINNING || right.length < SHORTEST_BEGINNING) return false;
  const length = Math.max(SHORTEST_BEGINNING, Math.min(left.length, right.length) - 2);
  return left.slice(0, length) === right.slice(0, length) && Math.abs(left.length - right.length) <= 3;
}

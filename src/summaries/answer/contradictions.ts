// Does a statement say the opposite of what it cites? Compared are the sentences that share most words: what the one denies
// and the other does not, what passes in the one and fails in the other; what the session's own list of tasks says of a step;
// and whether a user agreed.
import { findWords, says, type WordKind } from "../../language/words.ts";
import { oneLine } from "../../text/quote.ts";
import { piecesOf } from "../../text/words.ts";
import { stemOf } from "./claims.ts";
import { normalOf, type SourceText } from "./source-texts.ts";

/** Of what is cited so much is compared, UTF-16 units a message. */
const COMPARED = 12_000;
const MOST_TEXTS = 20;
const LONGEST_SENTENCE = 600;
const QUOTED = 90;
/** Share of a clause's words that a sentence of the source has to share. */
const SAME_SUBJECT = 0.4;
const LEAST_SHARED = 2;
/** Where both deny something, so many words have to be denied in one alone. */
const LEAST_CLEAR = 3;
/** Of sentences that share as much, one denied word is enough. */
const NEAR_COPY = 0.8;
const BETWEEN_STATEMENTS =
  /[;；]\s?|[.!?。！？:：]\s|,\s(?=(?:not|but|so|and|yet|which|it|the)\s)|\s(?:but|and|because)\s/u;
const BETWEEN_CLAUSES = /[,;:()—–\n]|[.!?。！？、，；]\s?|\s-\s|\s(?:but|aber|pero|mais|mas)\s/iu;
/** "X, not Y" denies Y alone, "X is not Y" all of it. */
const DENIES_ONWARDS =
  /(?<!(?:^|\s)(?:is|are|was|were|be|been|do|does|did|has|have|had|can|could|should|would|will|must|may|need))\s(?=(?:not|no|without|instead of|rather than|statt|nicht|ohne|sin|sem|sans)\s)/iu;
/** A call is no sentence. */
const CALL = /^\[calls .*$/gmu;
const SENTENCE_END = /(?<=\p{L}[.!?。！？])\s+/u;

/** What a session's own list of tasks says of a step. */
interface PlanItem {
  readonly text: string;
  readonly status: string;
  /** Whether it already stood so when what is cited was said. */
  readonly isKnownThen: boolean;
}

/** What says otherwise; undefined where nothing does. `texts` in the order in which they count. */
export function contradicting(
  statement: string,
  texts: readonly Pick<SourceText, "text">[],
  plan: readonly PlanItem[] = [],
): string | undefined {
  const sentences = texts.slice(0, MOST_TEXTS).flatMap(sentencesOf);
  const label = labelOf(statement);
  const rest = statement.replace(LABEL, "");
  const found =
    plannedOtherwise(label, rest, plan) ??
    deniedOtherwise(statement, sentences) ??
    otherSide(sideOf(rest, "passes", "fails"), sentences, "passes", "fails");
  return found === undefined ? undefined : oneLine(found, QUOTED);
}

interface Sentence {
  readonly text: string;
  readonly words: Words;
  /** Words of clauses that deny, of those that may stand for a denial, and of those that do neither. */
  readonly denied: ReadonlySet<string>;
  readonly avoided: ReadonlySet<string>;
  readonly asserted: ReadonlySet<string>;
  /** What is denied first: the words behind the denial, or before it where nothing follows. */
  readonly focus: ReadonlySet<string>;
  /** What may stand for a denial. */
  readonly avoids: readonly string[];
}

function sentencesOf({ text }: Pick<SourceText, "text">): readonly Sentence[] {
  const read = text.replace(CALL, "").slice(0, COMPARED);
  return piecesOf(read)
    .flatMap(({ start, end }) => read.slice(start, end).trim().split(SENTENCE_END))
    .filter((said) => said.length > 2 && said.length <= LONGEST_SENTENCE)
    .map(sentenceOf);
}

function sentenceOf(text: string): Sentence {
  const [denied, avoided, asserted, focus] = [
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
  ];
  for (const clause of text.split(BETWEEN_CLAUSES).flatMap((part) => part.split(DENIES_ONWARDS))) {
    const side = says(clause, "denies") ? denied : says(clause, "avoids") ? avoided : asserted;
    for (const word of wordsOf(clause).keys()) side.add(word);
    for (const word of focusOf(clause)) focus.add(word);
  }
  const avoids = findWords(text, "avoids").flatMap(({ start, end }) => [...wordsOf(text.slice(start, end)).keys()]);
  return { text, words: wordsOf(text), denied, avoided, asserted, focus, avoids };
}

const FOCUS = 2;

function focusOf(clause: string): readonly string[] {
  const [first] = findWords(clause, "denies");
  if (first === undefined) return [];
  const behind = [...wordsOf(clause.slice(first.end)).keys()];
  return behind.length > 0 ? behind.slice(0, FOCUS) : [...wordsOf(clause.slice(0, first.start)).keys()].slice(-FOCUS);
}

type Words = ReadonlyMap<string, number>;

/** Beginnings of words, with their weight: a name or a path counts as one word, whatever it is made of. */
function wordsOf(text: string): Words {
  const weights = new Map<string, number>();
  for (const token of text.split(/\s+/u)) {
    const words = normalOf(token)
      .split(" ")
      .filter((word) => word.length > 3 || /^\d+$/u.test(word));
    for (const word of words.map(stemOf)) weights.set(word, Math.max(weights.get(word) ?? 0, 1 / words.length));
  }
  return weights;
}

function sharedOf(left: Words, right: Words): number {
  let shared = 0;
  for (const [word, weight] of left) if (right.has(word)) shared += weight;
  return shared;
}

/** As a whole and in parts: of each, the sentences that share most of its words decide. */
function deniedOtherwise(statement: string, sentences: readonly Sentence[]): string | undefined {
  for (const part of [...statement.split(BETWEEN_STATEMENTS), statement]) {
    const clause = sentenceOf(part);
    const votes = mostShared(clause, sentences).map((sentence) => ({ sentence, vote: voteOf(clause, sentence) }));
    const against = votes.find(({ vote }) => vote === 1);
    if (against !== undefined && !votes.some(({ vote }) => vote === -1)) return against.sentence.text;
  }
  return undefined;
}

/** Sentences that share most of a clause's words. */
function mostShared({ words }: Sentence, sentences: readonly Sentence[]): readonly Sentence[] {
  const shares = sentences.map((sentence) => sharedOf(words, sentence.words));
  const most = shares.reduce((least, share) => Math.max(least, share), 0);
  if (most < LEAST_SHARED || most < sharedOf(words, words) * SAME_SUBJECT) return [];
  return sentences.filter((_, at) => shares[at] === most);
}

/** 1: one denies what the other says; -1: they agree; 0: nobody can tell. */
function voteOf(clause: Sentence, sentence: Sentence): -1 | 0 | 1 {
  if (clause.denied.size === 0 && sentence.denied.size === 0) return -1;
  let against = 0;
  let shared = 0;
  let isFocused = false;
  for (const [word, weight] of clause.words) {
    if (!sentence.words.has(word)) continue;
    shared += weight;
    const [here, there] = [sidesOf(word, clause, sentence), sidesOf(word, sentence, clause)];
    if (here === "denied" && there === "denied") return -1;
    if (here === there || here === "both" || there === "both") continue;
    against += weight;
    isFocused ||= (here === "denied" ? clause : sentence).focus.has(word);
  }
  if (clause.denied.size > 0 && sentence.denied.size > 0 && against < LEAST_CLEAR) return 0;
  const isCopy = against >= 1 && shared >= sharedOf(clause.words, clause.words) * NEAR_COPY;
  const isClear = isCopy || against > 1;
  return isFocused && isClear && !isSupposed(sentence.text) ? 1 : 0;
}

function isSupposed(text: string): boolean {
  return says(text, "supposes") || /[?？]\s*$/u.test(text);
}

/** What both avoid is no denial in either. */
function sidesOf(word: string, { denied, avoided, asserted, avoids }: Sentence, other: Sentence): string {
  if (avoided.has(word) && !avoids.every((avoid) => other.words.has(avoid))) return "both";
  if (!denied.has(word)) return "asserted";
  return asserted.has(word) || avoided.has(word) ? "both" : "denied";
}

const LABEL = /^[\s*_`>[(-]{0,8}([\p{L} -]{3,24}?)[*_`)\]]{0,4}\s{0,3}[:：]/u;
/** A state rests on so many sentences that say so for each that says otherwise. */
const CLEARLY = 3;

function labelOf(statement: string): WordKind | undefined {
  return sideOf(LABEL.exec(statement)?.[1] ?? "", "done", "open");
}

/** Share of a task's words, or of the statement's where it has fewer. */
const SAME_STEP = 0.5;

/** The task that shares most of its words with a labelled step; what was done later may be told as open before. */
function plannedOtherwise(claimed: WordKind | undefined, rest: string, plan: readonly PlanItem[]): string | undefined {
  if (claimed === undefined) return undefined;
  const about = wordsOf(rest);
  const shares = plan.map(({ text }) => {
    const words = wordsOf(text);
    const shared = sharedOf(about, words);
    return shared < LEAST_SHARED ? 0 : shared / Math.min(sharedOf(words, words), sharedOf(about, about));
  });
  const most = Math.max(...shares);
  const item = plan[shares.indexOf(most)];
  if (item === undefined || most < SAME_STEP) return undefined;
  const isOtherwise = claimed === "done" ? item.status !== "done" : item.status === "done" && item.isKnownThen;
  return isOtherwise ? `${item.status.replaceAll("_", " ")}: ${item.text}` : undefined;
}

function otherSide(
  claimed: WordKind | undefined,
  sentences: readonly Sentence[],
  one: WordKind,
  other: WordKind,
): string | undefined {
  if (claimed === undefined) return undefined;
  const sides = sentences.map(({ text }) => sideOf(text, one, other));
  const against = sides.filter((side) => side !== undefined && side !== claimed).length;
  const alike = sides.filter((side) => side === claimed).length;
  const isAgainst = against > 0 && (alike === 0 || against > alike * CLEARLY);
  return isAgainst ? sentences[sides.findIndex((side) => side !== undefined && side !== claimed)]?.text : undefined;
}

/** Undefined where a text has words of both, or of none. */
function sideOf(text: string, one: WordKind, other: WordKind): WordKind | undefined {
  const [isOne, isOther] = [says(text, one), says(text, other)];
  return isOne === isOther ? undefined : isOne ? one : other;
}

const VERDICT = /\b(?:approv|accept|confirm|agree)\p{L}*|\b(?:reject|refus|declin|veto)\p{L}*|\bturned down/giu;
const OPENING = 240;

/** A user who is said to have agreed and refused, or the other way round: the first word of it counts. */
export function refusedOtherwise(statement: string, users: readonly SourceText[]): string | undefined {
  const verdicts = (statement.match(VERDICT) ?? []).map((word) => says(word, "refuses"));
  if (verdicts.length === 0 || new Set(verdicts).size > 1 || says(statement, "denies")) return undefined;
  for (const { text } of users) {
    const opening = text.trim().slice(0, OPENING);
    const agrees = findWords(opening, "agrees")[0]?.start ?? OPENING;
    const refuses = findWords(opening, "refuses")[0]?.start ?? OPENING;
    if (agrees !== refuses) return agrees < refuses === verdicts[0] ? oneLine(opening, QUOTED) : undefined;
  }
  return undefined;
}

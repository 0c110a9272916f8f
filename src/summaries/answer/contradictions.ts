// Does a statement say the opposite of what it cites? Compared are the sentences that share most words: what the one denies
// and the other does not, what is done or passes in the one and is open or fails in the other; and whether a user agreed.
import { findStance, hasStance, type Stance } from "../../language/stance-words.ts";
import { piecesOf } from "../../text/pieces.ts";
import { oneLine } from "../../text/quote.ts";
import { stemsOf } from "./claims.ts";

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
const BETWEEN_CLAUSES =
  /[,;:()—–\n]|[.!?。！？、，；]\s?|\s-\s|\s(?:but|because|so|and|since|while|which|that|aber|weil|und|pero|porque|y|mais|mas|et|e)\s/iu;
/** "X, not Y" denies Y alone, "X is not Y" all of it. */
const DENIES_ONWARDS =
  /(?<!(?:^|\s)(?:is|are|was|were|be|been|do|does|did|has|have|had|can|could|should|would|will|must|may|need))\s(?=(?:not|no|without|instead of|rather than|statt|nicht|ohne|sin|sem|sans)\s)/iu;
/** A call is no sentence; nor is what a program reads. */
const CALL = /^\[calls .*$/gmu;
const NO_SENTENCE = /^\s*[{}|<]/u;
const SENTENCE_END = /(?<=\p{L}[.!?。！？])\s+/u;

/** The sentence that says otherwise; undefined where none does. `texts` in the order in which they count. */
export function contradicting(statement: string, texts: readonly string[]): string | undefined {
  const sentences = texts.slice(0, MOST_TEXTS).flatMap(sentencesOf);
  const found =
    deniedOtherwise(statement, sentences)?.text ??
    stateOtherwise(statement, sentences)?.text ??
    statusOtherwise(statement, texts.join("\n"));
  return found === undefined ? undefined : oneLine(found, QUOTED);
}

interface Sentence {
  readonly text: string;
  readonly stems: ReadonlySet<string>;
  /** Stems of clauses that deny, and of those that do not. */
  readonly denied: ReadonlySet<string>;
  readonly asserted: ReadonlySet<string>;
  /** A word may stand for a denial. */
  readonly isSoft: boolean;
  readonly isSupposed: boolean;
}

function sentencesOf(text: string): readonly Sentence[] {
  const read = text.replace(CALL, "").slice(0, COMPARED);
  return piecesOf(read)
    .flatMap(({ start, end }) => read.slice(start, end).trim().split(SENTENCE_END))
    .filter((said) => said.length > 2 && said.length <= LONGEST_SENTENCE && !NO_SENTENCE.test(said))
    .map(sentenceOf);
}

function sentenceOf(text: string): Sentence {
  const denied = new Set<string>();
  const asserted = new Set<string>();
  for (const clause of text.split(BETWEEN_CLAUSES).flatMap((part) => part.split(DENIES_ONWARDS)))
    for (const stem of stemsOf(clause)) (hasStance(clause, "denies") ? denied : asserted).add(stem);
  return {
    text,
    stems: new Set([...denied, ...asserted]),
    denied,
    asserted,
    isSoft: hasStance(text, "avoids"),
    isSupposed: hasStance(text, "supposes") || /[?？]\s*$/u.test(text),
  };
}

function deniedOtherwise(statement: string, sentences: readonly Sentence[]): Sentence | undefined {
  for (const clause of statement.split(BETWEEN_STATEMENTS).map(sentenceOf)) {
    if (clause.stems.size < LEAST_SHARED) continue;
    const best = mostShared(clause, sentences);
    const votes = best.map((sentence) => voteOf(clause, sentence));
    if (votes.includes(1) && !votes.includes(-1)) return best[votes.indexOf(1)];
  }
  return undefined;
}

const BETWEEN_STATEMENTS =
  /[;；]\s?|[.!?。！？:：]\s|,\s(?=(?:not|but|so|and|yet|which|it|the)\s)|\s(?:but|and|because)\s/u;

/** Sentences that share most of a clause's words. */
function mostShared({ stems }: Sentence, sentences: readonly Sentence[]): readonly Sentence[] {
  const shares = sentences.map((sentence) => sharedOf(stems, sentence.stems));
  const most = shares.reduce((least, share) => Math.max(least, share), 0);
  if (most < LEAST_SHARED || most < stems.size * SAME_SUBJECT) return [];
  return sentences.filter((_, at) => shares[at] === most);
}

function sharedOf(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0;
  for (const stem of left) if (right.has(stem)) shared += 1;
  return shared;
}

/** 1: one denies what the other says; -1: they agree; 0: nobody can tell. */
function voteOf(clause: Sentence, sentence: Sentence): -1 | 0 | 1 {
  if (clause.denied.size === 0 && sentence.denied.size === 0) return -1;
  let against = 0;
  let shared = 0;
  for (const stem of clause.stems) {
    if (!sentence.stems.has(stem)) continue;
    shared += 1;
    const [here, there] = [polarityOf(stem, clause), polarityOf(stem, sentence)];
    if (here !== "asserted" && there !== "asserted") return -1;
    if (here !== there && here !== "both" && there !== "both") against += 1;
  }
  if (clause.denied.size > 0 && sentence.denied.size > 0 && against < LEAST_CLEAR) return 0;
  const less = clause.denied.size > 0 ? sentence : clause;
  const isClear = against > 1 || against * 2 > shared;
  return !isClear || less.isSoft || sentence.isSupposed ? 0 : 1;
}

function polarityOf(stem: string, { denied, asserted }: Sentence): "denied" | "asserted" | "both" {
  return !denied.has(stem) ? "asserted" : asserted.has(stem) ? "both" : "denied";
}

const LABEL = /^[\s*_`>[(-]{0,8}([\p{L} -]{3,24}?)[*_`)\]]{0,4}\s{0,3}[:：]/u;
/** A state rests on so many sentences that say so for each that says otherwise. */
const CLEARLY = 3;

function labelOf(statement: string): Stance | undefined {
  const label = LABEL.exec(statement)?.[1];
  return label === undefined ? undefined : sideOf(label, "done", "open");
}

const STATUS = /"status"\s{0,3}:\s{0,3}"([a-z_ -]{3,20})"/gu;

/** The status that a call sets, where it sets one. */
function statusOtherwise(statement: string, cited: string): string | undefined {
  const claimed = labelOf(statement);
  const set = [...cited.matchAll(STATUS)];
  if (claimed === undefined || set.length === 0) return undefined;
  const sides = set.map(([, status = ""]) => sideOf(status.replaceAll("_", " "), "done", "open"));
  return sides.every((side) => side !== undefined && side !== claimed) ? `status: ${set[0]?.[1]}` : undefined;
}

/** A step that is told as open, and done in the source: who cites a problem may well have solved it. A run that passes and fails. */
function stateOtherwise(statement: string, sentences: readonly Sentence[]): Sentence | undefined {
  const labelled = labelOf(statement);
  if (labelled === "done") return undefined;
  if (labelled !== undefined) {
    const about = new Set(stemsOf(statement.slice(statement.search(/[:：]/u) + 1)));
    const near = sentences.filter(({ stems }) => sharedOf(about, stems) > 0);
    return otherSide(labelled, near.length > 0 ? near : sentences, "done", "open");
  }
  const outcome = sideOf(statement, "passes", "fails");
  return outcome === undefined ? undefined : otherSide(outcome, sentences, "passes", "fails");
}

function otherSide(claimed: Stance, sentences: readonly Sentence[], one: Stance, other: Stance): Sentence | undefined {
  const sides = sentences.map(({ text }) => sideOf(text, one, other));
  const against = sides.filter((side) => side !== undefined && side !== claimed).length;
  const alike = sides.filter((side) => side === claimed).length;
  const isAgainst = against > 0 && (alike === 0 || against > alike * CLEARLY);
  return isAgainst ? sentences[sides.findIndex((side) => side !== undefined && side !== claimed)] : undefined;
}

/** Undefined where a text has words of both, or of none. */
function sideOf(text: string, one: Stance, other: Stance): Stance | undefined {
  const [isOne, isOther] = [hasStance(text, one), hasStance(text, other)];
  return isOne === isOther ? undefined : isOne ? one : other;
}

const VERDICT = /\b(?:approv|accept|confirm|agree)\p{L}*|\b(?:reject|refus|declin|veto)\p{L}*|\bturned down/giu;
const OPENING = 240;

/** A user who is said to have agreed and refused, or the other way round: the first word of it counts. */
export function refusedOtherwise(statement: string, users: readonly string[]): string | undefined {
  const verdicts = (statement.match(VERDICT) ?? []).map((word) => hasStance(word, "refuses"));
  if (verdicts.length === 0 || new Set(verdicts).size > 1 || hasStance(statement, "denies")) return undefined;
  for (const text of users) {
    const opening = text.trim().slice(0, OPENING);
    const agrees = findStance(opening, "agrees")[0]?.start ?? OPENING;
    const refuses = findStance(opening, "refuses")[0]?.start ?? OPENING;
    if (agrees !== refuses) return agrees < refuses === verdicts[0] ? oneLine(opening, QUOTED) : undefined;
  }
  return undefined;
}

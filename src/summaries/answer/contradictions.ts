// Does a statement say the opposite of what it cites? Compared are the sentences that share most words: what the one denies
// and the other does not, what is done in the one and open in the other; and whether a user agreed or refused.
import { findStance, hasStance } from "../../language/stance-words.ts";
import { piecesOf } from "../../text/pieces.ts";
import { oneLine } from "../../text/quote.ts";
import { stemsOf } from "./claims.ts";
import { normalOf } from "./source-texts.ts";

/** Of what is cited so much is compared, UTF-16 units a message. */
const COMPARED = 12_000;
const LONGEST_SENTENCE = 600;
const QUOTED = 90;
/** Share of a clause's words that a sentence of the source has to share. */
const SAME_SUBJECT = 0.45;
const LEAST_SHARED = 2;
/** A denial reaches so many words, and no further than its clause. */
const REACH = 6;
const CLAUSE_END =
  /[,;:.!?()—–\n]|\s(?:but|because|so|and|aber|weil|und|pero|porque|mais|mas|since|while|which|that)\s/iu;
const BETWEEN_CLAUSES = /[;:；：—–(]\s?|[.!?。！？]\s|,\s/u;

/** The sentence that says otherwise; undefined where none does. `texts` in the order in which they count. */
export function contradicting(statement: string, texts: readonly string[]): string | undefined {
  const sentences = texts.flatMap(sentencesOf);
  if (sentences.length === 0) return undefined;
  const found = deniedOtherwise(statement, sentences) ?? stateOtherwise(statement, sentences);
  return found === undefined ? undefined : oneLine(found.text, QUOTED);
}

interface Sentence {
  readonly text: string;
  readonly stems: ReadonlySet<string>;
  readonly denied: ReadonlySet<string>;
  /** Words that may stand for a denial. */
  readonly soft: ReadonlySet<string>;
}

function sentencesOf(text: string): readonly Sentence[] {
  const read = text.slice(0, COMPARED);
  return piecesOf(read).flatMap(({ start, end }) => {
    const said = read.slice(start, end).trim();
    return said.length < 3 || said.length > LONGEST_SENTENCE ? [] : [sentenceOf(said)];
  });
}

function sentenceOf(text: string): Sentence {
  return { text, stems: new Set(stemsOf(text)), denied: deniedIn(text), soft: softIn(text) };
}

function softIn(text: string): ReadonlySet<string> {
  return new Set(findStance(text, "avoids").map(({ start, end }) => text.slice(start, end).toLowerCase()));
}

/** Stems within the reach of a denial. */
function deniedIn(text: string): ReadonlySet<string> {
  const denied = new Set<string>();
  for (const { end } of findStance(text, "denies")) {
    const rest = text.slice(end);
    const clause = rest.slice(0, CLAUSE_END.exec(rest)?.index ?? rest.length);
    for (const stem of stemsOf(normalOf(clause).trim().split(" ").slice(0, REACH).join(" "))) denied.add(stem);
  }
  return denied;
}

function deniedOtherwise(statement: string, sentences: readonly Sentence[]): Sentence | undefined {
  for (const clause of statement.split(BETWEEN_CLAUSES).map(sentenceOf)) {
    if (clause.stems.size < LEAST_SHARED) continue;
    const best = mostShared(clause, sentences);
    if (best.length === 0) continue;
    const votes = best.map((sentence) => voteOf(clause, sentence));
    if (votes.every((vote) => vote > 0)) return best[0];
  }
  return undefined;
}

/** Sentences that share most of a clause's words, those that share nearly as many with them. */
function mostShared({ stems }: Sentence, sentences: readonly Sentence[]): readonly Sentence[] {
  const shares = sentences.map((sentence) => sharedOf(stems, sentence.stems));
  const most = Math.max(0, ...shares);
  if (most < LEAST_SHARED || most < stems.size * SAME_SUBJECT) return [];
  return sentences.filter((_, at) => (shares[at] ?? 0) >= most - 0.5);
}

function sharedOf(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0;
  for (const stem of left) if (right.has(stem)) shared += 1;
  return shared;
}

/** Above 0 where one denies what the other says. */
function voteOf(clause: Sentence, sentence: Sentence): number {
  const [more, less] = clause.denied.size > sentence.denied.size ? [clause, sentence] : [sentence, clause];
  if ([...less.soft].some((word) => !more.soft.has(word))) return 0;
  let against = 0;
  let alike = 0;
  for (const stem of clause.stems) {
    if (!sentence.stems.has(stem)) continue;
    const [here, there] = [clause.denied.has(stem), sentence.denied.has(stem)];
    if (here !== there) against += 1;
    else if (here) alike += 1;
  }
  return alike === 0 ? against : 0;
}

const LABEL = /^[\s*_`>[(-]{0,8}([\p{L} -]{3,24}?)[*_`)\]]{0,4}\s{0,3}[:：]/u;

/** A step that is done in the one and open in the other. */
function stateOtherwise(statement: string, sentences: readonly Sentence[]): Sentence | undefined {
  const label = LABEL.exec(statement)?.[1];
  const claimed = label === undefined ? undefined : stateOf(label);
  if (claimed === undefined) return undefined;
  const subject = sentenceOf(statement.slice(statement.search(/[:：]/u) + 1));
  const best = mostShared(subject, sentences);
  const states = best.map(({ text }) => stateOf(text));
  return states.length > 0 && states.every((state) => state !== undefined && state !== claimed) ? best[0] : undefined;
}

function stateOf(text: string): "done" | "open" | undefined {
  const [isDone, isOpen] = [hasStance(text, "done"), hasStance(text, "open")];
  return isDone === isOpen ? undefined : isDone ? "done" : "open";
}

const VERDICT = /\b(?:approv|accept|confirm|agree)\p{L}*|\b(?:reject|refus|declin|veto)\p{L}*|\bturned down/giu;
const OPENING = 160;

/** A user who is said to have agreed and refused, or the other way round. */
export function refusedOtherwise(statement: string, users: readonly string[]): string | undefined {
  const verdicts = (statement.match(VERDICT) ?? []).map((word) => hasStance(word, "refuses"));
  if (verdicts.length === 0 || new Set(verdicts).size > 1 || hasStance(statement, "denies")) return undefined;
  for (const text of users) {
    const opening = text.trim().slice(0, OPENING);
    const [agrees, refuses] = [hasStance(opening, "agrees"), hasStance(opening, "refuses")];
    if (agrees !== refuses) return agrees === verdicts[0] ? oneLine(opening, QUOTED) : undefined;
  }
  return undefined;
}

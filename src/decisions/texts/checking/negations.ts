// Whether a text says "not" where its record does, and only there. Sentences are compared with the sentence of the record
// that they share most words with; words like "avoid" may stand for a negation, and a negation for them.

import { splitSentences } from "../../../language/sentences.ts";
import { subjectWords } from "../../../language/subject-words.ts";

const HARD =
  wordList(`not no never none nothing nobody nowhere neither nor without cannot can't don't doesn't didn't won't wouldn't shouldn't
  couldn't isn't aren't wasn't weren't hasn't haven't hadn't mustn't except unless
  não nao sem nunca nenhum nenhuma nem ninguna ningún nunca jamás sin tampoco nada
  nicht nie niemals kein keine keinen keinem keiner ohne weder
  ne pas jamais sans aucun aucune ni
  no`);
const SOFT =
  wordList(`avoid avoids avoided avoiding reject rejects rejected rejecting refuse refused skip skips skipped skipping stop stops stopped
  drop drops dropped prevent prevents prevented forbid forbids forbidden prohibit prohibited ban banned disable disabled disallow
  instead rather over than fail fails failed failing failure lack lacks lacked lacking miss missed missing ignore ignored remove removed
  only hardly rarely less fewer impossible unable unlike against exclude excluded excluding bypass bypassed
  evitar evitado rechazado rejeitado vermeiden vermieden abgelehnt statt éviter évité refusé`);
const CJK = /[不没沒無无非未勿別别禁莫否]|ない|ません|ず|않|없|못|아니/gu;
/** Of its words, so many shared with a clause of the record make a clause a rewording of it; with so many it is the same. */
const REWORDED = 0.5;
const SAME = 0.8;
const LABEL = /^(?:Decision|Context|Result|Learned|Pattern|Outcome|Category|Date|Why \([^)\n]{1,60}\)): /;
const BETWEEN_CLAUSES =
  /[;:；：—–]\s|,\s{1,3}(?=(?:not|but|so|and|yet|because|while|aber|pero|mas|mais)\s)|\s(?=(?:instead of|rather than|and not|but not)\s)/u;

interface Clause {
  readonly words: ReadonlySet<string>;
  /** Negations, each once. */
  readonly hard: ReadonlySet<string>;
  readonly soft: ReadonlySet<string>;
}

export function keepsNegations(text: string, record: string): boolean {
  const known = clausesOf(record);
  return clausesOf(text).every((clause) => isKept(clause, known));
}

function isKept(clause: Clause, known: readonly Clause[]): boolean {
  if (clause.words.size === 0) return true;
  const shares = known.map((other) => shareOf(clause.words, other.words));
  const most = Math.max(0, ...shares);
  if (most < REWORDED) return clause.hard.size === 0 || known.some(({ hard, soft }) => hard.size + soft.size > 0);
  // Of equals any may be the one that was reworded.
  return known.some((other, at) => (shares[at] ?? 0) >= most - 0.001 && agree(clause, other, most));
}

/** A word that both have stands for no negation of the other's. */
function agree(left: Clause, right: Clause, share: number): boolean {
  if (left.hard.size === right.hard.size) return true;
  if (left.hard.size > 0 && right.hard.size > 0 && share < SAME) return true;
  const [more, less] = left.hard.size > right.hard.size ? [left, right] : [right, left];
  return [...less.soft].some((word) => !more.soft.has(word));
}

function shareOf(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of words) if (others.has(word)) shared += 1;
  return shared / words.size;
}

/** Clauses, because one sentence may say one thing and deny another. */
function clausesOf(text: string): readonly Clause[] {
  return text
    .split("\n")
    .flatMap((line) => splitSentences(line.replace(LABEL, "")))
    .flatMap((sentence) => sentence.split(BETWEEN_CLAUSES))
    .filter((clause) => clause.trim() !== "")
    .map((clause) => ({ words: new Set([...subjectWords(clause)].map(stemOf)), ...negationsOf(clause) }));
}

function negationsOf(clause: string): Pick<Clause, "hard" | "soft"> {
  const words =
    clause
      .toLowerCase()
      .replaceAll("’", "'")
      .match(/[\p{L}']{2,20}/gu) ?? [];
  const marks = clause.match(CJK) ?? [];
  return {
    hard: new Set([...words.filter((word) => HARD.has(word)), ...marks]),
    soft: new Set(words.filter((word) => SOFT.has(word))),
  };
}

function stemOf(word: string): string {
  return (/^\p{L}+$/u.test(word) ? word.slice(0, 5) : word).toLowerCase();
}

function wordList(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/u).filter((word) => word !== ""));
}

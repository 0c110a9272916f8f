// A question as somebody asks it: its words with all that stands for them, how much a row says of them, and where. The rarer
// a word, the more it counts; another form of it, or the word that was meant, counts a little less.
import { slipsOf } from "../../text/nearest-name.ts";
import { isBigram, wordTokens } from "../../text/words.ts";
import type { Observation } from "../observation.ts";
import type { ObservationReader } from "../observation-store.ts";
import { indexTokens } from "../search-words.ts";

/** A word of the question. */
export interface Term {
  readonly word: string;
  /** What stands for it in rows, by how well, above 0 to 1. Empty for a word that no row has. */
  readonly forms: ReadonlyMap<string, number>;
  /** Looked for inside of other text: scripts without spaces. */
  readonly isSubstring: boolean;
  /** Surely no word of grammar. */
  readonly isTelling: boolean;
  readonly weight: number;
}

const MOST_TERMS = 24;

/** Letters from which on a word tells all it can: the words of grammar are short, in all languages that part words. */
const TELLING_LETTERS = 5;
const LEAST_WEIGHT = 0.1;

/** The words as they stand, each once. */
export function plainTerms(query: string): readonly Term[] {
  const terms = new Map<string, Term>();
  const add = (word: string, isSubstring: boolean) => {
    const isTelling = isSubstring || word.length >= TELLING_LETTERS;
    const weight = isTelling ? 1 : Math.max(LEAST_WEIGHT, (word.length - 1) / (TELLING_LETTERS - 1));
    terms.set(word, { word, forms: new Map([[word, 1]]), isSubstring, isTelling, weight });
  };
  for (const token of wordTokens(query)) {
    if (isBigram(token)) add(token, true);
    else for (const word of indexTokens(token)) add(word, false);
  }
  return [...terms.values()].slice(0, MOST_TERMS);
}

// Another form of a word begins as the word does and ends otherwise: "caching" for "cached", "soluciones" for "solución".

const MOST_FORMS = 12;
const MOST_LOOKED_AT = 5000;
/** How much a word counts that was perhaps meant. */
const SLIP = 0.8;

/** Forms of a word that rows have; where there is none, words one slip of the hand away. */
export async function formsOf(rows: ObservationReader, word: string): Promise<ReadonlyMap<string, number>> {
  const known = await rows.wordsFrom(word.slice(0, shortestStem(word.length)), MOST_LOOKED_AT);
  const forms = known
    .map((form) => [form, likeness(word, form)] as const)
    .filter(([, share]) => share > 0)
    .sort(([, one], [, other]) => other - one);
  if (forms.length > 0) return new Map(forms.slice(0, MOST_FORMS));
  const meant = slipsOf(word, await rows.wordsFrom(word.slice(0, 2), MOST_LOOKED_AT));
  return new Map(meant.slice(0, MOST_FORMS).map((form) => [form, SLIP]));
}

/** Letters that all forms of a word of so many letters share. */
function shortestStem(length: number): number {
  return length < 4 ? length : length < 9 ? Math.max(4, length - 3) : length - 5;
}

/** 1 for the word itself, 0 for another word. */
function likeness(word: string, form: string): number {
  if (word === form) return 1;
  let shared = 0;
  while (shared < word.length && word[shared] === form[shared]) shared += 1;
  const rest = Math.max(word.length, form.length) - shared;
  const isForm = shared >= 4 && rest <= (shared < 6 ? 3 : 5);
  return isForm ? (2 * shared) / (word.length + form.length) : 0;
}

// How much a row says of a question: BM25 with its usual constants, a word in the title counting once more.

const SATURATION = 1.2;
const LENGTH = 0.75;

/** The rows that say anything, best first, equals latest id first. */
export function rankedByTerms(
  rows: readonly Observation[],
  terms: readonly Term[],
): readonly { readonly row: Observation; readonly score: number }[] {
  const texts = rows.map(readTokens);
  const usual = texts.reduce((sum, { size }) => sum + size, 0) / Math.max(1, texts.length);
  return texts
    .map((text) => ({ row: text.row, score: scoreOf(text, terms, usual) }))
    .filter(({ score }) => score > 0)
    .sort((first, second) => second.score - first.score || second.row.id - first.row.id);
}

interface RowTokens {
  readonly row: Observation;
  readonly title: ReadonlySet<string>;
  readonly text: ReadonlyMap<string, number>;
  /** Lower case, for parts of words. */
  readonly lower: string;
  readonly size: number;
}

function readTokens(row: Observation): RowTokens {
  const { title, content, topic_key, type, project, tool_name } = row;
  const whole = [content, type, project ?? "", tool_name ?? ""].join("\n");
  const tokens = indexTokens(whole);
  const text = new Map<string, number>();
  for (const token of tokens) text.set(token, (text.get(token) ?? 0) + 1);
  const lower = `${title}\n${whole}`.toLowerCase();
  return { row, title: new Set(indexTokens(`${title} ${topic_key ?? ""}`)), text, lower, size: tokens.length };
}

function scoreOf({ title, text, lower, size }: RowTokens, terms: readonly Term[], usual: number): number {
  const slow = SATURATION * (1 - LENGTH + (LENGTH * size) / Math.max(1, usual));
  let score = 0;
  for (const { forms, isSubstring, weight } of terms) {
    let inTitle = 0;
    let times = 0;
    for (const [form, share] of forms) {
      if (title.has(form)) inTitle = Math.max(inTitle, share);
      times += share * (isSubstring ? lower.split(form).length - 1 : (text.get(form) ?? 0));
    }
    score += weight * (inTitle + times / (times + slow));
  }
  return score;
}

// Where a text answers: the stretch that has most of the words.

const WORD = /[\p{L}\p{M}\p{N}\p{Co}]+/gu;
/** Of an answer before the first word of it, for what it stands in. */
const RUN_UP = 60;
/** Texts are looked through so far. */
const LONGEST = 100_000;

/**
 * Offset of the stretch of `units` that says most of the terms, from the beginning of its sentence where that is near; 0
 * where the beginning of the text says as much.
 */
export function answeringPlace(text: string, terms: readonly Term[], units: number): number {
  if (text.length <= units) return 0;
  const hits = hitsIn(text.slice(0, LONGEST), terms);
  const worthFrom = (start: number) => {
    const within = hits.filter(({ at }) => at >= start && at < start + units - RUN_UP);
    return [...new Set(within.map(({ term }) => term))].reduce((sum, { weight }) => sum + weight, 0);
  };
  let best = { at: 0, worth: worthFrom(0) };
  for (const { at } of hits) {
    const worth = worthFrom(at);
    if (worth > best.worth * 1.01) best = { at, worth };
  }
  if (best.at === 0) return 0;
  const before = text.slice(Math.max(0, best.at - RUN_UP), best.at);
  const sentence = Math.max(before.lastIndexOf("\n"), before.search(/[.!?。]\s+(?=\S[^.!?。]*$)/u) + 1);
  const word = sentence > 0 ? sentence : before.length < RUN_UP ? -1 : before.search(/\s/u);
  return best.at - before.length + word + 1;
}

interface Hit {
  readonly at: number;
  readonly term: Term;
}

function hitsIn(text: string, terms: readonly Term[]): readonly Hit[] {
  const byForm = new Map(terms.flatMap((term) => [...term.forms.keys()].map((form) => [form, term] as const)));
  const hits: Hit[] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const term = byForm.get(indexTokens(word)[0] ?? "");
    if (term !== undefined) hits.push({ at: index, term });
  }
  const lower = text.toLowerCase();
  for (const term of terms.filter(({ isSubstring }) => isSubstring))
    for (let at = lower.indexOf(term.word); at >= 0; at = lower.indexOf(term.word, at + 1)) hits.push({ at, term });
  return hits;
}

// Tells whether a sentence that a user or a system message said is a rule, and its polarity. Which messages are
// read, and what becomes of repeats and contradictions, is decided in kinds/rules.ts.
import type { Stepwise } from "../../tokens/turns/stepwise.ts";
import type { Language, RuleCues } from "../language/cues.ts";
import { languagesOf } from "../language/languages.ts";
import { isProse } from "../language/pasted.ts";
import { readSentences, type Sentence } from "../language/sentences.ts";

export interface RuleSentence {
  readonly text: string;
  /** `lifted`: makes no rule, takes an earlier one back. */
  readonly polarity: "must" | "must_not" | "lifted";
}

/** Longer sentences are matched by their beginning. */
const LONGEST = 500;
const MOST_WORDS_OF_ITEM = 60;
/** Who shouts means it for longer. */
const EMPHATIC = /\b(?:NOT|NEVER|DON['’]T|NO)\b/;
/** A lead-in to the steps of one task. */
const STEPS = /\b(?:tasks?|job|assignment|steps?)\b[^:：]{0,30}[:：]$/iu;
/** A sentence may both demand and forbid; it is parted where the second begins. */
const TURN =
  /[;；]\s*|,?\s+(?:and|but|y|pero|e|mas|und|aber|et|mais)\s+(?=(?:please\s+)?(?:never|always|don['’]?t|do not|must|only|nunca|siempre|sempre|niemals|nie|immer|ne\s|n['’]|toujours|no\s|não\s)\b)/giu;

/** `isPolicy`: a system or developer message said it, so weaker wording counts too. */
export function* findRuleSentences(text: string, isPolicy: boolean): Stepwise<readonly RuleSentence[]> {
  const found: RuleSentence[] = [];
  const languages = languagesOf(text).filter(({ rules }) => rules.gate.test(text));
  if (languages.length === 0) return found;
  for (const { rules } of languages) yield* prepare(rules, text.slice(0, SAMPLE));
  const lists = new Map<string, boolean>();
  for (const sentence of readSentences(text)) {
    const isListed = sentence.isListed && isUnderRules(sentence, languages, lists);
    if (isListed) found.push(...readItem(sentence, languages));
    else found.push(...readSentence(sentence.text, languages, isPolicy && !isStep(sentence)));
    yield;
  }
  return found;
}

/** Patterns are compiled when they are first used, all of a language in the first sentence that may be a rule: too much for one turn. */
function* prepare(rules: RuleCues, sample: string): Stepwise<void> {
  if (PREPARED.has(rules)) return;
  PREPARED.add(rules);
  for (const pattern of patternsIn(rules)) {
    // Twice: the first use may only interpret it.
    pattern.test(sample);
    yield;
    pattern.test(sample);
    yield;
  }
}

const SAMPLE = 60;
const PREPARED = new WeakSet<RuleCues>();

function patternsIn(cues: object): readonly RegExp[] {
  return Object.values(cues).flatMap((value: unknown) => {
    if (value instanceof RegExp) return value.global || value.sticky ? [] : [value];
    return typeof value === "object" && value !== null ? patternsIn(value) : [];
  });
}

/** The nearest line above decides; a lead-in that only points ("follow these:") leaves it to the heading. */
function isUnderRules({ under }: Sentence, languages: readonly Language[], known: Map<string, boolean>): boolean {
  for (let at = under.length - 1; at >= 0; at -= 1) {
    const line = under[at] ?? "";
    const isHeading = known.get(line) ?? languages.some(({ rules }) => rules.heading.test(line));
    known.set(line, isHeading);
    if (isHeading) return true;
    if (!/\b(?:these|following|below|follow)\b/iu.test(line)) return false;
  }
  return false;
}

/** "Your task is to: 1. read the report ...": what is to be done once, in the words in which a policy demands things for good. */
function isStep({ isListed, under }: Sentence): boolean {
  return isListed && STEPS.test(under.at(-1) ?? "");
}

/** An item of a list of rules is one, whatever its words; they only tell its polarity. */
function readItem({ text }: Sentence, languages: readonly Language[]): readonly RuleSentence[] {
  if (wordCount(text) < 2 || wordCount(text) > MOST_WORDS_OF_ITEM || /[?？:：]\s*$/u.test(text)) return [];
  const start = text.slice(0, LONGEST);
  const polarity = languages.map(({ rules }) => polarityOf(start, rules)).find((found) => found !== undefined);
  const isNegated = languages.some(({ rules }) => rules.negatedItem.test(start));
  return [{ text, polarity: polarity ?? (isNegated ? "must_not" : "must") }];
}

function readSentence(text: string, candidates: readonly Language[], isPolicy: boolean): readonly RuleSentence[] {
  const languages = candidates.filter(({ rules }) => rules.gate.test(text.slice(0, LONGEST)));
  if (languages.length === 0) return [];
  const inline = inlineRules(text, languages);
  if (inline !== undefined) {
    return inline.flatMap((item) => readItem({ text: item, isItem: true, isListed: true, under: [] }, languages));
  }
  return parts(text).flatMap((part) => {
    const polarity = judge(part, languages, isPolicy);
    return polarity === undefined ? [] : [{ text: part, polarity }];
  });
}

/** "Rules: no new packages; ask before deleting". */
function inlineRules(text: string, languages: readonly Language[]): readonly string[] | undefined {
  const lead = /^[^:：\n]{2,60}[:：](?=\s*\S)/u.exec(text)?.[0];
  if (lead === undefined || !languages.some(({ rules }) => rules.heading.test(lead))) return undefined;
  return text
    .slice(lead.length)
    .split(/[;；]\s*/u)
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function parts(text: string): readonly string[] {
  const found: string[] = [];
  let start = 0;
  for (const turn of text.slice(0, LONGEST).matchAll(TURN)) {
    found.push(text.slice(start, turn.index));
    start = turn.index + turn[0].length;
  }
  found.push(text.slice(start));
  return found.map((part) => part.trim()).filter((part) => part !== "");
}

function judge(part: string, languages: readonly Language[], isPolicy: boolean): RuleSentence["polarity"] | undefined {
  const start = part.slice(0, LONGEST);
  // What ends in a colon only leads in what follows.
  if (!isProse(start) || /[:：]\s*$/u.test(part)) return undefined;
  for (const { rules } of languages) {
    if (isQuestion(part) && !isPoliteDemand(start)) continue;
    if (rules.withdrawal.test(start)) return "lifted";
    const polarity = isPolicy ? policyOf(start, rules) : polarityOf(start, rules);
    if (polarity !== undefined && !isExempt(start, rules)) return polarity;
  }
  return undefined;
}

/** The cue that stands first decides; of two at one place the prohibition does. */
function polarityOf(start: string, { prohibitions, demands, passing }: RuleCues): "must" | "must_not" | undefined {
  const isLasting = passing !== undefined && (passing.lasting.test(start) || EMPHATIC.test(start));
  const all = isLasting ? [...prohibitions, ...passing.prohibitions] : prohibitions;
  return earlier(first(start, all), first(start, demands));
}

function policyOf(start: string, rules: RuleCues): "must" | "must_not" | undefined {
  const { policies, prohibitions, demands, passing } = rules;
  return earlier(
    first(start, [...prohibitions, ...(passing?.prohibitions ?? []), ...policies.prohibitions]),
    first(start, [...demands, ...policies.demands]),
  );
}

function earlier(prohibition: number, demand: number): "must" | "must_not" | undefined {
  if (prohibition === Number.POSITIVE_INFINITY && demand === prohibition) return undefined;
  return prohibition <= demand ? "must_not" : "must";
}

function first(start: string, patterns: readonly RegExp[]): number {
  let place = Number.POSITIVE_INFINITY;
  for (const pattern of patterns) place = Math.min(place, pattern.exec(start)?.index ?? place);
  return place;
}

/** What only sounds like a rule is taken out first; a rule may still stand beside it. */
function isExempt(start: string, rules: RuleCues): boolean {
  const exempt = rules.exempt.exec(start);
  if (exempt === null) return false;
  const rest = start.slice(exempt.index + exempt[0].length).replace(/^[^,.;:!，。；]*[,.;:!，。；]?\s*/u, "");
  const before = start.slice(0, exempt.index).trim();
  return polarityOf(rest, rules) === undefined && polarityOf(before, rules) === undefined;
}

function isQuestion(part: string): boolean {
  return /[?？]["'”’)\]*`]{0,3}\s*$/u.test(part);
}

/** "can you always run the tests first?" is asked only in form. */
function isPoliteDemand(start: string): boolean {
  return /^(?:(?:and|also|so|please),? )?(?:can|could|would|will) you (?:please )?(?:always|never|not ever|only|from now on|make sure (?:to |you )?(?:always|never))\b/iu.test(
    start,
  );
}

function wordCount(text: string): number {
  const spaced = text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  const unspaced = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  return spaced + Math.floor(unspaced / 2);
}

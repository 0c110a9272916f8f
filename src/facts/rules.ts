// Rules: sentences in which a user, or a system or developer message, demanded or forbade something for good. Tools,
// assistants and hosts make none. They are quoted and cited: whether one still holds, later words decide.
import { RULE_WORDS } from "../language/rule-words.ts";
import { isProse, readSentences } from "../language/sentences.ts";
import { findWords, says, type WordKind } from "../language/words.ts";
import { cutAt } from "../text/quote.ts";
import { wordTokens } from "../text/words.ts";
import type { Stepwise } from "../tokens/stepwise.ts";
import type { FactMessage } from "./fact-message.ts";
import { newestByKey, type RuleFact, type UserMessageFact } from "./ledger.ts";

const LONGEST = 300;
const LONGEST_TEXT = 40_000;
/** Longer prompts of a system are a host's: they come again with every request, and are no user's. */
const LONGEST_PROMPT = 8_000;
const CLAUSE = "(?<=^|[,;:.]\\s{1,2}|\\b(?:and|but|please|so|then|also|y|e|und|aber|bitte|et|mais)\\s)";

/** One expression for each polarity, over all languages: a message may mix them. */
const WORDS = Object.values(RULE_WORDS);
const FORBIDS = pattern(
  WORDS.map(({ forbids }) => forbids),
  WORDS.flatMap(({ forbidsFirst }) => forbidsFirst ?? []),
);
const DEMANDS = pattern(
  WORDS.map(({ demands }) => demands),
  WORDS.flatMap(({ demandsFirst }) => demandsFirst ?? []),
);

function pattern(anywhere: readonly string[], first: readonly string[]): RegExp {
  const forms = [`(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{N}])(?:${anywhere.join("|")})`];
  if (first.length > 0) forms.push(`${CLAUSE}(?:${first.join("|")})`);
  return new RegExp(forms.join("|"), "iu");
}

export function* extractRules(messages: readonly FactMessage[]): Stepwise<readonly RuleFact[]> {
  const found: RuleFact[] = [];
  const prompts = messages.flatMap(({ spoken }) => spoken.filter(({ author }) => author === "system"));
  const isHosts = prompts.reduce((sum, { text }) => sum + text.length, 0) > LONGEST_PROMPT;
  for (const { spoken, source } of messages) {
    for (const { author, text } of spoken) {
      if (author !== "user" && (author !== "system" || isHosts)) continue;
      for (const sentence of findRuleSentences(text)) found.push({ kind: "rule", ...sentence, source });
      yield;
    }
  }
  return mergeRules([], found);
}

/** What somebody else said, or code: whoever quotes a rule does not make it. */
const QUOTED =
  /"[^"\n]{2,600}"|“[^”\n]{2,600}”|«[^»\n]{2,600}»|„[^“”\n]{2,600}[“”]|「[^」\n]{2,600}」|`[^`\n]{2,600}`/gu;
const MARK = /"q(\d{1,5})"/gu;

/** A sentence that is no question, no heading and nothing pasted or quoted. */
export function findRuleSentences(text: string): readonly Pick<RuleFact, "text" | "polarity">[] {
  const quotes: string[] = [];
  const bare = text.slice(0, LONGEST_TEXT).replace(QUOTED, (quote) => `"q${quotes.push(quote) - 1}"`);
  return readSentences(bare).flatMap((sentence) => {
    const start = sentence.slice(0, LONGEST);
    if (/[?？:：]\s*$/u.test(sentence) || !isProse(start)) return [];
    const forbids = FORBIDS.exec(start)?.index ?? Number.POSITIVE_INFINITY;
    const demands = DEMANDS.exec(start)?.index ?? Number.POSITIVE_INFINITY;
    if (Math.min(forbids, demands) === Number.POSITIVE_INFINITY) return [];
    const said = sentence.replace(MARK, (_, at) => quotes[Number(at)] ?? "");
    return [{ text: cutAt(said, LONGEST), polarity: forbids <= demands ? "must_not" : "must" } as const];
  });
}

/** The same words said again are one rule, where they were said last. */
export function mergeRules(earlier: readonly RuleFact[], later: readonly RuleFact[]): readonly RuleFact[] {
  return newestByKey([...earlier, ...later], ({ text }) => text.toLowerCase());
}

// A rule that a user took back is not in force: who names the new value and denies the old one ("9443, not 8443") corrects
// it, who says that it holds no longer, and speaks of nothing else, lifts it. The same name under another qualifier is
// another value, and in doubt both stand.

export function withoutCorrected(
  rules: readonly RuleFact[],
  messages: readonly UserMessageFact[],
): readonly RuleFact[] {
  const later = messages.filter(({ author }) => author === "user");
  if (rules.length === 0 || later.length === 0) return rules;
  const answers = later.flatMap(({ blocks, source }) =>
    readSentences(blocks.join("\n").slice(0, LONGEST_TEXT)).flatMap((sentence) => {
      const denied = deniedValues(sentence);
      const lift = liftOf(sentence);
      const swap = swapIn(sentence);
      const isPlain = denied.size === 0 && lift === undefined && swap === undefined;
      return isPlain ? [] : [{ sentence, denied, lift, swap, source }];
    }),
  );
  return rules.filter((rule) => {
    const values = valuesOf(rule.text);
    const named = namedBy(rule);
    return !answers.some(({ sentence, denied, lift, swap, source }) => {
      if (!isLater(source, rule.source)) return false;
      if (lift !== undefined && isLifted(named, lift)) return true;
      // What a rule forbids is forbidden once more.
      if (rule.polarity === "must_not") return false;
      if (swap !== undefined && isSwapped(named, swap)) return true;
      return [...denied].some((value) => values.has(value)) && isAbout(rule.text, sentence);
    });
  });
}

/** What a sentence lifts: the rules about it, or what it allows and nothing more. Undefined: nothing. */
function liftOf(sentence: string): Lift | undefined {
  const start = sentence.slice(0, LONGEST);
  const kind = says(start, "releases") ? "releases" : "allows";
  const bare = without(start, kind);
  const isDoubtful = /[?？]\s*$/u.test(sentence) || says(bare, "denies") || says(bare, "supposes");
  return bare === start || isDoubtful ? undefined : { kind, words: namedIn(bare) };
}

interface Lift {
  readonly kind: "releases" | "allows";
  readonly words: ReadonlySet<string>;
}

interface Named {
  readonly all: ReadonlySet<string>;
  /** Without the words that make a rule of it. */
  readonly matter: ReadonlySet<string>;
  readonly isForbidden: boolean;
}

function namedBy({ text, polarity }: RuleFact): Named {
  const matter = namedIn((["lasting", "denies", "allows"] as const).reduce(without, text));
  return { all: namedIn(text), matter, isForbidden: polarity === "must_not" };
}

/** Of what a rule names, whoever releases it names at least so much. */
const LEAST_NAMED = 1 / 3;

/** It names nothing beside what the rule names; what allows names all of it: whatever is more or less may be another thing. */
function isLifted({ all, matter, isForbidden }: Named, { kind, words }: Lift): boolean {
  if (words.size === 0 || ![...words].every((word) => all.has(word))) return false;
  if (kind === "releases") return words.size >= matter.size * LEAST_NAMED;
  return isForbidden && [...matter].every((word) => words.has(word));
}

interface Swap {
  readonly given: ReadonlySet<string>;
  readonly denied: string;
}

/** A word in the place of another: "in German, not French". */
function swapIn(sentence: string): Swap | undefined {
  const start = sentence.slice(0, LONGEST);
  const denial = findWords(start, "denies").at(-1);
  if (denial === undefined || /[?？]\s*$/u.test(sentence) || says(start, "supposes")) return undefined;
  const [denied, ...others] = namedIn(start.slice(denial.end));
  const before = (["lasting", "refersBack"] as const).reduce(without, start.slice(0, denial.start));
  return denied === undefined || others.length > 0 ? undefined : { given: namedIn(before), denied };
}

/** Of all that it names, one word is not the rule's. */
function isSwapped({ all }: Named, { given, denied }: Swap): boolean {
  return all.has(denied) && !given.has(denied) && [...given].filter((word) => !all.has(word)).length === 1;
}

function namedIn(text: string): ReadonlySet<string> {
  return new Set(wordTokens(without(text.slice(0, LONGEST), "fillsRelease")));
}

function without(text: string, kind: WordKind): string {
  return findWords(text, kind).reduceRight(
    (rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`,
    text,
  );
}

function isLater(one: RuleFact["source"], other: RuleFact["source"]): boolean {
  return one.step > other.step || (one.step === other.step && one.message > other.message);
}

/** Figures, and names of two parts: ports, limits, versions, `quay-api`. */
const VALUE = /(?<![A-Za-z0-9_])(?:\d[\w.:]{0,40}|[A-Za-z]\w{0,40}(?:[-_./]\w{1,40}){1,6})(?<=\w)/gu;
/** Between a denial and what it denies: `instead of the old port 8443`. */
const LONGEST_GAP = 24;

function valuesOf(text: string): ReadonlySet<string> {
  return new Set(text.slice(0, LONGEST).match(VALUE) ?? []);
}

/** The values that a sentence denies where it gives another of their kind. */
function deniedValues(sentence: string): ReadonlySet<string> {
  const start = sentence.slice(0, LONGEST);
  const values = [...start.matchAll(VALUE)];
  if (values.length < 2 || /[?？]\s*$/u.test(sentence)) return new Set();
  const denials = findWords(start, "denies");
  const isDenied = ({ index }: RegExpExecArray) =>
    denials.some(
      ({ end }) => end <= index && index - end <= LONGEST_GAP && !/[,;.:，；。：]/u.test(start.slice(end, index)),
    );
  const denied = values.filter(isDenied).map(([value]) => value);
  const given = values.filter((value) => !isDenied(value)).map(([value]) => value);
  const isFigure = (value: string) => /^\d/u.test(value);
  return new Set(
    denied.filter((value) => given.some((other) => other !== value && isFigure(other) === isFigure(value))),
  );
}

/** Says that it corrects, or speaks of nothing that the rule does not. */
function isAbout(rule: string, sentence: string): boolean {
  if (says(sentence, "refersBack")) return true;
  const known = new Set(wordTokens(rule));
  return wordTokens(sentence.slice(0, LONGEST)).every(
    (word) => known.has(word) || word.length <= 3 || /\d/u.test(word) || says(word, "denies") || says(word, "lasting"),
  );
}

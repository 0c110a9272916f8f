// Rules: sentences in which a user, or a system or developer message, demanded or forbade something for good. Tools,
// assistants and hosts make none. They are quoted and cited: whether one still holds, later words decide.
import { RULE_WORDS } from "../language/rule-words.ts";
import { isProse, readSentences } from "../language/sentences.ts";
import { cutAt } from "../text/quote.ts";
import type { Stepwise } from "../tokens/stepwise.ts";
import type { FactMessage } from "./fact-message.ts";
import { newestByKey, type RuleFact } from "./ledger.ts";

const LONGEST = 300;
const LONGEST_TEXT = 40_000;
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
  for (const { spoken, source } of messages) {
    for (const { author, text } of spoken) {
      if (author !== "user" && author !== "system") continue;
      for (const sentence of findRuleSentences(text)) found.push({ kind: "rule", ...sentence, source });
      yield;
    }
  }
  return mergeRules([], found);
}

/** A sentence that is no question, no heading and nothing pasted. */
export function findRuleSentences(text: string): readonly Pick<RuleFact, "text" | "polarity">[] {
  return readSentences(text.slice(0, LONGEST_TEXT)).flatMap((sentence) => {
    const start = sentence.slice(0, LONGEST);
    if (/[?？:：]\s*$/u.test(sentence) || !isProse(start)) return [];
    const forbids = FORBIDS.exec(start)?.index ?? Number.POSITIVE_INFINITY;
    const demands = DEMANDS.exec(start)?.index ?? Number.POSITIVE_INFINITY;
    if (Math.min(forbids, demands) === Number.POSITIVE_INFINITY) return [];
    return [{ text: cutAt(sentence, LONGEST), polarity: forbids <= demands ? "must_not" : "must" } as const];
  });
}

/** The same words said again are one rule, where they were said last. */
export function mergeRules(earlier: readonly RuleFact[], later: readonly RuleFact[]): readonly RuleFact[] {
  return newestByKey([...earlier, ...later], ({ text }) => text.toLowerCase());
}

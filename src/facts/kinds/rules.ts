// Rules: what a user, or a system or developer message, demanded or forbade. Tools, assistants and hosts make none.
// Repeats are one rule; a later rule or permission about the same thing marks the earlier one replaced.
import { cutAt } from "../../text/cut.ts";
import { runThrough, type Stepwise } from "../../tokens/turns/stepwise.ts";
import type { FactMessage } from "../fact-message.ts";
import { isChangedNumber, isEqualSet, isSubset, normalWords, subjectWords } from "../language/normal-words.ts";

import type { RuleFact, Source } from "../ledger.ts";
import { findRuleSentences } from "../spoken/rule-sentences.ts";

const LONGEST = 300;
/** How many rules that share a word are looked at for a contradiction: newest first. */
const MOST_CANDIDATES = 40;

/**
 * A sentence that only lifts a rule ("you may touch migrations/ now") is held as a rule replaced by itself, so it is
 * never shown as current and still reaches the rules of earlier rounds; `mergeRules` then drops it.
 */
export function extractRules(messages: readonly FactMessage[]): readonly RuleFact[] {
  return runThrough(extractRulesStepwise(messages));
}

export function* extractRulesStepwise(messages: readonly FactMessage[]): Stepwise<readonly RuleFact[]> {
  const found: RuleFact[] = [];
  for (const { spoken, source } of messages) {
    for (const { author, text } of spoken) {
      if (author !== "user" && author !== "system") continue;
      for (const sentence of yield* findRuleSentences(text, author === "system")) {
        const isLifting = sentence.polarity === "lifted";
        const polarity = sentence.polarity === "lifted" ? "must" : sentence.polarity;
        const rule: RuleFact = { kind: "rule", text: cutRule(sentence.text), polarity, source };
        found.push(isLifting ? { ...rule, supersededBy: source } : rule);
      }
      yield;
    }
  }
  return settle([], found);
}

export function mergeRules(earlier: readonly RuleFact[], later: readonly RuleFact[]): readonly RuleFact[] {
  return settle(earlier, later).filter((rule) => !isLifting(rule));
}

function isLifting({ supersededBy, source }: RuleFact): boolean {
  return supersededBy !== undefined && isSame(supersededBy, source);
}

function isSame(left: Source, right: Source): boolean {
  return left.step === right.step && left.message === right.message;
}

function cutRule(text: string): string {
  const trimmed = text.replace(/\s+/gu, " ").trim();
  return trimmed.length <= LONGEST ? trimmed : `${cutAt(trimmed, LONGEST - 1)}…`;
}

interface Known {
  rule: RuleFact;
  readonly subjects: ReadonlySet<string>;
}

/** Adds rule by rule, as they were said. Each meets a bounded number of earlier ones, so time stays linear. */
function settle(earlier: readonly RuleFact[], later: readonly RuleFact[]): readonly RuleFact[] {
  const known: Known[] = [];
  const byText = new Map<string, Known>();
  const bySubject = new Map<string, Known[]>();
  const add = (rule: RuleFact): void => {
    const entry: Known = { rule, subjects: subjectWords(rule.text) };
    known.push(entry);
    if (isLifting(rule)) return;
    byText.set(keyOf(rule), entry);
    for (const word of entry.subjects) {
      const list = bySubject.get(word);
      if (list === undefined) bySubject.set(word, [entry]);
      else list.push(entry);
    }
  };
  for (const rule of earlier) add(rule);
  for (const rule of later) {
    const repeated = isLifting(rule) ? undefined : byText.get(keyOf(rule));
    if (repeated !== undefined && (rule.supersededBy === undefined || repeated.rule.supersededBy !== undefined)) {
      repeated.rule = { ...rule, text: repeated.rule.text };
      replaceOthers(repeated, bySubject);
      continue;
    }
    if (repeated !== undefined) {
      // Said again and lifted in the newer stretch: what holds is the newer state.
      repeated.rule = { ...rule, text: repeated.rule.text };
      continue;
    }
    add(rule);
    const added = known.at(-1);
    if (added !== undefined) replaceOthers(added, bySubject);
  }
  return known.map(({ rule }) => rule);
}

function keyOf({ text, polarity }: RuleFact): string {
  return `${polarity} ${normalWords(text)}`;
}

function replaceOthers(newer: Known, bySubject: ReadonlyMap<string, readonly Known[]>): void {
  for (const word of newer.subjects) {
    for (const older of (bySubject.get(word) ?? []).slice(-MOST_CANDIDATES)) {
      if (older === newer || older.rule.supersededBy !== undefined) continue;
      if (replaces(newer, older)) older.rule = { ...older.rule, supersededBy: newer.rule.source };
    }
  }
}

function replaces(newer: Known, older: Known): boolean {
  if (isLifting(newer.rule)) {
    const namesRule =
      /\b(?:rule|restriction|constraint|ban|regla|norma|regra|regel|verbot|règle|consigne)\b|规则|限制|ルール|規則/iu.test(
        newer.rule.text,
      );
    return isSubset(older.subjects, newer.subjects) || (namesRule && isSubset(newer.subjects, older.subjects));
  }
  if (newer.rule.supersededBy !== undefined) return false;
  if (newer.rule.polarity !== older.rule.polarity) return isEqualSet(newer.subjects, older.subjects);
  return isChangedNumber(newer.rule.text, older.rule.text);
}

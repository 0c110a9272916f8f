// Which lines of the ledger stand beside a model's answer: whole sections that it lacks, and, whatever it says, the
// user's words and rules, the plan, changed files, names that recur, values and errors that are open.

import { subjectWords } from "../../facts/language/normal-words.ts";
import type { Ledger } from "../../facts/ledger.ts";
import { type DigestLine, RANK, type Section } from "../digest/digest-line.ts";
import type { Digest } from "../extractive-summarizer.ts";
import type { AnswerLine } from "./answer-lines.ts";

/** Share of a plan item's words at which a line of the model speaks of that item. */
const SAME_ITEM = 0.7;

const MOST_COMPARED = 200;

/**
 * Of a digest of `room` tokens, the lines that the answer does not hold; and in the room of those that it does, what has to
 * stand there and found none.
 */
export function linesByCode(
  { kept, all }: Pick<Digest, "kept" | "all">,
  answer: readonly DigestLine[],
  isThin: boolean,
  { room, count }: { readonly room: number; readonly count: (text: string) => number },
): readonly DigestLine[] {
  const text = answer.map((line) => line.text).join("\n");
  const present = new Set<Section>(isThin ? [] : answer.map(({ section }) => section));
  const isMissing = (line: DigestLine) => isMandatory(line) && !isHeld(line, text);
  const lines = kept.filter((line) => !present.has(line.section) || isMissing(line));
  let left = lines.reduce((rest, line) => rest - count(`${line.text}\n`), room);
  const known = new Set(kept);
  const more = all
    .filter((line) => !known.has(line) && isMissing(line))
    .sort((a, b) => a.rank - b.rank || b.order - a.order);
  for (const line of more) {
    const tokens = count(`${line.text}\n`);
    if (tokens > left) continue;
    lines.push(line);
    left -= tokens;
  }
  return lines;
}

function isMandatory({ section, rank }: DigestLine): boolean {
  switch (section) {
    case "requests":
    case "values":
    case "errors":
      return rank <= RANK.state;
    case "rules":
      return rank <= RANK.words;
    case "plan":
    case "written":
      return true;
    case "identifiers":
    // A file that was read and recurs stands there for its name.
    case "read":
      return rank <= RANK.state;
    default:
      return false;
  }
}

function isHeld({ section, text }: DigestLine, answer: string): boolean {
  switch (section) {
    case "requests":
    case "rules":
      return holdsQuote(text, answer);
    case "plan":
      return answer.includes(text);
    case "values":
      return answer.includes(bareName(text.slice(text.indexOf(" = ") + 3)));
    case "errors":
      return answer.includes(text.slice(text.lastIndexOf("["))) || answer.includes(text.slice(8, 68));
    case "identifiers":
      return namesOf(text).every((name) => answer.includes(name));
    default:
      return answer.includes(bareName(text.slice(2)));
  }
}

/** `- [1.4] a, b` and `- a, b (what they are) [1.4]`. */
function namesOf(line: string): readonly string[] {
  return bareName(line.slice(2).replace(/^\[[\d., ]{1,40}\] /, "")).split(", ");
}

/** Word for word, from the first quotation mark to the last. */
function holdsQuote(line: string, answer: string): boolean {
  const start = line.indexOf('"');
  const end = line.lastIndexOf('"');
  return end > start && answer.includes(line.slice(start + 1, end));
}

/** The name that a line opens with, without what is said about it. */
function bareName(text: string): string {
  const end = /: | \[| -> | \(/.exec(text)?.index ?? text.length;
  return text.slice(0, end).trim();
}

/**
 * Without what contradicts or repeats the plan that code keeps (how an item stands is read off the plan itself), and
 * without rules that code quotes in the user's own words.
 */
export function withoutRepeats(answer: readonly AnswerLine[], { plans, rules }: Ledger): readonly AnswerLine[] {
  const known: Partial<Record<Section, readonly ReadonlySet<string>[]>> = {
    plan: plans.flatMap((plan) => plan.items.map((item) => subjectWords(item.text))).slice(0, MOST_COMPARED),
    rules: rules.slice(-MOST_COMPARED).map((rule) => subjectWords(rule.text)),
  };
  return answer.filter((line) => !known[line.section]?.some((words) => isAbout(line.text, words)));
}

function isAbout(text: string, words: ReadonlySet<string>): boolean {
  if (words.size === 0) return false;
  const own = subjectWords(text.slice(0, 600));
  let shared = 0;
  for (const word of words) if (own.has(word)) shared += 1;
  return shared >= words.size * SAME_ITEM;
}

/** Tells a ledger that has something to say from an empty one. */
export function hasFacts(ledger: Ledger): boolean {
  return Object.values(ledger).some((facts) => Array.isArray(facts) && facts.length > 0);
}

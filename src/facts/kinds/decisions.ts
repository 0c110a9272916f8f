// Decisions: choices a user or the assistant made, why, over what, on what grounds and with what result. What counts
// as one is decided sentence by sentence beside this file; here it is put into its place in the conversation.
import { cutAt } from "../../text/cut.ts";
import { runThrough, type Stepwise } from "../../tokens/turns/stepwise.ts";
import type { FactMessage } from "../fact-message.ts";
import { isChangedNumber, isSubset, normalWords, subjectWords } from "../language/normal-words.ts";
import type { DecisionFact, Source } from "../ledger.ts";
import { formOfAnswer, namedOption } from "../spoken/answers.ts";
import { type Choice, findChoices, findRecommendation, readReasons } from "../spoken/choices.ts";
import { readOptions } from "../spoken/options.ts";
import { Surroundings } from "../spoken/surroundings.ts";

const LONGEST = 300;
const MOST_ALTERNATIVES = 4;
/** Options that answer "why?" are no ways to go. */
const ASKS_WHY = /\b(?:reasons?|why)\b[^\n]{0,80}[?:]\s*$/im;
/** How many earlier decisions that share a word are looked at, newest first. */
const MOST_CANDIDATES = 40;

export function extractDecisions(messages: readonly FactMessage[]): readonly DecisionFact[] {
  return runThrough(extractDecisionsStepwise(messages));
}

export function* extractDecisionsStepwise(messages: readonly FactMessage[]): Stepwise<readonly DecisionFact[]> {
  const surroundings = new Surroundings(messages);
  const found: DecisionFact[] = [];
  let proposed = "";
  for (const [at, { spoken, source }] of messages.entries()) {
    for (const { author, text } of spoken) {
      if (author !== "user" && author !== "assistant") continue;
      const choices = author === "user" ? userChoices(text, proposed) : findChoices(text, author);
      const made = choices.filter(({ needsDoing }) => !needsDoing || surroundings.isFollowedByDoing(at));
      for (const choice of made) {
        const around = { inputs: surroundings.before(at), outputs: surroundings.after(at) };
        found.push(toFact(choice, author, around, source));
      }
      proposed = author === "assistant" ? text : "";
      yield;
    }
  }
  return settle([], found);
}

function toFact(
  { text, rationale, alternatives }: Choice,
  by: DecisionFact["by"],
  around: Pick<DecisionFact, "inputs" | "outputs">,
  source: Source,
): DecisionFact {
  return {
    kind: "decision",
    text: cutDecision(text),
    by,
    ...(rationale && { rationale }),
    alternatives,
    ...around,
    source,
  };
}

export function mergeDecisions(
  earlier: readonly DecisionFact[],
  later: readonly DecisionFact[],
): readonly DecisionFact[] {
  return settle(earlier, later);
}

/** What a user chose in own words, or by naming or approving what the assistant put forward just before. */
function userChoices(text: string, proposed: string): readonly Choice[] {
  const own = findChoices(text, "user");
  const picked = pickedOption(text, proposed) ?? (own.length === 0 ? approvedProposal(text, proposed) : undefined);
  return picked === undefined ? own : [picked, ...own.filter((choice) => namedOption(choice.text) === undefined)];
}

function pickedOption(text: string, proposed: string): Choice | undefined {
  const label = proposed === "" || /[?？]\s*$/u.test(text) ? undefined : namedOption(text)?.toUpperCase();
  if (label === undefined) return undefined;
  const options = readOptions(proposed);
  const picked = options.find((option) => option.label === label);
  if (picked === undefined || options.length < 2 || ASKS_WHY.test(proposed)) return undefined;
  const others = options.filter((option) => option !== picked).map((option) => option.text);
  const { rationale } = readReasons(text);
  return {
    text: `option ${label}: ${picked.text}`,
    ...(rationale && { rationale }),
    alternatives: others.slice(0, MOST_ALTERNATIVES),
    needsDoing: false,
  };
}

function approvedProposal(text: string, proposed: string): Choice | undefined {
  if (proposed === "" || text.length > LONGEST || formOfAnswer(text) !== "approval") return undefined;
  return findRecommendation(proposed);
}

function cutDecision(text: string): string {
  const line = text.replace(/\s+/gu, " ").trim();
  return line.length <= LONGEST ? line : `${cutAt(line, LONGEST - 1)}…`;
}

interface Known {
  fact: DecisionFact;
  /** Words of what was chosen, without what was not and why. */
  readonly chosen: ReadonlySet<string>;
  readonly purpose: ReadonlySet<string>;
}

function know(fact: DecisionFact): Known {
  let words = fact.text;
  for (const other of [...fact.alternatives, fact.rationale ?? ""]) if (other !== "") words = words.replace(other, " ");
  const purpose = /\s(?:for|as|para|für|pour)\s(.{2,120})$/iu.exec(words)?.[1] ?? "";
  return { fact, chosen: subjectWords(words), purpose: subjectWords(purpose) };
}

/** In the order they were made; a repeat adds nothing, and time stays linear. */
function settle(earlier: readonly DecisionFact[], later: readonly DecisionFact[]): readonly DecisionFact[] {
  const known: Known[] = [];
  const texts = new Map<string, Known>();
  const bySubject = new Map<string, Known[]>();
  const add = (entry: Known): void => {
    known.push(entry);
    texts.set(normalWords(entry.fact.text), entry);
    for (const word of entry.chosen) {
      const list = bySubject.get(word);
      if (list === undefined) bySubject.set(word, [entry]);
      else list.push(entry);
    }
  };
  for (const fact of earlier) add(know(fact));
  for (const fact of later) {
    const repeated = texts.get(normalWords(fact.text));
    if (repeated !== undefined && repeated.fact.supersededBy === undefined) continue;
    const entry = know(fact);
    if (fact.supersededBy === undefined) replaceOthers(entry, bySubject);
    add(entry);
  }
  return known.map(({ fact }) => fact);
}

function replaceOthers(newer: Known, bySubject: ReadonlyMap<string, readonly Known[]>): void {
  const words = new Set([...newer.chosen, ...newer.fact.alternatives.flatMap((other) => [...subjectWords(other)])]);
  for (const word of words) {
    for (const older of (bySubject.get(word) ?? []).slice(-MOST_CANDIDATES)) {
      if (older.fact.supersededBy === undefined && replaces(newer, older)) {
        older.fact = { ...older.fact, supersededBy: newer.fact.source };
      }
    }
  }
}

/** It turns down what was chosen, or chooses something else for the same purpose, or another number. */
function replaces(newer: Known, older: Known): boolean {
  for (const other of newer.fact.alternatives) {
    const rejected = subjectWords(other);
    const isTurnedDown = isSubset(rejected, older.chosen) && !isSubset(rejected, newer.chosen);
    if (isTurnedDown && (older.chosen.size <= rejected.size + 2 || sharesOther(newer, older, rejected))) return true;
  }
  if (newer.purpose.size > 0 && newer.purpose.size === older.purpose.size && isSubset(newer.purpose, older.purpose)) {
    return !isSubset(newer.chosen, older.chosen) && !isSubset(older.chosen, newer.chosen);
  }
  return isChangedNumber(newer.fact.text, older.fact.text);
}

function sharesOther(newer: Known, older: Known, rejected: ReadonlySet<string>): boolean {
  for (const word of newer.chosen) if (older.chosen.has(word) && !rejected.has(word)) return true;
  return false;
}

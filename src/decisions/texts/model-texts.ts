// Asks a model for the text of a decision at a level: only where its text can be shorter than what it stands for, and its
// answer stands only if the record bears it out.
import { extractFactsInTurns } from "../../facts/extract-facts.ts";
import { cite, type Ledger } from "../../facts/ledger.ts";
import { dayOfYear } from "../../language/dates.ts";
import { isAmong } from "../../language/numbers.ts";
import { isAboutItself } from "../../summaries/answer/answer-cues.ts";
import { UNVERIFIED } from "../../summaries/answer/check-answer.ts";
import { evidenceOf, findClaims, findNames, isNamed, topicOf } from "../../summaries/answer/claims.ts";
import { contradicting } from "../../summaries/answer/contradictions.ts";
import { createFinder, replaceCitations } from "../../summaries/answer/source-texts.ts";
import { cutAt, flat } from "../../text/quote.ts";
import type { Decision, StoredDecision } from "../decision.ts";
import type { DecisionText } from "../decision-log.ts";
import { isNearBoth } from "../wisdom/merge-wordings.ts";
import { LINE_LENGTH, SUMMARY_LENGTH, TEXT_STRATEGY } from "./extractive-texts.ts";
import type { TextWriterOptions } from "./text-writer.ts";

type Level = DecisionText["level"];

interface Form {
  /** Code points. */
  readonly most: number;
  /** Tokens. A text of Chinese has about one for each code point. */
  readonly maxTokens: number;
  readonly note: string;
}

const FORMS: Readonly<Record<Level, Form>> = {
  summary: {
    most: SUMMARY_LENGTH,
    maxTokens: 260,
    note: "One to three sentences, at most 60 words: what came of it, what was learned, the strongest reason. Do not repeat the decision itself, its outcome or its pattern: they stand beside the text.",
  },
  digest: {
    most: LINE_LENGTH,
    maxTokens: 90,
    note: "The decision itself in one line of at most 80 characters, without a full stop. No reason, no result.",
  },
};

/**
 * Worth a model: a digest of a decision that does not fit its line; a summary where code could quote only a part of what
 * stands on record. Otherwise nothing that is shorter could say as much.
 */
export function isWorthwhile(decision: StoredDecision, level: Level, byCode: string): boolean {
  if (level === "digest") return byCode !== flat(decision.text);
  return replacedText(decision, level).length > SUMMARY_LENGTH;
}

/** Undefined for an answer that the record does not bear out, that is too long, or no shorter than what it stands for. */
export async function ask(
  decision: StoredDecision,
  level: Level,
  { summarizer, count, redact }: TextWriterOptions,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const { most, maxTokens, note } = FORMS[level];
  const record = redact(recordText(decision));
  const summary = await summarizer.summarize({
    passages: [{ id: cite(RECORD), source: "record", text: record }],
    about: "decisions",
    ledger: await recordFacts(record),
    strategy: TEXT_STRATEGY,
    maxTokens,
    note,
    count,
    ...(signal === undefined ? {} : { signal }),
  });
  if (summary.source === "extractive") return undefined;
  const text = plainAnswer(summary.text);
  const isShort = text !== "" && [...text].length <= most && count(text) < count(redact(replacedText(decision, level)));
  return isShort && (await isFaithful(text, record)) ? text : undefined;
}

const SAME_NOTE =
  "Each of the two lines is a rule. If they are the same rule in other words, write that rule once, in at most 20 words. If they differ in anything at all (what is done, to what, when, by whom), write the one word DIFFERENT.";

/** Are these one rule in two wordings? Only where the model words it as one, and that is near both. */
export async function askSame(
  texts: readonly [string, string],
  { summarizer, count, redact }: TextWriterOptions,
  signal: AbortSignal | undefined,
): Promise<boolean | undefined> {
  const record = texts.map((text) => redact(cutAt(flat(text), MOST_OF_FIELD))).join("\n");
  const summary = await summarizer.summarize({
    passages: [{ id: cite(RECORD), source: "record", text: record }],
    about: "decisions",
    ledger: await recordFacts(record),
    strategy: TEXT_STRATEGY,
    maxTokens: 60,
    note: SAME_NOTE,
    count,
    ...(signal === undefined ? {} : { signal }),
  });
  if (summary.source === "extractive") return undefined;
  const answer = plainAnswer(summary.text);
  if (/^different\b/i.test(answer)) return false;
  return isNearBoth(answer, texts) ? true : undefined;
}

// A decision as the text that a model is shown, and what of it a text of each level stands for.

/** Where a model and the ledger find the record: there is one. */
const RECORD = { step: 1, message: 1 } as const;

/** Of a field, so much is shown: what a line or three can hold stands at the beginning. */
const MOST_OF_FIELD = 4000;
const MOST_REASONS = 12;

function recordText(decision: Decision): string {
  const { text, category, date, context, reasons, pattern, outcome, actualResult, lessons } = decision;
  const lines: readonly (readonly [string, string | undefined])[] = [
    ["Decision", text],
    ["Category", category],
    ["Date", date],
    ["Context", context],
    ...reasons.slice(0, MOST_REASONS).map((reason) => [`Why (${reason.type})`, reason.text] as const),
    ["Pattern", pattern],
    ["Outcome", outcome],
    ["Result", actualResult],
    ["Learned", lessons],
  ];
  return lines
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([label, value = ""]) => `${label}: ${cutAt(value, MOST_OF_FIELD)}`)
    .join("\n");
}

/** What the level leaves out, and the text has to make up for. */
function replacedText(decision: Decision, level: DecisionText["level"]): string {
  if (level === "digest") return decision.text;
  const { context, reasons, actualResult, lessons } = decision;
  return [context, ...reasons.map(({ text }) => text), actualResult, lessons]
    .filter((text) => text !== undefined)
    .join("\n");
}

/** The record is an agent's own words: nothing in it is a user's wish or a tool's finding. */
function recordFacts(record: string): Promise<Ledger> {
  const view = {
    role: "assistant",
    parts: [{ kind: "text", text: record }],
    isProtected: false,
    isIrreplaceable: false,
    joinsNext: false,
  } as const;
  return extractFactsInTurns([{ view, source: RECORD }], (text) => text);
}

// Does a record bear out what a model made of it? Strict on purpose: an answer that is turned down costs a text that code
// writes as well, one that is wrongly let through is a false memory. What is checked how is the summaries' own.

/** Of what a text is about, so much must stand in the record: the rest is wording. */
const LEAST_SHARED = 0.5;

/** Names, figures and negations are the record's; and it is about what the record is about. */
async function isFaithful(text: string, record: string): Promise<boolean> {
  if (text.includes(UNVERIFIED) || !isAbout(text, record) || !holdsNames(text, record)) return false;
  if (contradicting(text, [{ text: record }]) !== undefined) return false;
  const finder = await createFinder([{ text: record, source: "record" }]);
  const names = findNames(text);
  const { figures, days } = findClaims(text, names);
  const said = new Set(findClaims(record, findNames(record)).figures.map(({ value }) => value));
  const evidence = evidenceOf([{ text: record }]);
  return (
    names.every((name) => isNamed(name, finder) && name.lines.every((line) => evidence.values.has(line))) &&
    figures.every((figure) => isAmong({ ...figure, isRough: false, margin: 0 }, said)) &&
    days.every((day) => finder.days.has(dayOfYear(day)))
  );
}

function isAbout(text: string, record: string): boolean {
  const words = topicOf(text);
  const known = topicOf(record);
  const shared = [...words].filter((word) => known.has(word)).length;
  return words.size > 0 && shared >= words.size * LEAST_SHARED;
}

// What a summarizer wrote, as one line of plain text: summarizers for conversations give it titles, list marks and
// citations, which mean nothing where there is one record.

const HEADING = /^\s{0,3}#{1,6}\s/;
const BOLD_TITLE = /^\s{0,3}\*\*[^*\n]{1,80}\*\*:?\s*$/;
const MARK = /^\s{0,12}(?:[-*•]|\d{1,2}[.)])\s+(?=\S)/;
const FENCE = /^\s{0,3}(?:```|~~~)/;
const UNCITED = "[uncited]";
const QUOTES: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["“", "”"],
  ["«", "»"],
  ["'", "'"],
];

function plainAnswer(text: string): string {
  const said = text
    .split("\n")
    .filter((line) => !HEADING.test(line) && !BOLD_TITLE.test(line) && !FENCE.test(line) && !isAboutItself(line.trim()))
    .map((line) =>
      replaceCitations(line.replace(MARK, ""), () => "")
        .replaceAll(UNCITED, "")
        .trim(),
    )
    .filter((line) => line !== "");
  return withoutQuotes(flat(said.join(" ")));
}

function withoutQuotes(line: string): string {
  const around = QUOTES.find(([open, close]) => line.length > 2 && line.startsWith(open) && line.endsWith(close));
  if (around === undefined) return line;
  const inner = line.slice(1, -1);
  return inner.includes(around[0]) || inner.includes(around[1]) ? line : inner.trim();
}

// Names by their capitals, for those that look like no identifier: products, people, places. A word that opens a sentence
// has a capital anyway, so it counts unless it is one of those that sentences open with.

const WORD = /[\p{L}\p{N}][\p{L}\p{N}_'’-]{0,60}/gu;
const OPENERS = new Set(
  `a an the this that these those it its they there one both each all some no not never none nothing without because since although though
  while when where after before until unless once if as by for from in into on of at to with over under per via so but and or then also however
  instead rather only still yet even now later first next last finally result results reason reasons outcome decision decided decide lesson lessons
  learned learnt why what who how which we our i he she you chose chosen choose choosing picked pick kept keep keeping took take taking used use
  using adopted adopt adopting moved move moving switched switch switching added add adding removed remove removing replaced replace replacing
  made make making built build building ran run running wrote write writing shipped ship fixed fix fixing avoided avoid avoiding split merged merge
  dropped drop dropping rejected reject failed fail failing succeeded worked work works stayed stay saved save saving cut kept went led left let
  must should may might can could will would do does did was were is are be been has have had always every pause check test store
  preferred prefer given due despite during testing reviewing review releasing release expected expect wait waiting`
    .split(/\s+/u)
    .filter((word) => word !== ""),
);

/** Is every word of `text` with a capital also one of the record, in any case? */
function holdsNames(text: string, record: string): boolean {
  const known = new Set((record.match(WORD) ?? []).flatMap((word) => [keyOf(word), ...wordParts(word)]));
  for (const match of text.matchAll(WORD)) {
    const word = match[0];
    if (!/\p{Lu}/u.test(word) || known.has(keyOf(word))) continue;
    if (wordParts(word).every((part) => known.has(part)) && wordParts(word).length > 1) continue;
    if (opensSentence(text, match.index) && OPENERS.has(keyOf(word))) continue;
    if (opensSentence(text, match.index) && isFormOf(word, known)) continue;
    return false;
  }
  return true;
}

function keyOf(word: string): string {
  return word
    .toLowerCase()
    .replace(/['’]s?$/u, "")
    .replace(/[-_]+$/u, "");
}

function wordParts(word: string): readonly string[] {
  return word
    .split(/[-_'’]/u)
    .filter(Boolean)
    .map(keyOf);
}

/** Another ending of a word of the record: `Exported` where it has `export`. */
function isFormOf(word: string, known: ReadonlySet<string>): boolean {
  const key = keyOf(word);
  for (let length = key.length - 1; length >= 4 && length >= key.length - 3; length -= 1) {
    const stem = key.slice(0, length);
    for (const ending of ["", "e", "s", "ed", "es", "ing"]) if (known.has(stem + ending)) return true;
  }
  return false;
}

function opensSentence(text: string, index: number): boolean {
  return (
    index === 0 ||
    /[.!?:;。！？]["'”’)\]*_`]{0,3}\s{1,3}["'“‘(*_`[]{0,3}$/u.test(text.slice(Math.max(0, index - 10), index))
  );
}

// Holds a summary that somebody wrote against the rows that it is to stand for: what it names that none of them says, and
// what they say that it leaves out. Both are hints, found by looking names, figures and days up; nothing is understood.
import { findRuleSentences } from "../../facts/rules.ts";
import { findDays, replaceDays, type WrittenDay } from "../../language/dates.ts";
import { type Figure, findFigures, isAmong, valuesOf } from "../../language/numbers.ts";
import { findClaims, findNames, isNamed, stemOf, stemsOf } from "../../summaries/answer/claims.ts";
import { createFinder } from "../../summaries/answer/source-texts.ts";
import { compareTexts } from "../../text/words.ts";
import type { Observation } from "../observation.ts";
import { indexTokens } from "../search-words.ts";

interface WrittenSummary {
  readonly title: string;
  readonly content: string;
}

/** Numbers, days, names and ids of the summary that none of the rows has, in the order of the text; each once. */
export async function unsupportedIn(
  { title, content }: WrittenSummary,
  rows: readonly Observation[],
): Promise<readonly string[]> {
  const text = `${title}\n${content}`.replace(LIST_NUMBER, "- ");
  const sources = rows.map((row) => ({ text: sourceText(row), source: "record" as const }));
  const finder = await createFinder(sources);
  const said = sources.map((source) => source.text).join("\n");
  const names = findNames(text);
  const { figures, days } = findClaims(text, names);
  const values = valuesOf(said);
  const counts = countsOf(said);
  const isSaid = (figure: Figure) => {
    if (figure.value > rows.length) return isAmong(figure, values);
    // Small numbers may be counts of ours, but not of what the rows count otherwise.
    const told = counts.get(nounBehind(text, figure));
    return told === undefined || told.has(figure.value) || figure.value === rows.length;
  };
  const known = findDays(said);
  const found = [
    ...names.filter((name) => !isNamed(name, finder)).map(({ value }) => value),
    ...figures.filter((figure) => !isSaid(figure)).map((figure) => figure.text),
    ...days.filter((day) => !isKnownDay(day, known)).map((day) => day.text),
    ...namesInProse(content).filter((name) => [name, ...indexTokens(name)].every((form) => finder.find(form) < 0)),
  ];
  return [...new Set(found)].sort((one, other) => text.indexOf(one) - text.indexOf(other) || compareTexts(one, other));
}

/** By the word behind them, the numbers that a text says. */
function countsOf(text: string): ReadonlyMap<string, ReadonlySet<number>> {
  const counts = new Map<string, Set<number>>();
  for (const figure of findFigures(text)) {
    const noun = nounBehind(text, figure);
    if (noun !== "") counts.set(noun, (counts.get(noun) ?? new Set()).add(figure.value));
  }
  return counts;
}

/** Its beginning; empty where no word follows. */
function nounBehind(text: string, { index, text: written }: Figure): string {
  const [, word = ""] = /^\s(\p{L}{3,})/u.exec(text.slice(index + written.length)) ?? [];
  return stemOf(word.toLowerCase());
}

const LIST_NUMBER = /^\s{0,12}\d{1,3}[.)]\s/gmu;
/** A capital inside of a sentence. */
const CAPITAL = /(?<=[\p{Ll}\d,;]\s)\p{Lu}[\p{L}\p{N}'’-]{2,40}/gu;
/** Months and weekdays: what they stand for may be said in figures. */
const CALENDAR = new Set(
  Array.from({ length: 12 }, (_, at) => [
    new Date(Date.UTC(2024, at)).toLocaleString("en", { month: "long", timeZone: "UTC" }),
    new Date(Date.UTC(2024, 0, at)).toLocaleString("en", { weekday: "long", timeZone: "UTC" }),
  ]).flat(),
);
/** Where more of the words have one, all nouns do: the language's way of writing tells no names. */
const MOST_CAPITALS = 0.15;

function namesInProse(written: string): readonly string[] {
  const text = replaceDays(written, ({ text: day }) => " ".repeat(day.length));
  const names = (text.match(CAPITAL) ?? []).filter((name) => !CALENDAR.has(name));
  return names.length > text.split(/\s+/u).length * MOST_CAPITALS ? [] : names;
}

/** With what is known of a row beside its text. */
function sourceText({ id, title, content, type, project, topic_key, session_id, created_at, updated_at }: Observation) {
  return [`#${id} ${title}`, content, type, project, topic_key, session_id, created_at, updated_at].join("\n");
}

/** A day that is written without a year is every year's. */
function isKnownDay(day: WrittenDay, known: readonly WrittenDay[]): boolean {
  const { month, day: number, year } = day;
  return known.some(
    (other) =>
      other.month === month &&
      other.day === number &&
      (year === undefined || other.year === undefined || other.year === year),
  );
}

export interface LeftOut {
  readonly id: number;
  /** Rules, names, numbers and days of the row that the summary does not have. */
  readonly facts: readonly string[];
}

/** Of a row; more say nothing more. */
const MOST_FACTS = 4;
/** Smaller numbers are counts of anything. */
const LEAST_NUMBER = 10;

/** Rows of which a rule, a name, a number or a day is not in the summary, those with most first. */
export async function leftOutOf(
  { title, content }: WrittenSummary,
  rows: readonly Observation[],
): Promise<readonly LeftOut[]> {
  const text = `${title}\n${content}`;
  const finder = await createFinder([{ text, source: "record" }]);
  const values = valuesOf(text);
  const days = findDays(text);
  const stems = new Set(stemsOf(text));
  const left = rows.map((row): LeftOut => {
    const said = `${row.title}\n${row.content}`;
    const names = findNames(said);
    const claims = findClaims(said, names);
    const facts = [
      ...findRuleSentences(said)
        .map((rule) => rule.text)
        .filter((rule) => !isTold(stemsOf(rule), stems)),
      ...names.filter((name) => !isNamed(name, finder)).map(({ value }) => value),
      ...claims.figures.filter((one) => one.value >= LEAST_NUMBER && !isAmong(one, values)).map((one) => one.text),
      ...claims.days.filter((day) => !isKnownDay(day, days)).map((day) => day.text),
    ];
    return { id: row.id, facts: [...new Set(facts)] };
  });
  return left
    .filter(({ facts }) => facts.length > 0)
    .sort((one, other) => other.facts.length - one.facts.length || one.id - other.id)
    .map(({ id, facts }) => ({ id, facts: facts.slice(0, MOST_FACTS) }));
}

/** Most words of a sentence stand in the summary. */
function isTold(words: readonly string[], told: ReadonlySet<string>): boolean {
  return words.filter((word) => told.has(word)).length * 3 >= words.length * 2;
}

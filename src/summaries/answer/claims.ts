// What a statement claims that can be looked up: names, figures, days. A name must stand somewhere in the conversation; a
// figure in the messages that the statement cites, or beside what it speaks of.
import { findIdentifiers } from "../../facts/identifiers.ts";
import { type Day, type Figure, findDays, findFigures, isAmong, valuesOf } from "../../language/figures.ts";
import { hasStance } from "../../language/stance-words.ts";
import { type Finder, isNear, normalOf, type SourceText } from "./source-texts.ts";

const SPAN = /(?<!`)`([^`\n]{2,300})`(?!`)/gu;
/** Names as code writes them, and addresses. */
const CODE_NAME =
  /(?<![\w./@-])(?:[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}|[A-Za-z][a-z0-9]{1,40}(?:[A-Z][a-z0-9]{0,40}){1,8}|[a-z][a-z0-9]{0,40}(?:_[a-z0-9]{1,40}){1,8}|[A-Z]{1,6}\d{3,7}|\d{1,2}:\d{2}(?::\d{2})?|(?!(?:step|phase|day|week|top|level|tier|type|version|round|part|utf|iso|sha|gpt|claude)-)[a-z]{2,20}(?:-[a-z]{1,20}){0,4}-\d{1,4})(?![\w-]|\.\w)/gu;
/** Everybody knows them. */
const COMMON =
  /^(?:java|type|coffee)script$|^(?:git(?:hub|lab)|postgre(?:s|sql)|mysql|youtube|linkedin|macos|ios|openai|graphql|node\.js|next\.js|vue\.js|utf-?\d+|sha-?\d+)$/iu;
const LINED = /^(.{1,2000}?):(\d{1,7})(?:[-–]L?(\d{1,7}))?$/su;
/** What stands for folders that are left out, and for the place that a path starts from. */
const LEFT_OUT = /[\\/](?:\.{3}|…|\*\*)[\\/]/u;
const MOST_PARTS = 14;

export interface Name {
  readonly value: string;
  /** Without its line. */
  readonly stem: string;
  readonly lines: readonly number[];
}

/** Distinct names, the longest first. */
export function findNames(text: string): readonly Name[] {
  const spans = [...text.matchAll(SPAN)].map(([, span = ""]) => span).filter(isCode);
  const code = [...text.matchAll(CODE_NAME)].map(([name]) => name);
  const values = new Set([...spans, ...findIdentifiers(text).map((name) => withRange(name, text)), ...code]);
  return [...values]
    .filter((value) => !COMMON.test(value))
    .sort((a, b) => b.length - a.length)
    .map((value) => {
      const [, stem = value, first, last] = LINED.exec(value) ?? [];
      return { value, stem, lines: [first, last].filter((line) => line !== undefined).map(Number) };
    });
}

/** What has other letters in it is a word of the user's language as likely as code; a tag is a word of its own. */
function isCode(span: string): boolean {
  return /^[\x20-\x7e]+$/u.test(span) && !/^<\/?[a-z][\w-]{0,40}>$/u.test(span);
}

/** `a.ts:142-160` is read as `a.ts:142`; its end belongs to it. */
function withRange(name: string, text: string): string {
  if (!LINED.test(name)) return name;
  const at = text.indexOf(name) + name.length;
  return name + (/^[-–]L?\d{1,7}/u.exec(text.slice(at, at + 12))?.[0] ?? "");
}

/** Said somewhere, in any spelling: whole, by the words of a command, or by parts of a path. */
export function isNamed({ stem }: Name, finder: Finder): boolean {
  if (finder.find(stem) >= 0) return true;
  if (/\s/u.test(stem)) return finder.holdsWords(stem);
  const parts = stem.split(LEFT_OUT);
  if (parts.length > 1) return parts.every((part) => finder.find(part) >= 0);
  // An absolute path is said by a working directory and what follows it.
  const cuts = [...stem.matchAll(/[\\/@]/gu)].slice(0, MOST_PARTS).map(({ index }) => index);
  return cuts.some((cut) => cut > 0 && finder.find(stem.slice(0, cut)) >= 0 && finder.find(stem.slice(cut + 1)) >= 0);
}

/** What a statement says, apart from its citations and names. */
export interface Claims {
  readonly figures: readonly Figure[];
  readonly days: readonly Day[];
  readonly stems: readonly string[];
}

export function findClaims(plain: string, names: readonly Name[]): Claims {
  const rest = names.reduce((text, { value }) => text.replaceAll(value, (found) => " ".repeat(found.length)), plain);
  const days = findDays(rest);
  const bare = days.reduce(
    (text, { text: day, index }) => text.slice(0, index) + " ".repeat(day.length) + text.slice(index + day.length),
    rest,
  );
  return { figures: findFigures(bare), days, stems: stemsOf(plain) };
}

const STEM = 5;

/** Beginnings of the words that say what a text is about; small words are short. */
export function stemsOf(text: string): readonly string[] {
  const words = normalOf(text).split(" ");
  return [...new Set(words.filter((word) => word.length > 3 && !/^\d+$/u.test(word)).map(stemOf))];
}

function stemOf(word: string): string {
  const bare = word.replace(/(?:ing|ed|es|s|e)$/u, "");
  return (bare.length > 2 ? bare : word).slice(0, STEM);
}

export interface Evidence {
  /** The cited messages and their neighbours: a call's result is the next one. */
  readonly cited: string;
  readonly values: ReadonlySet<number>;
  /** What tools printed: full of small numbers, so these count only beside what a statement speaks of. */
  readonly printed: string;
  readonly said: ReadonlySet<number>;
  readonly days: readonly Day[];
}

/** Of a message so much is read, at both of its ends. */
const READ = 30_000;

export function evidenceOf(texts: readonly Pick<SourceText, "text" | "source">[]): Evidence {
  const join = (some: typeof texts) =>
    some
      .map(({ text }) => (text.length <= 2 * READ ? text : `${text.slice(0, READ)}\n${text.slice(-READ)}`))
      .join("\n");
  const isPrinted = ({ source }: (typeof texts)[number]) => source === "tool" || source === "ledger";
  const [printed, said] = [join(texts.filter(isPrinted)), join(texts.filter((text) => !isPrinted(text)))];
  const cited = `${said}\n${printed}`;
  return {
    cited,
    printed: ` ${normalOf(printed)} `,
    values: valuesOf(cited),
    said: valuesOf(said),
    days: findDays(cited),
  };
}

/** Smaller ones stand in every longer output. */
const LARGE = 1000;
/** Larger ones are no counts of things that a message lists. */
const MOST_COUNTED = 30;

export function isFigureKnown(
  figure: Figure,
  { stems }: Claims,
  statement: string,
  evidence: Evidence,
  finder: Finder,
): boolean {
  const { value, text, isRough, index } = figure;
  if (isAmong(figure, evidence.said) || isCount(figure, statement)) return true;
  const isSmall = Number.isInteger(value) && value < LARGE;
  if (isAmong(figure, evidence.values) && (!isSmall || isNear(evidence.printed, ` ${value} `, stems, 1))) return true;
  const named = /[\w.]{2,60}[=:#]\s?$/u.exec(statement.slice(0, index))?.[0];
  if (named !== undefined && finder.find(named + text) >= 0) return true;
  if (isSmall) return isSmallKnown(figure, stems, statement, evidence, finder);
  if (value < 2200 && hasStance(evidence.cited, "relative"))
    return [value - 1, value, value + 1].some((year) => evidence.values.has(year));
  const least = isRough ? 2 : 1;
  return (
    finder.standsNear(text.replace(/[,'’_](?=\d{3})/gu, ""), stems, least) || finder.standsNear(text, stems, least)
  );
}

/** Small numbers stand everywhere: `phase 2` counts beside most of what the statement says, where it cites anything. */
function isSmallKnown(
  { value, text, index }: Figure,
  stems: readonly string[],
  statement: string,
  { cited }: Evidence,
  finder: Finder,
): boolean {
  if (cited.trim() === "") return finder.standsNear(text, stems, Math.min(1, stems.length));
  if (value > MOST_COUNTED) return finder.standsNear(text, stems, value >= 100 ? 2 : 3);
  const label = /\p{L}{3,20} $/u.exec(statement.slice(0, index))?.[0];
  return label !== undefined && finder.standsNear(label + text, stems, Math.max(1, Math.ceil(stems.length / 2)));
}

/** Of things that the statement lists itself. */
function isCount({ value, isRough, index }: Figure, statement: string): boolean {
  if (isRough || !Number.isInteger(value) || value > MOST_COUNTED) return false;
  if (!/^\S+\s+(?:\p{L}+[ -]){0,3}?\p{L}{2,}s(?!\p{L})/u.test(statement.slice(index))) return false;
  return statement.slice(index).split(/,| and | und | y | et |;/u).length === value;
}

/** Days between which a message may say "last month" of one. */
const RELATIVE_DAYS = 62;

/** Said, or told from the day of the message: "yesterday". */
export function isDayKnown({ day }: Day, { cited, days }: Evidence, finder: Finder): boolean {
  if (finder.days.has(day)) return true;
  return hasStance(cited, "relative") && days.some((known) => Math.abs(known.day - day) % 340 <= RELATIVE_DAYS);
}

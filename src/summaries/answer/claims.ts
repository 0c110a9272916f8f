// What a statement claims that can be looked up: names, figures, days. A name must stand somewhere in the conversation; a
// figure in the messages that the statement cites, or beside what it speaks of.
import { findIdentifiers } from "../../facts/said.ts";
import { findDays, replaceDays, type WrittenDay } from "../../language/dates.ts";
import { type Figure, findFigures, isAmong, valuesOf } from "../../language/numbers.ts";
import { isBigram, wordTokens } from "../../text/words.ts";
import { type Finder, isNear, normalOf, type SourceText } from "./source-texts.ts";

const SPAN = /(?<!`)`([^`\n]{2,300})`(?!`)/gu;
/** Names as code writes them, and addresses. */
const CODE_NAME =
  /(?<![\w./@-])(?:[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}|[A-Za-z][a-z0-9]{1,40}(?:[A-Z][a-z0-9]{0,40}){1,8}|[a-z][a-z0-9]{0,40}(?:_[a-z0-9]{1,40}){1,8}|[A-Z]{1,6}\d{3,7}|\d{1,2}:\d{2}(?::\d{2})?|(?!(?:step|phase|day|week|top|level|tier|type|version|round|part|utf|iso|sha|gpt|claude)-)[a-z]{2,20}(?:-[a-z]{1,20}){0,4}-\d{1,4})(?![\w-]|\.\w)/gu;
const LINED = /^(.{1,2000}?):(\d{1,7})(?:[-–]L?(\d{1,7}))?$/su;
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

/** Said somewhere, in any spelling: whole, or by parts of a path. */
export function isNamed({ stem }: Name, finder: Finder): boolean {
  if (finder.find(stem) >= 0) return true;
  if (/\s/u.test(stem)) return false;
  // An absolute path is said by a working directory and what follows it.
  const cuts = [...stem.matchAll(/[\\/@]/gu)].slice(0, MOST_PARTS).map(({ index }) => index);
  return cuts.some((cut) => cut > 0 && finder.find(stem.slice(0, cut)) >= 0 && finder.find(stem.slice(cut + 1)) >= 0);
}

/** What a statement says, apart from its citations and names. */
export interface Claims {
  readonly figures: readonly Figure[];
  readonly days: readonly WrittenDay[];
  readonly stems: readonly string[];
}

export function findClaims(plain: string, names: readonly Name[]): Claims {
  const rest = names.reduce((text, { value }) => text.replaceAll(value, (found) => " ".repeat(found.length)), plain);
  const bare = replaceDays(rest, ({ text }) => " ".repeat(text.length));
  return { figures: findFigures(bare), days: findDays(rest), stems: stemsOf(plain) };
}

const STEM = 5;

/** Beginnings of the words that say what a text is about; small words are short. */
export function stemsOf(text: string): readonly string[] {
  const words = normalOf(text).split(" ");
  return [...new Set(words.filter((word) => word.length > 3 && !/^\d+$/u.test(word)).map(stemOf))];
}

/** The same for texts that are compared with each other: Chinese and the like by pairs of characters. */
export function topicOf(text: string): ReadonlySet<string> {
  const words = wordTokens(text).filter((word) => word.length > 3 || isBigram(word) || /\d/u.test(word));
  return new Set(words.map((word) => (/\d/u.test(word) ? word : stemOf(word))));
}

export function stemOf(word: string): string {
  const bare = word.replace(/(?:ing|ed|es|s|e)$/u, "");
  return (bare.length > 2 ? bare : word).slice(0, STEM);
}

/** The cited messages and their neighbours: a call's result is the next one. */
export interface Evidence {
  /** As `normalOf` makes it, "" for none. */
  readonly text: string;
  readonly values: ReadonlySet<number>;
}

/** Of a message so much is read, at both of its ends. */
const READ = 30_000;

export function evidenceOf(texts: readonly Pick<SourceText, "text">[]): Evidence {
  const read = texts
    .map(({ text }) => (text.length <= 2 * READ ? text : `${text.slice(0, READ)}\n${text.slice(-READ)}`))
    .join("\n");
  return { text: normalOf(` ${read} `), values: valuesOf(read) };
}

/** A plain word between backticks stands everywhere: it counts where it is cited, or beside what the statement speaks of. */
export function isWordKnown({ stem }: Name, statement: string, { text }: Evidence, finder: Finder): boolean {
  if (text.trim() === "" || !/^[^A-Za-z]*[A-Z]?[a-z]+\W*$/u.test(stem)) return true;
  const said = normalOf(stem).trim();
  const stems = stemsOf(statement).filter((word) => !said.startsWith(word));
  return text.includes(` ${said} `) || finder.standsNear(said, stems, Math.min(stems.length, 3));
}

/** Larger ones nobody counts by eye. */
const MOST_COUNTED = 5;
/** Smaller ones stand in every longer text. */
const LARGE = 1000;

export function isFigureKnown(
  figure: Figure,
  { stems }: Claims,
  statement: string,
  evidence: Evidence,
  finder: Finder,
): boolean {
  const { value, text, isRough, index } = figure;
  if (isCount(figure, statement)) return true;
  const isSmall = Number.isInteger(value) && value < LARGE;
  const isBeside = (said: string) => isNear(evidence.text, normalOf(` ${said} `), stems, Math.min(stems.length, 1));
  if (isAmong(figure, evidence.values) && (!isSmall || isBeside(text) || isBeside(String(value)))) return true;
  const named = /[\w.]{2,60}[=:#]\s?$/u.exec(statement.slice(0, index))?.[0];
  if (named !== undefined && finder.find(named + text) >= 0) return true;
  if (isSmall && evidence.text.trim() !== "") return false;
  const least = Math.min(isRough ? 2 : 1, stems.length);
  return (
    finder.standsNear(text.replace(/[,'’_](?=\d{3})/gu, ""), stems, least) || finder.standsNear(text, stems, least)
  );
}

/** How many there are may have been counted: "3 passengers". */
function isCount({ value, text, isRough, index }: Figure, statement: string): boolean {
  const isCounted = !isRough && Number.isInteger(value) && value <= MOST_COUNTED;
  return isCounted && /^(?: \p{Ll}+)? \p{Ll}{2,}s(?!\p{L})/u.test(statement.slice(index + text.length));
}

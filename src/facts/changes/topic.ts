// A sentence that gives something a value: which value of which shape, and the words that say of what. What replaces
// what is decided in find-changes.ts.
import type { Stepwise } from "../../tokens/turns/stepwise.ts";
import { isWeakWord } from "../language/normal-words.ts";
import { isProse } from "../language/pasted.ts";
import type { Source } from "../ledger.ts";
import { MONTHS, WRITTEN_DATE } from "../values/month-names.ts";
import { isEmptyWord, kindOf, SAYS_CHANGED, SAYS_NO_CHANGE } from "./change-cues.ts";

/** Words that somebody said, whoever it was. */
export interface Saying {
  readonly by: "user" | "assistant";
  readonly text: string;
  readonly source: Source;
}

export interface TopicWord {
  readonly stem: string;
  /** The word that stands right before or behind it, joined by no more than a space or "of". */
  readonly before?: string;
  readonly behind?: string;
}

export interface Topic {
  readonly by: Saying["by"];
  readonly source: Source;
  readonly sentence: string;
  readonly shape: "date" | "address" | "version" | "number";
  /** Of a number, what it counts; undefined where the sentence does not say. */
  readonly unit: string | undefined;
  /** All values of the shape, as written. */
  readonly values: readonly string[];
  readonly words: ReadonlyMap<string, TopicWord>;
  readonly kinds: ReadonlySet<number>;
  readonly isChange: boolean;
}

const SENTENCE_END = new RegExp(`(?<=[.!?;])(?<!\\d\\.(?=\\s+${MONTHS}))\\s+|(?<=[。！？；])|\\n`, "iu");
const SHORTEST_SENTENCE = 6;
const LONGEST_SENTENCE = 220;
/** Of a longer text only beginning and end are talk. */
const LONGEST_TEXT = 6000;
/** More is a list or data. */
const MOST_VALUES = 3;
/** "Scratch that." before the sentence that says what holds. */
const LONGEST_LEAD_IN = 80;

const WIDE_UNITS = "分钟|小时|毫秒|秒|天|个月|周|年|元|次|个|台|条|行|分間|時間|日間|分|日|円|件|回|人|台";
const FORMS: readonly (readonly [Topic["shape"], string])[] = [
  ["address", "https?://[^\\s,;)\"'`。，、；]{4,120}|(?<![\\w.-])[A-Za-z0-9][\\w.-]{1,80}:\\d{2,5}(?![\\w:])"],
  ["date", `(?<!\\d)\\d{4}-\\d{2}-\\d{2}(?:(?:T|,? )\\d{1,2}:\\d{2})?|(?<![\\p{L}\\d])(?:${WRITTEN_DATE})`],
  ["version", "(?<![\\w.-])v\\d{1,4}(?:\\.\\d{1,6}){0,3}(?![\\w-])|(?<![\\w.-])\\d{1,4}(?:\\.\\d{1,6}){2,3}(?![\\w-])"],
  [
    "number",
    `(?<![\\w.#/:@-])[$€£]?\\d[\\d,_]{0,12}(?:\\.\\d{1,6})?(?![\\d:/@-])(?: ?(?:${WIDE_UNITS}|%|[\\p{Script=Latin}]{1,14}(?![\\w-])))?`,
  ],
];
const VALUES = new RegExp(FORMS.map(([shape, form]) => `(?<${shape}>${form})`).join("|"), "giu");
/** Numbers that name a place in a list, or a person's count of passes. */
const ORDINAL_NOUN =
  /(?<!\p{L})(?:steps?|phases?|lines?|issues?|prs?|pages?|parts?|sections?|options?|points?|items?|tasks?|chapters?|examples?|tests?|questions?|round|scenario|ticket|no\.?|nr\.?|zeilen?|schritt|paso|línea|linha|ligne|étape|第) ?$/iu;
const WORDS = /[\p{Script=Katakana}ー]{2,}|\p{Script=Han}+|[\p{L}\p{M}](?:[\p{L}\p{M}\d_'’]|-(?=\p{L})){0,39}/gu;
const JOINED = /^ (?:(?:of|for|de|du|des|do|da|del|von|vom) (?:the |la |el |le |a |o |der |dem )?)?$|^['’]s $/i;
const WIDE_EMPTY = /[的了吧吗呢是在就都也还把这那我你他不比较应该之前今天刚才确认]/u;

/** Topics of what somebody said, in order. Questions and conditions have none. Put down between two sentences. */
export function* readTopics({ by, text, source }: Saying): Stepwise<readonly Topic[]> {
  if (!/\d/.test(text)) return [];
  const topics: Topic[] = [];
  let before = "";
  for (const part of shortened(text).split(SENTENCE_END)) {
    const sentence = part.trim();
    const isLong = sentence.length > LONGEST_SENTENCE;
    if (!isLong && sentence.length >= SHORTEST_SENTENCE && /\d/.test(sentence) && isStated(sentence)) {
      yield;
      const lead = before.length <= LONGEST_LEAD_IN ? before : "";
      const isChange = SAYS_CHANGED.test(sentence) || SAYS_CHANGED.test(lead);
      topics.push(...topicsOf(sentence).map((topic) => ({ ...topic, by, source, sentence, isChange })));
    }
    before = sentence;
  }
  return topics;
}

function shortened(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  return `${text.slice(0, LONGEST_TEXT / 2)}\n${text.slice(-LONGEST_TEXT / 2)}`;
}

/** Talk, not code or a row of a table. */
function isStated(sentence: string): boolean {
  return (
    isProse(sentence.replace(VALUES, "x")) &&
    !/[?？]["”)]?$|^\s*(?:>|\||[+-]{2,}|@@|\d+ ?[:|│])|[{}]|=>|\(\)|;$|</.test(sentence) &&
    !SAYS_NO_CHANGE.test(sentence)
  );
}

function topicsOf(sentence: string): readonly Pick<Topic, "shape" | "unit" | "values" | "words" | "kinds">[] {
  const found = new Map<Topic["shape"], string[]>();
  let rest = sentence;
  for (const match of sentence.matchAll(VALUES)) {
    const shape = FORMS.find(([name]) => match.groups?.[name] !== undefined)?.[0];
    if (shape === undefined || (shape === "number" && isOrdinal(match[0], sentence.slice(0, match.index)))) continue;
    found.set(shape, [...(found.get(shape) ?? []), match[0]]);
    rest = rest.slice(0, match.index) + "\u0000".repeat(match[0].length) + rest.slice(match.index + match[0].length);
  }
  if ([...found.values()].every(({ length }) => length > MOST_VALUES)) return [];
  const { words, kinds } = readWords(rest);
  return [...found].flatMap(([shape, written]) => {
    if (written.length > MOST_VALUES) return [];
    const numbers = written.map(splitUnit);
    const unit = shape === "number" ? numbers.find((number) => number.unit !== undefined)?.unit : undefined;
    const values = shape === "number" ? numbers.map(({ value }) => value) : written;
    return [{ shape, unit, values, words, kinds }];
  });
}

/** "Page 19", but not "pages 19 minutes". */
function isOrdinal(written: string, before: string): boolean {
  return ORDINAL_NOUN.test(before) && splitUnit(written).unit === undefined;
}

/** "34 MB" keeps its unit; "76 as" and "52 from" have none. */
function splitUnit(written: string): { readonly value: string; readonly unit: string | undefined } {
  const [, number = written, word] = /^([$€£]?[\d.,_]+) ?(.*)$/u.exec(written) ?? [];
  const unit =
    word === undefined || word === "" || isWeakWord(word.toLowerCase()) || isEmptyWord(word.toLowerCase())
      ? undefined
      : word;
  const bare = number.replace(/[.,]$/, "");
  const sign = /^[$€£]/.exec(bare)?.[0];
  if (sign !== undefined) return { value: bare, unit: sign };
  return unit === undefined ? { value: bare, unit } : { value: written.trim(), unit: stemOf(unit.toLowerCase()) };
}

function readWords(text: string): Pick<Topic, "words" | "kinds"> {
  const words = new Map<string, TopicWord>();
  const kinds = new Set<number>();
  let last: PlacedWord | undefined;
  for (const match of text.matchAll(WORDS)) {
    if (/^\p{Script=Han}/u.test(match[0])) readWide(match[0], words, kinds);
    else last = readWord(text, match, last, words, kinds);
  }
  return { words, kinds };
}

interface PlacedWord {
  readonly stem: string;
  readonly end: number;
}

/** Enters a word, and gives what the next one may stand right behind. */
function readWord(
  text: string,
  { 0: written, index }: RegExpExecArray,
  last: PlacedWord | undefined,
  words: Map<string, TopicWord>,
  kinds: Set<number>,
): PlacedWord | undefined {
  const word = written.toLowerCase().replace(/['’]s$/u, "");
  const kind = kindOf(word);
  if (kind !== undefined) kinds.add(kind);
  // "Of" may stand between the two; any longer word parts them.
  if (!isAbout(written, word, index)) return word.length > 3 ? undefined : last;
  const stem = stemOf(word);
  const isBehind = last !== undefined && JOINED.test(text.slice(last.end, index));
  addWord(words, stem, isBehind ? last?.stem : undefined);
  return { stem, end: index + written.length };
}

function addWord(words: Map<string, TopicWord>, stem: string, before: string | undefined): void {
  if (before !== undefined) words.set(before, { ...(words.get(before) ?? { stem: before }), behind: stem });
  words.set(stem, { ...(words.get(stem) ?? { stem }), ...(before === undefined ? {} : { before }) });
}

/** A word that says what the sentence is about. Of single letters those that tell two things apart: "crawler B". */
function isAbout(written: string, word: string, at: number): boolean {
  if (written.length === 1) return at > 0 && /[A-HJ-Z]/.test(written);
  return kindOf(word) === undefined && !isWeakWord(word) && !isEmptyWord(word) && !SAYS_CHANGED.test(word);
}

/** Without spaces between words, neighbouring characters stand for them. */
function readWide(run: string, words: Map<string, TopicWord>, kinds: Set<number>): void {
  const characters = [...run];
  for (let at = 0; at + 1 < characters.length; at += 1) {
    const pair = `${characters[at]}${characters[at + 1]}`;
    const kind = kindOf(pair);
    if (kind !== undefined) kinds.add(kind);
    else if (!WIDE_EMPTY.test(pair) && !SAYS_CHANGED.test(pair)) words.set(pair, { stem: pair });
  }
}

/** Without the endings by which the same word differs from sentence to sentence. */
export function stemOf(word: string): string {
  if (/^\p{L}{3,}ies$/u.test(word)) return `${word.slice(0, -3)}y`;
  if (/^\p{L}{4,}s$/u.test(word) && !word.endsWith("ss")) return word.slice(0, -1);
  return word;
}

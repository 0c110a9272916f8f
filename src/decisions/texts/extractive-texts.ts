// Summaries and digest lines by code: whole sentences of the record quoted, none worded anew.
import { isProse, readSentences, splitSentences } from "../../language/sentences.ts";
import { cutAt, cutAtCodePoint, flat } from "../../text/quote.ts";
import type { Decision } from "../decision.ts";

// What the level of summaries says of a decision besides its text, outcome, pattern and confidence, which stand in fields
// of their own: why it was taken, what came of it, what was learned.

/** Of the texts of decisions, whoever writes them. */
export const TEXT_STRATEGY = "brief";
/** Characters of a summary, where its sentences allow it. */
export const SUMMARY_LENGTH = 400;
/** A sentence that says most alone may be this long: cut, it could lose its "not". */
const MOST_OF_ONE = 600;
const MOST_REASONS = 3;
const LONGEST_TYPE = 40;
/** What trackers put where nobody wrote a word. */
const EMPTY_WORDS = /^(?:closed?|done|completed?|resolved|finished|ok|none|n\/a|tbd|\?)[.!]?$/i;

interface Part {
  readonly label: string;
  /** Of a reason: stands behind its last sentence. */
  readonly type: string;
  readonly sentences: readonly string[];
  /** The first so many of them are quoted. */
  quoted: number;
}

/** Empty where the record says nothing of the kind. The same for the same record, always. */
export function extractiveSummary(decision: Decision): string {
  const parts = textParts(decision);
  if (parts.length === 0) return contextOf(decision);
  for (const part of inTurn(parts)) {
    part.quoted += 1;
    if (rendered(parts).length > SUMMARY_LENGTH) part.quoted -= 1;
  }
  const text = rendered(parts);
  return text === "" ? shortest(parts) : text;
}

/** In the order of reading: reasons, result, lessons. What stands in another field or part already is left out. */
function textParts(decision: Decision): readonly Part[] {
  const known = new Set([decision.text, decision.pattern ?? "", decision.outcome ?? ""].map(plainKey));
  const parts: Part[] = [];
  const add = (label: string, text: string | undefined, type = "") => {
    if (text === undefined || EMPTY_WORDS.test(text) || known.has(plainKey(text))) return;
    known.add(plainKey(text));
    const isKnown = (key: string) => key !== plainKey(text) && known.has(key);
    const sentences = fieldSentences(text).filter((sentence) => !isKnown(plainKey(sentence)));
    if (sentences.length > 0) parts.push({ label, type, sentences, quoted: 0 });
  };
  for (const { text, type } of strongest(decision)) add("Why", text, cutAtWord(flat(type), LONGEST_TYPE));
  add("Result", decision.actualResult);
  add("Learned", decision.lessons);
  return parts;
}

/** Those without a strength count as middling; of equals the one that the record names first. */
function strongest({ reasons }: Decision): Decision["reasons"] {
  const worth = (reason: Decision["reasons"][number]) => reason.strength ?? 0.5;
  return reasons.toSorted((a, b) => worth(b) - worth(a)).slice(0, MOST_REASONS);
}

/** What came of it and what was learned before the reasons; a sentence of each before the second of any. */
function* inTurn(parts: readonly Part[]): Generator<Part> {
  const isReason = ({ label }: Part) => label === "Why";
  const order = [...parts.filter((part) => !isReason(part)), ...parts.filter(isReason)];
  yield* order;
  for (const part of order) {
    for (let next = 1; next < part.sentences.length && part.quoted === next; next += 1) yield part;
  }
}

function rendered(parts: readonly Part[]): string {
  let label = "";
  const texts: string[] = [];
  for (const part of parts) {
    if (part.quoted === 0) continue;
    const said = closed(part.sentences.slice(0, part.quoted), part.type);
    texts.push(part.label === label ? said : `${part.label}: ${said}`);
    label = part.label;
  }
  return texts.join(" ");
}

/** No sentence has room: the shortest one, whole as long as that is bearable. */
function shortest(parts: readonly Part[]): string {
  const [part] = parts.toSorted((a, b) => (a.sentences[0]?.length ?? 0) - (b.sentences[0]?.length ?? 0));
  const text = part === undefined ? "" : rendered([{ ...part, quoted: 1 }]);
  return text.length <= MOST_OF_ONE ? text : cutAtWord(text, SUMMARY_LENGTH);
}

function contextOf({ context, text }: Decision): string {
  const sentence = context === undefined ? undefined : firstSentence(context);
  if (sentence === undefined || plainKey(sentence) === plainKey(text)) return "";
  const said = `Context: ${closed([sentence], "")}`;
  return said.length <= MOST_OF_ONE ? said : cutAtWord(said, SUMMARY_LENGTH);
}

function closed(sentences: readonly string[], type: string): string {
  const text = sentences.map((sentence, at) => (at < sentences.length - 1 ? stopped(sentence) : sentence)).join(" ");
  if (type === "") return stopped(text);
  return `${text.replace(/[.,;。，；]$/u, "")} (${type}).`;
}

/** Ends in a mark, also where its author left it out. */
function stopped(sentence: string): string {
  return /[.!?…。！？:：][)\]"'”’»」』*_`]{0,3}$/u.test(sentence) ? sentence : `${sentence.replace(/[,;]$/, "")}.`;
}

// The sentences of a field of a record, be it a line of prose or a page of Markdown. A field may be a megabyte long; what
// a summary quotes stands at its beginning.

/** Of a field, so much is looked at. */
const MOST_UNITS = 4000;
const PLAIN = /^[^\n`|<>#*]*$/;
const [HIDDEN_ANGLE, HIDDEN_STAR] = ["\ue000", "\ue001"];
/** Lines that forms are made of: placeholders and empty boxes say nothing of the case. */
const PLACEHOLDER = /^[[({].*[\])}]\.?$/;
/** A sentence that begins so is about the one before it. */
const POINTING_BACK = /^(?:this|that|these|those|it|they|he|she|but|and|so|also|however|then|thus|therefore)\b/i;

/** In order, each whole, in one line; without headings, code and tables. */
function fieldSentences(text: string): readonly string[] {
  const read = cutAt(text, MOST_UNITS);
  const isPlain = PLAIN.test(read);
  const sentences = isPlain ? splitSentences(read) : markdownSentences(read);
  const whole = text.length > MOST_UNITS && sentences.length > 1 ? sentences.slice(0, -1) : sentences;
  const told = whole.map(flat).filter((sentence) => sentence !== "" && !PLACEHOLDER.test(sentence));
  return told.length > 0 || isPlain ? told : splitSentences(flat(read));
}

/** The sentence that tells a stranger most: the first of prose that leads into no list; else the first of any kind. */
function firstSentence(text: string): string | undefined {
  const told = fieldSentences(text).filter((sentence) => !/[:：]$/u.test(sentence) && !/^\W*$/u.test(sentence));
  const isTelling = (sentence: string, at: number) =>
    sentence.length >= 20 && isProse(sentence) && (at === 0 || !POINTING_BACK.test(sentence));
  return told.find(isTelling) ?? told[0];
}

/** Whole words and characters within `most` UTF-16 units, with dots where something is left out. */
function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = cutAt(text, most - 3);
  const space = text[head.length] === " " ? head.length : head.lastIndexOf(" ");
  return `${(space > most / 2 ? head.slice(0, space) : head).trimEnd()}...`;
}

/** Equal for texts that differ in case, spacing and marks only: cheap enough for every record of an answer. */
function plainKey(text: string): string {
  return cutAt(text, MOST_UNITS)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}+<>=%-]+/gu, " ")
    .trim();
}

/** What stands in code or in `List<T>` is no mark of Markdown and no tag: it is put away while those are removed. */
function markdownSentences(text: string): readonly string[] {
  const hidden = text.replace(/`[^`\n]{1,200}`|\w<\w/g, (code) =>
    code.replaceAll("<", HIDDEN_ANGLE).replaceAll("*", HIDDEN_STAR),
  );
  return readSentences(hidden).map((sentence) => sentence.replaceAll(HIDDEN_ANGLE, "<").replaceAll(HIDDEN_STAR, "*"));
}

// A text in one line of at most 80 code points, as a digest lists it. Cut between words and between what a reader sees as
// characters, never inside either; the dots say that there is more.

/** Code points of a one-liner at most. */
export const LINE_LENGTH = 80;
const DOTS = "...";
/** Scripts written without spaces: any place between two of their characters is one between words. */
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\uff00-\uff0f\uff1a-\uff20]/u;
/** What would stand oddly before the dots. */
const LOOSE = new Set(" ,;:.-–—|([{<«‹“„、。，；：・（「『");
/** The same where a space stands before it: "C#" and "C++" are names. */
const LOOSE_ALONE = new Set("\"'`*_~#/+&=");

/** Words that promise more: nobody reads "in the..." as the end of anything. In lower case, as capitals are mostly names. */
const LOOSE_WORDS = new Set(
  `a an the of in on at to for from with without by into onto over under about as than via per within between through during
  before after against since until instead rather and or but nor so because if while when that which who whose where whether`.split(
    /\s+/,
  ),
);

/** White space and line breaks become single spaces. A word that is longer than the line is cut itself. */
export function oneLine(text: string): string {
  const line = flat(text);
  if (hasAtMost(line, LINE_LENGTH)) return line;
  const head = cutAtCodePoint(line, LINE_LENGTH - DOTS.length);
  const words = head.slice(0, lastBreak(line, head.length));
  return `${words === "" ? withoutLooseEnd(head) : withoutLooseWords(withoutLooseEnd(words))}${DOTS}`;
}

/** The first word stays, whatever it is. */
function withoutLooseWords(words: string): string {
  const at = words.lastIndexOf(" ");
  if (at < 0 || !LOOSE_WORDS.has(words.slice(at + 1))) return words;
  return withoutLooseWords(withoutLooseEnd(words.slice(0, at)));
}

function hasAtMost(line: string, most: number): boolean {
  return line.length <= most || (line.length <= 2 * most && [...line].length <= most);
}

/** The last place at or before `end` where a word ends or begins; `end` itself where there is none. */
function lastBreak(line: string, end: number): number {
  for (let at = end; at > 0; at -= 1) {
    const [before, after] = [line[at - 1] ?? "", line[at] ?? ""];
    if (before === " " || after === " ") return at;
    if (isSpaceless(line, at - 1) && !isMark(line, at)) return at;
    if (isSpaceless(line, at) && !isMark(line, at)) return at;
  }
  return end;
}

function isSpaceless(line: string, at: number): boolean {
  const unit = line.charCodeAt(at);
  const isLow = unit >= 0xdc00 && unit <= 0xdfff;
  return SPACELESS.test(String.fromCodePoint(line.codePointAt(isLow ? at - 1 : at) ?? 0));
}

/** A place inside a character: before a mark that joins the one ahead of it, or the second half of a pair. */
function isMark(line: string, at: number): boolean {
  const unit = line.charCodeAt(at);
  return (unit >= 0xdc00 && unit <= 0xdfff) || /[\p{M}\u200d]/u.test(String.fromCodePoint(line.codePointAt(at) ?? 0));
}

function withoutLooseEnd(words: string): string {
  let end = words.length;
  while (end > 0 && isLoose(words, end - 1)) end -= 1;
  return end === 0 ? words.trimEnd() : words.slice(0, end);
}

function isLoose(words: string, at: number): boolean {
  const mark = words[at] ?? "";
  return LOOSE.has(mark) || (LOOSE_ALONE.has(mark) && words[at - 1] === " ");
}

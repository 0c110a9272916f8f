// The sentences of a field of a record, be it a line of prose or a page of Markdown. A field may be a megabyte long; what
// a summary quotes stands at its beginning.
import { isProse, readSentences, splitSentences } from "../../language/sentences.ts";
import { cutAt } from "../../text/cut.ts";
import { flat } from "../../text/quote.ts";

/** Of a field, so much is looked at. */
const MOST_UNITS = 4000;
const PLAIN = /^[^\n`|<>#*]*$/;
const [HIDDEN_ANGLE, HIDDEN_STAR] = ["\ue000", "\ue001"];
/** Lines that forms are made of: placeholders and empty boxes say nothing of the case. */
const PLACEHOLDER = /^[[({].*[\])}]\.?$/;
/** A sentence that begins so is about the one before it. */
const POINTING_BACK = /^(?:this|that|these|those|it|they|he|she|but|and|so|also|however|then|thus|therefore)\b/i;

/** In order, each whole, in one line. Headings, code and tables are none. */
export function fieldSentences(text: string): readonly string[] {
  const read = beginning(text);
  const sentences = PLAIN.test(read.text) ? splitSentences(read.text) : markdownSentences(read.text);
  const whole = read.isCut && sentences.length > 1 ? sentences.slice(0, -1) : sentences;
  const told = whole.map(flat).filter((sentence) => sentence !== "" && !PLACEHOLDER.test(sentence));
  return told.length > 0 || PLAIN.test(read.text) ? told : splitSentences(flat(read.text));
}

/** The sentence that tells a stranger most: the first of prose that leads into no list; else the first of any kind. */
export function firstSentence(text: string): string | undefined {
  const told = fieldSentences(text).filter((sentence) => !/[:：]$/u.test(sentence) && !/^\W*$/u.test(sentence));
  const isTelling = (sentence: string, at: number) =>
    sentence.length >= 20 && isProse(sentence) && (at === 0 || !POINTING_BACK.test(sentence));
  return told.find(isTelling) ?? told[0];
}

/** Whole words and characters within `most` UTF-16 units, with dots where something is left out. */
export function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = cutAt(text, most - 3);
  const space = text[head.length] === " " ? head.length : head.lastIndexOf(" ");
  return `${(space > most / 2 ? head.slice(0, space) : head).trimEnd()}...`;
}

/** Equal for texts that differ in case, spacing and marks only: cheap enough for every record of an answer. */
export function plainKey(text: string): string {
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

function beginning(text: string): { readonly text: string; readonly isCut: boolean } {
  return { text: cutAt(text, MOST_UNITS), isCut: text.length > MOST_UNITS };
}

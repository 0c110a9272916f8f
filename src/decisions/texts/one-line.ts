// A text in one line of at most 80 code points, as a digest lists it. Cut between words and between what a reader sees as
// characters, never inside either; the dots say that there is more.
import { cutAtCodePoint } from "../../text/cut.ts";

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
  const line = text.replace(/\s+/g, " ").trim();
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

// The last telling sentence of a text, as the short reason for what was done next.
import { cutAt, cutTail } from "../text/cut.ts";
import { subjectWords } from "./subject-words.ts";

const LONGEST_SENTENCE = 160;
/** Only the end of the text is looked at. */
const LAST_UNITS = 1_200;
/** "Now:", "Let me fix that." say nothing: a sentence is about so many things at least. */
const FEWEST_SUBJECTS = 3;
/** That one is about to look says nothing of what is done once one has seen. */
const WILL_LOOK =
  /^(?:(?:now|first|next|then|ok|okay|so|also|and|good|great|perfect|right)[,.!:]? ){0,3}(?:let me|let['’]s|i['’]ll|i will|i need to|i should|i['’]m going to|we need to) (?:(?:first|also|now|just|quickly|try to|actually|go|have|take) ){0,3}(?:a )?(?:check|look|see|read|find|search|view|verify|examine|explore|investigate|understand|run|confirm|review|list|try)\b/i;

/** At most 160 units, without Markdown marks; undefined when nothing there tells why. */
export function lastSentence(text: string): string | undefined {
  const sentences = cutTail(text, LAST_UNITS)
    .replace(/```[^`]{0,1200}```/g, " ")
    .split(/(?<=[.!?:])\s+|(?<=[。！？])|\n+/);
  const sentence = sentences
    .map(plain)
    .findLast((words) => !WILL_LOOK.test(words) && subjectWords(words).size >= FEWEST_SUBJECTS);
  return sentence === undefined ? undefined : cutWords(sentence, LONGEST_SENTENCE);
}

/** At most `limit` units, cut between words, an ellipsis for the rest. */
export function cutWords(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const short = cutAt(text, limit - 1);
  const space = short.lastIndexOf(" ");
  return `${(space > limit / 2 ? short.slice(0, space) : short).trimEnd()}…`;
}

function plain(sentence: string): string {
  return sentence
    .replace(/^[\s>#*\-•]{0,10}(?:\d{1,3}[.)]\s)?/, "")
    .replace(/\*{2}/g, "")
    .replace(/\s+/g, " ")
    .replace(/[:\s]{1,4}$/, "")
    .trim();
}

// The last sentence of a text, as the short reason for what was done next.
import { cutAt, cutTail } from "../text/cut.ts";

const LONGEST_SENTENCE = 160;
/** Shorter ones ("Now:", "OK.") say nothing. */
const SHORTEST_SENTENCE = 12;
/** Only the end of the text is looked at. */
const LAST_UNITS = 1_200;

/** At most 160 units, without Markdown marks; undefined when nothing there says anything. */
export function lastSentence(text: string): string | undefined {
  const sentences = cutTail(text, LAST_UNITS)
    .replace(/```[^`]{0,1200}```/g, " ")
    .split(/(?<=[.!?:])\s+|(?<=[。！？])|\n+/);
  const sentence = sentences.map(plain).findLast((words) => words.length >= SHORTEST_SENTENCE);
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

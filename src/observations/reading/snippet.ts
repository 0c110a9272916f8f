// A piece of a row's text on one line, for lists. What stands in it cannot begin a line of its own, so no row can look
// like another.
import { cutAtCodePoint, toWellFormed } from "../../text/cut.ts";

export const SNIPPET_LENGTH = 300;

/** White space and line ends of every script, controls, and marks that turn the direction of a line. */
const BREAKS = /[\s\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;
const BREAK = /[\s\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** The whole text on one line: runs of white space and controls become one space. */
export function oneLine(text: string): string {
  return toWellFormed(text).replace(BREAKS, " ").trim();
}

/** The first code points of a text on one line, `...` after them when more follows. Never ends inside a character. */
export function snippetOf(text: string, codePoints = SNIPPET_LENGTH): string {
  const start = firstShown(text);
  // Looking further would cost more and show no more, but for a long run of white space in the middle.
  const windowEnd = start + codePoints * 4;
  const line = oneLine(text.slice(start, windowEnd));
  const isWhole = windowEnd >= text.length;
  const kept = cutAtCodePoint(line, codePoints) || firstPoints(line, codePoints);
  return isWhole && kept.length === line.length ? kept : `${kept.trimEnd()}...`;
}

function firstShown(text: string): number {
  let start = 0;
  while (start < text.length && BREAK.test(text.charAt(start))) start++;
  return start;
}

/** Where all of it is one character, as marks stacked on a letter: better a part of it than nothing. */
function firstPoints(text: string, codePoints: number): string {
  return Array.from(text.slice(0, codePoints * 2))
    .slice(0, codePoints)
    .join("");
}

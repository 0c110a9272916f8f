// What a summarizer wrote, as one line of plain text: summarizers for conversations give it titles, list marks and
// citations, which mean nothing where there is one record.
import { isAboutItself } from "../../../summaries/answer/answer-cues.ts";
import { findCitations } from "../../../summaries/answer/citations.ts";

const HEADING = /^\s{0,3}#{1,6}\s/;
const BOLD_TITLE = /^\s{0,3}\*\*[^*\n]{1,80}\*\*:?\s*$/;
const MARK = /^\s{0,12}(?:[-*•]|\d{1,2}[.)])\s+(?=\S)/;
const FENCE = /^\s{0,3}(?:```|~~~)/;
const UNCITED = "[uncited]";
const QUOTES: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["“", "”"],
  ["«", "»"],
  ["'", "'"],
];

export function plainAnswer(text: string): string {
  const said = text
    .split("\n")
    .filter((line) => !HEADING.test(line) && !BOLD_TITLE.test(line) && !FENCE.test(line) && !isAboutItself(line.trim()))
    .map((line) => withoutCitations(line.replace(MARK, "")).trim())
    .filter((line) => line !== "");
  return withoutQuotes(said.join(" ").replace(/\s+/g, " ").trim());
}

function withoutCitations(line: string): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of findCitations(line)) {
    pieces.push(line.slice(at, start).trimEnd());
    at = end;
  }
  return [...pieces, line.slice(at)].join("").replaceAll(UNCITED, "");
}

function withoutQuotes(line: string): string {
  const around = QUOTES.find(([open, close]) => line.length > 2 && line.startsWith(open) && line.endsWith(close));
  if (around === undefined) return line;
  const inner = line.slice(1, -1);
  return inner.includes(around[0]) || inner.includes(around[1]) ? line : inner.trim();
}

// How a title, a type or an id of any length is shown within one line of an answer.
import { cutAt } from "../../../text/cut.ts";

const LONGEST = 120;

/** On one line, in `quote`s, at most 120 characters long. */
export function shownName(text: string, quote = '"'): string {
  const line = text.replace(/\s+/gu, " ").trim();
  return quote + (line.length > LONGEST ? `${cutAt(line, LONGEST)}...` : line) + quote;
}

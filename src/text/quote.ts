// Quotes in a line of text, cut at whole characters.
import { coverAt, cutAt } from "./cut.ts";

/** A message of many blocks is quoted up to this many times the limit. */
const QUOTED_BLOCKS = 12;

/** The whole text on one line: white space becomes single spaces. */
export function flat(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

/** The text on one line, at most `limit` units of it, an ellipsis where something was cut. */
export function oneLine(text: string, limit: number): string {
  const line = flat(cutAt(text, limit * 2));
  const short = cutAt(line, limit);
  return short.length < line.length || line.length < text.trim().length - limit ? `${short.trimEnd()}…` : short;
}

/** Each block cut behind `limit` units, and how much is left out. Where the rest is, the frame of the text says. */
export function quoteBlocks(blocks: readonly string[], limit: number): string {
  const quoted: string[] = [];
  let left = 0;
  let room = limit * QUOTED_BLOCKS;
  for (const block of blocks) {
    const quote = coverAt(block, Math.max(0, Math.min(limit, room)));
    if (quote !== "") quoted.push(quote);
    left += block.length - quote.length;
    room -= quote.length;
  }
  const rest = left === 0 ? "" : `… (${left.toLocaleString("en-US")} more characters)`;
  return quoted.join("\n") + rest;
}

// Text of others as data: each of its lines is quoted, its own delimiters are made harmless, and the block around it
// is named after its content. Nothing inside can end the block or pose as a label.
import { neutraliseBlocks } from "../../text/quote.ts";

const LINE_BREAKS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/** Each line behind a `| `: a line of the block that opens otherwise is ours. */
export function quoteLines(text: string): string {
  return neutraliseBlocks(text)
    .split(LINE_BREAKS)
    .map((line) => `| ${line}`)
    .join("\n");
}

export function quotedBlock(name: "transcript" | "record" | "wish", hash: string, lines: readonly string[]): string {
  return [`<${name}-${hash}>`, ...lines, `</${name}-${hash}>`].join("\n");
}

/** A short hash, 16 hex digits: the same input gives the same prompt. What keeps text inside its block is that our delimiters
 * are made harmless in it. */
export function hashOf(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return hex(high) + hex(low);
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}

// Text of others as data: each of its lines is quoted, its own delimiters are made harmless, and the block around it
// is named after its content. Nothing inside can end the block or pose as a label.
import { neutraliseBlocks } from "../../text/neutralise.ts";

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

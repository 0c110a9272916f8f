// Text of others as data: each of its lines is quoted, its own delimiters are made harmless, and the block around it
// is named after its content. Nothing inside can end the block or pose as a label.

const LINE_BREAKS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
const DELIMITERS = /<(?=\/?(?:transcript|record|wish|COMPACT)-)/gi;

/** Makes delimiters of prompts and of summaries harmless: they lose their angle bracket. */
export function neutralise(text: string): string {
  return text.replace(DELIMITERS, "‹");
}

/** Each line behind a `| `: a line of the block that opens otherwise is ours. */
export function quoteLines(text: string): string {
  return neutralise(text)
    .split(LINE_BREAKS)
    .map((line) => `| ${line}`)
    .join("\n");
}

export function quotedBlock(name: "transcript" | "record" | "wish", hash: string, lines: readonly string[]): string {
  return [`<${name}-${hash}>`, ...lines, `</${name}-${hash}>`].join("\n");
}

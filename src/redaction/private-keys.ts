// Private keys in PEM armour: the body goes, the markers stay. Walks forward only, so that thousands of markers
// without an end stay linear, and takes only what looks like key material, so that prose about keys stays.
import type { Find } from "./spans.ts";

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** Blanks, escaped line breaks, and what tools put before a line: quotes, diff and line-number marks. */
const BETWEEN = /(?:[\s"',>|]|\\{1,8}[nrt]|\d{1,6}(?:\u2192|\t|:|\|)){1,64}/y;
const BASE64 = /[A-Za-z0-9+/=]{1,20000}/y;
const HEADER = /[A-Za-z-]{2,20}: [^\r\n\\"]{1,200}/y;
/** Only the last line of a body may be shorter. */
const FULL_LINE = 16;

export function findPrivateKeys(text: string): readonly Find[] {
  if (!text.includes("PRIVATE KEY")) return [];
  const finds: Find[] = [];
  for (const match of text.matchAll(BEGIN)) {
    const start = match.index + match[0].length;
    const end = endOfBody(text, start);
    if (end > start) finds.push({ rule: "private-key", start, end });
  }
  return finds;
}

function endOfBody(text: string, start: number): number {
  let end = start;
  for (let position = start; ; ) {
    const line = matchAt(BETWEEN, text, position);
    if (text.startsWith("-----END", line)) return end === start ? start : line;
    const header = matchAt(HEADER, text, line);
    const next = header > line ? header : matchAt(BASE64, text, line);
    const isBody = next > line && (header > line || next - line >= FULL_LINE || closes(text, next));
    if (!isBody) return end;
    end = next;
    position = next;
  }
}

function closes(text: string, position: number): boolean {
  return text.startsWith("-----END", matchAt(BETWEEN, text, position));
}

function matchAt(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : position;
}

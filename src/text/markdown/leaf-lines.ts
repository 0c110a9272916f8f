// What a single line is by itself: the marks of headings, fences and rules. `at` is its first character that is no blank;
// whether it is indented too far for a mark is for the caller to know.
import { isBlankCode } from "./cursor.ts";

const HASH = 35;
const EQUALS = 61;
const DASH = 45;
const BACKTICK = 96;

export interface Fence {
  readonly mark: number;
  readonly length: number;
}

/** Offset of the first character from `at` on that is not `code`. */
export function endOfRun(text: string, at: number, code: number): number {
  let end = at;
  while (end < text.length && text.charCodeAt(end) === code) end += 1;
  return end;
}

/** Only blanks from `at` on. */
export function isRestBlank(text: string, at: number): boolean {
  let end = at;
  while (end < text.length && isBlankCode(text.charCodeAt(end))) end += 1;
  return end === text.length;
}

/** `## Name ##`. */
export function atxHeading(text: string, at: number): { readonly level: number; readonly text: string } | undefined {
  const start = endOfRun(text, at, HASH);
  const level = start - at;
  if (level < 1 || level > 6) return undefined;
  if (start < text.length && !isBlankCode(text.charCodeAt(start))) return undefined;
  const end = endBeforeBlanks(text, start);
  let marks = end;
  while (marks > start && text.charCodeAt(marks - 1) === HASH) marks -= 1;
  // Closing marks are none without a blank before them: `# C#`.
  const isClosed = marks < end && isBlankCode(text.charCodeAt(marks - 1));
  return { level, text: text.slice(start, isClosed ? marks : end).trim() };
}

function endBeforeBlanks(text: string, start: number): number {
  let end = text.length;
  while (end > start && isBlankCode(text.charCodeAt(end - 1))) end -= 1;
  return end;
}

/** Level of the heading whose underline this is; 0 for none. */
export function underlineLevel(text: string, at: number): 0 | 1 | 2 {
  const mark = text.charCodeAt(at);
  if (mark !== EQUALS && mark !== DASH) return 0;
  if (!isRestBlank(text, endOfRun(text, at, mark))) return 0;
  return mark === EQUALS ? 1 : 2;
}

/** Three or more of `*`, `-` or `_`, and else only blanks. */
export function isRule(text: string, at: number): boolean {
  const mark = text.charCodeAt(at);
  let count = 0;
  for (let index = at; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === mark) count += 1;
    else if (!isBlankCode(code)) return false;
  }
  return count >= 3;
}

export function openingFence(text: string, at: number): Fence | undefined {
  const mark = text.charCodeAt(at);
  const end = endOfRun(text, at, mark);
  if (end - at < 3) return undefined;
  if (mark === BACKTICK && text.includes("`", end)) return undefined;
  return { mark, length: end - at };
}

export function closesFence(text: string, at: number, { mark, length }: Fence): boolean {
  const end = endOfRun(text, at, mark);
  return end - at >= length && isRestBlank(text, end);
}

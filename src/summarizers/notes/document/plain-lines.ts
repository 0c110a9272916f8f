// Lines of Markdown as words: without the marks of lists and quotes, without bold, on one line.
import { oneLine } from "../../../facts/ledger-text.ts";

const MARK = /^[\s>]{0,60}(?:(?:[-*+•]|\d{1,9}[.)])[ \t]{1,4}){0,4}/u;
const TASK = /^\[([ xX])\][ \t]{1,4}/u;
const BOLD_LINE = /^[\s>]{0,12}(?:\*\*[^*\n]{1,100}\*\*|__[^_\n]{1,100}__)[:：]?\s*$/u;
const EDGE = /^[^\p{L}\p{N}"'“‘「『([{`$@/~-]+|\s+$/gu;
const LABEL = /^[^\p{L}\p{N}]{0,4}([\p{L}][^:：。.!?！？\n]{1,40})[:：]/u;
const DONE = /^(?:✅|✔|☑|☒|\[x\]|~~)|(?:✅|✔️?|\((?:done|完成|已完成)\))\s*$/iu;
/** Longer lines are no words. */
const LONGEST_LINE = 4000;

export function cleanLines(lines: readonly string[]): readonly string[] {
  return lines.map(cleanLine).filter((line) => line !== "");
}

export function cleanLine(line: string): string {
  const words = line.slice(0, LONGEST_LINE).replace(MARK, "");
  const bare = words
    .replace(TASK, (_, mark: string) => (mark === " " ? "" : "[x] "))
    .replace(/<\/?[A-Za-z][\w:-]{0,60}>/gu, " ")
    .replaceAll("**", "");
  return oneLine(bare, LONGEST_LINE);
}

/** A heading without pictures and marks at its edges. */
export function plainWords(heading: string): string {
  return oneLine(heading.replaceAll("**", ""), 200).replace(EDGE, "").trim();
}

export function isBoldLine(line: string): boolean {
  return BOLD_LINE.test(line);
}

/** `Decision` of `Decision: it stays`; empty where there is none. */
export function labelOf(text: string): string {
  return LABEL.exec(text)?.[1]?.trim() ?? "";
}

/** Checked off, struck out. */
export function isDone(text: string): boolean {
  return DONE.test(text);
}

/** Holds words: no rule, no mark, no number alone. */
export function hasWords(text: string): boolean {
  return (text.match(/\p{L}/gu)?.length ?? 0) >= 3;
}

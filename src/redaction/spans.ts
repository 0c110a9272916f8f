// Rules only find spans of the original text; this file turns all of them into one replacement, so that no rule
// sees another rule's output and overlapping finds become one mark.
import { REDACTION_MARK } from "../text/redaction-mark.ts";

export const MARK = REDACTION_MARK;

/** Half-open range of UTF-16 offsets. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where a secret and nothing else stands, and the id of the rule that says so. */
export interface Find extends Range {
  readonly rule: string;
}

/** `text` with each union of overlapping ranges replaced by the mark. The same string when there are none. */
export function replaceRanges(text: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) return text;
  const sorted = [...ranges].sort((left, right) => left.start - right.start || left.end - right.end);
  const pieces: string[] = [];
  let copied = 0;
  let reach = -1;
  for (const { start, end } of sorted) {
    if (start >= reach) {
      pieces.push(text.slice(copied, start), MARK);
      copied = end;
      reach = end;
    } else if (end > reach) {
      copied = end;
      reach = end;
    }
  }
  pieces.push(text.slice(copied));
  return pieces.join("");
}

/** Moves both ends off the middle of a surrogate pair, so that no half of a character is left. */
export function wholeCharacters<R extends Range>(text: string, range: R): R {
  const start = isInsidePair(text, range.start) ? range.start - 1 : range.start;
  const end = isInsidePair(text, range.end) ? range.end + 1 : range.end;
  return start === range.start && end === range.end ? range : { ...range, start, end };
}

function isInsidePair(text: string, offset: number): boolean {
  const before = text.charCodeAt(offset - 1);
  const after = text.charCodeAt(offset);
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}

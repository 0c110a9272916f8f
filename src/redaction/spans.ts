// Rules only find spans of the original text; this file turns all of them into one replacement, so that no rule
// sees another rule's output and overlapping finds become one mark.

export const MARK = "<REDACTED>";

/** Half-open range of UTF-16 offsets that holds a secret and nothing else. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** `text` with each union of overlapping spans replaced by the mark. The same string when there are none. */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const sorted = [...spans].sort((left, right) => left.start - right.start || left.end - right.end);
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

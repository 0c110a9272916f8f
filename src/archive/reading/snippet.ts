// Cuts a piece of text around a place, for a person to read: on one line, never inside a grapheme.

const ELLIPSIS = "…";
/** Room to get back in step with grapheme boundaries when starting in the middle of a long text. */
const RUN_UP = 64;

export interface SnippetRange {
  /** UTF-16 offsets of what must be inside. */
  readonly start: number;
  readonly end: number;
}

/** At most `around` units before and after the range; costs the same on a text of any length. */
export function snippetAround(text: string, range: SnippetRange, around = 80): string {
  const lowest = Math.max(0, range.start - around);
  const highest = Math.min(text.length, range.end + around);
  const windowStart = Math.max(0, lowest - RUN_UP);
  const window = text.slice(windowStart, Math.min(text.length, highest + RUN_UP));
  let start: number | undefined;
  let end = range.end;
  for (const { index, segment } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(window)) {
    const from = windowStart + index;
    const to = from + segment.length;
    if (start === undefined && (from >= lowest || to > range.start)) start = from;
    // A grapheme that begins inside the range is never cut, even when it ends beyond the limit.
    if (to <= highest || from < range.end) end = to;
    else break;
  }
  const piece = text
    .slice(start ?? range.start, end)
    .replace(/\s+/g, " ")
    .trim();
  return `${(start ?? 0) > 0 ? ELLIPSIS : ""}${piece}${end < text.length ? ELLIPSIS : ""}`;
}

// Finds the next place where a text may be cut: never inside a surrogate pair or a combining sequence.

/** Graphemes longer than this (a pile of combining marks) are cut by code point. */
const WINDOW = 64;

/** The smallest grapheme boundary at or behind `at` (UTF-16 units); `text.length` when there is none before. */
export function nextBoundary(text: string, at: number): number {
  if (at <= 0) return 0;
  if (at >= text.length) return text.length;
  const start = codePointStart(text, Math.max(0, at - WINDOW));
  const end = codePointStart(text, Math.min(text.length, at + WINDOW));
  for (const { index } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text.slice(start, end))) {
    if (start + index >= at) return start + index;
  }
  return end;
}

/** `at`, moved behind a surrogate pair that it would split. */
function codePointStart(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  const splits = code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
  return splits ? at + 1 : at;
}

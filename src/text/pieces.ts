// Splits a text into its smallest quotable pieces: sentences, list items, table rows, lines of code. Pieces are
// ranges of the text, without gaps, so that neighbours read as they were written.

export interface Piece {
  readonly start: number;
  readonly end: number;
  /** Inside a fenced block. */
  readonly isCode: boolean;
}

/** Shorter lines are one piece whatever they hold. */
const SHORT_LINE = 80;
/** Of one text; what follows is one piece. */
const MOST_PIECES = 2_000;
const FENCE = /^\s{0,12}(?:```|~~~)/u;
const SENTENCES = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** `byLine`: of a text that is no prose, changed lines of a file for one. */
export function piecesOf(text: string, byLine = false): readonly Piece[] {
  const pieces: Piece[] = [];
  let isCode = false;
  let start = 0;
  while (start < text.length && pieces.length < MOST_PIECES) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline + 1;
    const line = text.slice(start, end);
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    if (byLine || isCode || isFence || line.length <= SHORT_LINE)
      pieces.push({ start, end, isCode: isCode || isFence });
    else addSentences(line, start, pieces);
    start = end;
  }
  if (start < text.length) pieces.push({ start, end: text.length, isCode });
  return pieces;
}

/** A very long line is cut at its thousands: a segmenter takes its time, and nobody writes such sentences. */
const LONGEST_LINE = 4_000;

function addSentences(line: string, offset: number, pieces: Piece[]): void {
  for (let from = 0; from < line.length; from += LONGEST_LINE) {
    for (const { index, segment } of SENTENCES.segment(line.slice(from, from + LONGEST_LINE))) {
      const start = offset + from + index;
      pieces.push({ start, end: start + segment.length, isCode: false });
    }
  }
}

// Tells whether a number of a text is the number of a line: behind a file or the word, at the start of a printed line, in
// the head of a diff. `a.ts:12` is said by a listing of `a.ts` whose lines are numbered.

const LOOKED_BACK = 24;
const BEHIND_WORD = /(?:lines?|zeilen?|l[ií]neas?|linhas?|lignes?|righe?|row|行)[\s:#]{0,3}$/i;
const SECOND = /(?:lines?|:|L)\s?\d{1,7}\s{0,2}(?:-|–|to|and|,)\s{0,2}L?$/i;
const BEHIND_FILE = /[\w)\]"'`]:$|\w\($|#L?$|(?:^|[^\w])L$/;
const HUNK = /@@ -(?:\d{1,7}(?:,\d{1,7})? \+)?$/;
const LINE_START = /(?:^|\n|\\n)[ \t>*+-]{0,10}$/;
const BEHIND_PRINTED = /^[ ]{0,2}[\t→|:│]/;

/** Of the digits from `start` to `end`. */
export function isLineNumber(text: string, start: number, end: number): boolean {
  const from = Math.max(0, start - LOOKED_BACK);
  // A character in front keeps a text that was cut off from looking like the start of a line.
  const before = (from === 0 ? "" : "_") + text.slice(from, start);
  if (BEHIND_WORD.test(before) || SECOND.test(before) || BEHIND_FILE.test(before) || HUNK.test(before)) return true;
  return LINE_START.test(before) && BEHIND_PRINTED.test(text.slice(end, end + 3));
}

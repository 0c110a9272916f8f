// What stands in a secret's place. A reader takes it for one word: it is never cut, and never read as a value.

export const REDACTION_MARK = "<REDACTED>";

/** The mark of which a part stands before `index` and a part behind it. */
export function markAround(text: string, index: number): { readonly start: number; readonly end: number } | undefined {
  const length = REDACTION_MARK.length;
  const from = Math.max(0, index - length + 1);
  const at = text.slice(from, index + length - 1).indexOf(REDACTION_MARK);
  return at < 0 ? undefined : { start: from + at, end: from + at + length };
}

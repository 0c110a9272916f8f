// Finds binary content that someone wrote into a text: a data URL in a page, a file that a tool printed. It says
// nothing to a reader, a summarizer would pay for every character of it, and facts found in it are chance.

/** Longer than any identifier: a run without a break is no language from here on. */
const LONGEST_RUN = 200;

/** The text with each long run of base64 replaced by its length. The same string when there is none. */
export function elideBase64(text: string): string {
  if (text.length <= LONGEST_RUN) return text;
  let kept = "";
  let from = 0;
  for (const [start, end] of longRuns(text)) {
    if (!isBinary(text, start, end)) continue;
    kept += `${text.slice(from, start)}[base64: ${(end - start).toLocaleString("en-US")} characters]`;
    from = end;
  }
  return from === 0 ? text : kept + text.slice(from);
}

/** Looks at every 200th character only, and around it where it could lie in a run. */
function* longRuns(text: string): Generator<readonly [number, number]> {
  let probe = LONGEST_RUN;
  let floor = 0;
  while (probe < text.length) {
    let start = probe + 1;
    while (start > floor && isBase64(text.charCodeAt(start - 1))) start -= 1;
    if (start > probe - LONGEST_RUN) {
      floor = start;
      probe = Math.max(probe + 1, start + LONGEST_RUN);
      continue;
    }
    let end = probe + 1;
    while (end < text.length && isBase64(text.charCodeAt(end))) end += 1;
    yield [start, end];
    floor = end;
    probe = end + LONGEST_RUN;
  }
}

/** Letters, digits, and the signs of both alphabets of base64. */
function isBase64(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x2b ||
    unit === 0x2f ||
    unit === 0x2d ||
    unit === 0x5f ||
    unit === 0x3d
  );
}

/** A row of dashes or one letter repeated is not; what stands behind `base64,` is in any case. */
function isBinary(text: string, start: number, end: number): boolean {
  if (text.slice(Math.max(0, start - 7), start) === "base64,") return true;
  const sample = text.slice(start, Math.min(end, start + 2 * LONGEST_RUN));
  return /[a-z]/.test(sample) && /[A-Z]/.test(sample) && /\d/.test(sample);
}

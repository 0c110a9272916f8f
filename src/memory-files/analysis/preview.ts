// The beginning of a text as one line of a report.
import { cutAtCodePoint } from "../../text/cut.ts";

/** Characters of a preview. */
export const PREVIEW_LENGTH = 120;

/** At most 120 characters; every run of blanks and line ends is one blank. */
export function previewOf(text: string): string {
  // Blanks may be many: a bounded beginning is enough to fill a line, whatever stands in front of it.
  const beginning = text.trimStart().slice(0, PREVIEW_LENGTH * 40);
  return cutAtCodePoint(beginning.replace(/\s+/g, " ").trim(), PREVIEW_LENGTH);
}

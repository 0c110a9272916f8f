// The sections of a memory file and how many tokens each takes. Headings of level 1 to 3 begin one; deeper ones belong to the
// section they stand in.
import { type Section, splitSections } from "../../text/markdown/outline.ts";
import { cutAtCodePoint, flat } from "../../text/quote.ts";
import type { SectionReport } from "../analysis.ts";
import { BLOATED_SECTION_TOKENS } from "../limits.ts";
import { type Count, type MemoryFile, textOf } from "../workspace.ts";
import { estimateTokens } from "./file-report.ts";

/** Deepest heading that begins a section. */
const DEEPEST_SECTION = 3;
/** What the text before the first heading is called. */
const PREAMBLE = "header";

export function sectionsOf(file: MemoryFile): readonly Section[] {
  return splitSections(file.outline, file.lines.length, DEEPEST_SECTION);
}

export function headingOf({ heading }: Section): string {
  return heading?.text ?? PREAMBLE;
}

/** Lines counted from 1, bytes with an exclusive end, of all lines from `from` to before `to`. */
export function spanOf({ lines }: MemoryFile, { from, to }: { readonly from: number; readonly to: number }) {
  return {
    line_from: from + 1,
    line_to: to,
    byte_from: lines[from]?.start ?? 0,
    byte_to: lines[to - 1]?.end ?? 0,
  };
}

/** Those with a body that is more than blank lines. */
export function reportSections(file: MemoryFile, count: Count): readonly SectionReport[] {
  return sectionsOf(file).flatMap((section) => {
    const body = textOf(file, section.body, section.to);
    return body.trim() === "" ? [] : [reportSection(file, section, body, count)];
  });
}

function reportSection(file: MemoryFile, section: Section, body: string, count: Count): SectionReport {
  const tokens = estimateTokens(body);
  const exact = count(body);
  return {
    heading: headingOf(section),
    lines: section.to - section.body,
    tokens,
    preview: previewOf(body),
    tokens_exact: exact,
    bloated: tokens > BLOATED_SECTION_TOKENS || exact > BLOATED_SECTION_TOKENS,
    file: file.file,
    level: section.heading?.level ?? 0,
    ...spanOf(file, section),
  };
}

// The beginning of a text as one line of a report.

/** Characters of a preview. */
export const PREVIEW_LENGTH = 120;

/** At most 120 characters; every run of blanks and line ends is one blank. */
export function previewOf(text: string): string {
  // Blanks may be many: a bounded beginning is enough to fill a line, whatever stands in front of it.
  const beginning = text.trimStart().slice(0, PREVIEW_LENGTH * 40);
  return cutAtCodePoint(flat(beginning), PREVIEW_LENGTH);
}

// The sections of a memory file and how many tokens each takes. Headings of level 1 to 3 begin one; deeper ones belong
// to the section they stand in.
import { type Section, splitSections } from "../../text/markdown/sections.ts";
import type { SectionReport } from "../analysis.ts";
import { type MemoryFile, textOf } from "../memory-file.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { BLOATED_SECTION_TOKENS } from "./limits.ts";
import type { Count } from "./measure-file.ts";
import { previewOf } from "./preview.ts";

/** Deepest heading that begins a section. */
export const DEEPEST_SECTION = 3;
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

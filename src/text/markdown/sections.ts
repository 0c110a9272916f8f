// Splits a text at its headings. Only headings at the top level count: one inside a list item or a quote belongs to it.
import { type HeadingBlock, isHeading, type Outline } from "./outline.ts";

export interface Section {
  /** Undefined for what stands before the first heading. */
  readonly heading: HeadingBlock | undefined;
  /** First line, that of its heading. */
  readonly from: number;
  /** First line after its heading. */
  readonly body: number;
  /** Where the next section begins. */
  readonly to: number;
  /** Where the next section of its own level or a higher one begins: its end with all that stands below it. */
  readonly whole: number;
}

/**
 * In order, without gaps, from line 0 to `lineCount`. Headings deeper than `deepest` stay in the section they stand in.
 * The first one has no heading, and is left out where it has no lines.
 */
export function splitSections(outline: Outline, lineCount: number, deepest = 6): readonly Section[] {
  const headings = outline.blocks
    .filter(isHeading)
    .filter(({ container, level }) => container === undefined && level <= deepest);
  const first = headings[0]?.from ?? lineCount;
  const preamble: Section = { heading: undefined, from: 0, body: 0, to: first, whole: first };
  const sections = headings.map((heading, index): Section => {
    const next = headings.slice(index + 1);
    return {
      heading,
      from: heading.from,
      body: heading.to,
      to: next[0]?.from ?? lineCount,
      whole: next.find(({ level }) => level <= heading.level)?.from ?? lineCount,
    };
  });
  return first === 0 ? sections : [preamble, ...sections];
}

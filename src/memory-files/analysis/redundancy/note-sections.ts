// The sections of a note, each with the headings above it and the blocks in it.
import type { TokenReader } from "../../../similarity/normal/fact-tokens.ts";
import type { Block } from "../../../text/markdown/outline.ts";
import type { Section } from "../../../text/markdown/sections.ts";
import type { Note } from "../../memory-file.ts";
import type { NoteSection } from "../holding/hold-memory.ts";
import { type Heading, headingFrom } from "../holding/passages.ts";
import { sectionsOf } from "../section-reports.ts";

export interface PlacedSection {
  readonly section: Section;
  /** Undefined before the first heading. */
  readonly placed: NoteSection | undefined;
}

export function placeSections(note: Note, tokens: TokenReader): readonly PlacedSection[] {
  let above: Heading | undefined;
  let at = 0;
  const { blocks } = note.outline;
  return sectionsOf(note).map((section) => {
    const inside: Block[] = [];
    for (; at < blocks.length && (blocks[at]?.from ?? 0) < section.to; at += 1) inside.push(blocks[at] as Block);
    if (section.heading === undefined) return { section, placed: undefined };
    const heading = headingFrom(section.heading, above, tokens, note.date);
    above = heading;
    return { section, placed: { note, heading, blocks: inside.slice(1), body: section.body, to: section.to } };
  });
}

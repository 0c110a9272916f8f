// The sections of a note, each with the headings above it and the blocks in it.
import type { Section } from "../../../text/markdown/sections.ts";
import type { Note } from "../../memory-file.ts";
import type { NoteSection } from "../holding/hold-memory.ts";
import { headingFrom } from "../holding/passages.ts";
import { sectionsOf } from "../section-reports.ts";

export interface PlacedSection {
  readonly section: Section;
  /** Undefined before the first heading. */
  readonly placed: NoteSection | undefined;
}

export function placeSections(note: Note): readonly PlacedSection[] {
  const { blocks } = note.outline;
  const sections = sectionsOf(note);
  let above: NoteSection | undefined;
  let at = 0;
  return sections.map((section, index) => {
    const first = at;
    while (at < blocks.length && (blocks[at]?.from ?? 0) < section.to) at += 1;
    if (section.heading === undefined) return { section, placed: undefined };
    const heading = headingFrom(section.heading, above?.heading, note.date);
    let parent = above;
    while (parent !== undefined && parent.heading !== heading.parent) parent = parent.parent;
    above = {
      note,
      heading,
      parent,
      blocks: blocks.slice(first + 1, at),
      before: blocks[first - 1],
      next: sections[index + 1]?.heading,
      body: section.body,
      to: section.to,
    };
    return { section, placed: above };
  });
}

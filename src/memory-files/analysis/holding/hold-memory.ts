// Whether a section of a note may leave because it stands in the memory: letter by letter, and with links that lead to
// the same place from there.
import type { TokenReader } from "../../../similarity/normal/fact-tokens.ts";
import { type KeptFacts, keptFacts } from "../../../similarity/same-fact.ts";
import type { Block, HeadingBlock } from "../../../text/markdown/outline.ts";
import type { MemoryFile, Note } from "../../memory-file.ts";
import { type HeldPassages, type HeldPlace, holdPassages, type SoughtSection } from "./held-passages.ts";
import { bindsLink, hasRelativeLink } from "./links.ts";
import { type Heading, readPassages } from "./passages.ts";
import { plainText } from "./plain-text.ts";

/** A section of a note with all that its text depends on. */
export interface NoteSection {
  readonly note: Note;
  readonly heading: Heading;
  /** Of the heading above it. */
  readonly parent: NoteSection | undefined;
  /** Below the heading. */
  readonly blocks: readonly Block[];
  /** The block before its heading, and the heading after its end. */
  readonly before: Block | undefined;
  readonly next: HeadingBlock | undefined;
  /** First line below the heading, and the line after the last. */
  readonly body: number;
  readonly to: number;
}

export interface HeldMemory {
  /** Undefined: something would be lost, or might be. */
  placeOf(section: NoteSection): HeldPlace | undefined;
  /** Words, as facts are compared, of sentences that stand nowhere in the memory. */
  unknownTokens(section: NoteSection): readonly string[];
}

export function holdMemory(memory: readonly MemoryFile[], tokens: TokenReader): HeldMemory {
  const passages: HeldPassages = holdPassages(memory);
  const defines = memory.some(definesLinks);
  const read = new WeakMap<NoteSection, SoughtSection>();
  let facts: KeptFacts | undefined;
  const soughtIn = (section: NoteSection): SoughtSection => {
    const known = read.get(section);
    if (known !== undefined) return known;
    const { note, blocks, heading, parent } = section;
    const sought: SoughtSection = {
      heading,
      read: [...readPassages(note, blocks, heading)],
      parent: parent === undefined ? undefined : soughtIn(parent),
    };
    read.set(section, sought);
    return sought;
  };
  return {
    placeOf(section) {
      const place = passages.find(soughtIn(section));
      if (place === undefined) return undefined;
      const text = `${section.heading.text}\n${bodyText(section)}`;
      if (bindsLink(text, defines || definesLinks(section.note))) return undefined;
      return folderOf(place.file) !== folderOf(section.note.file) && hasRelativeLink(text) ? undefined : place;
    },
    unknownTokens: (section) => {
      facts ??= keptFacts(
        memory.map((file) => plainText(file, file.outline.blocks, 0, file.lines.length)),
        tokens,
      );
      const { note, blocks, heading, body, to } = section;
      return facts.unknownTokens(`# ${heading.isBare ? "" : heading.text}\n${plainText(note, blocks, body, to)}`);
    },
  };
}

function bodyText({ note, body, to }: NoteSection): string {
  return note.lines
    .slice(body, to)
    .map(({ text }) => text)
    .join("\n");
}

function definesLinks({ outline }: MemoryFile): boolean {
  return outline.blocks.some(({ kind }) => kind === "definition");
}

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf("/") + 1);
}

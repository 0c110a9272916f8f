// Whether a section of a note may leave because the memory says all of it. Two readers must agree: one that knows the
// structure of Markdown, and the guard of similarity/, which knows nothing but the text.
import type { TokenReader } from "../../../similarity/normal/fact-tokens.ts";
import { type KeptFacts, keptFacts } from "../../../similarity/same-fact.ts";
import type { Block } from "../../../text/markdown/outline.ts";
import type { MemoryFile } from "../../memory-file.ts";
import { type HeldPassages, type HeldPlace, holdPassages } from "./held-passages.ts";
import type { Heading } from "./passages.ts";
import { headingLines, plainText } from "./plain-text.ts";

/** A section of a note with all that its text depends on. */
export interface NoteSection {
  readonly note: MemoryFile;
  readonly heading: Heading;
  /** Below the heading. */
  readonly blocks: readonly Block[];
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

/** A link may mean another page, or a footnote another remark, than the same words elsewhere. */
const REFERENCE = /\]\[|\[\^/;

export function holdMemory(memory: readonly MemoryFile[], tokens: TokenReader): HeldMemory {
  const passages: HeldPassages = holdPassages(memory, tokens);
  const facts: KeptFacts = keptFacts(
    memory.map((file) => plainText(file, file.outline.blocks, 0, file.lines.length)),
    tokens,
  );
  return {
    placeOf(section) {
      const place = passages.find(section.note, section.blocks, section.heading);
      if (place === undefined) return undefined;
      const body = bodyText(section);
      if (REFERENCE.test(body) || section.blocks.some(({ kind }) => kind === "definition")) return undefined;
      const text = `${headingLines(section.heading)}\n${body}`;
      return text.trim() === "" || facts.holds(text) ? place : undefined;
    },
    unknownTokens: (section) => {
      const own = section.heading.isBare ? "" : section.heading.text;
      return facts.unknownTokens(`# ${own}\n${bodyText(section)}`);
    },
  };
}

function bodyText({ note, blocks, body, to }: NoteSection): string {
  return plainText(note, blocks, body, to);
}

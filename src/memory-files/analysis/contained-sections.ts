// Whether a section of a note may leave because it stands in the memory: letter by letter, and with links that lead to
// the same place from there.
import type { TokenReader } from "../../similarity/fact-tokens.ts";
import { createUnknownTokens } from "../../similarity/same-fact.ts";
import { type Block, type HeadingBlock, isHeading } from "../../text/markdown/outline.ts";
import { isMarked } from "../protected-text.ts";
import { folderOf } from "../workspace/root.ts";
import { type MemoryFile, type Note, textOf } from "../workspace.ts";
import { type ContainingPlace, indexPassages, type PassageIndex, type SoughtSection } from "./contained-passages.ts";
import { type Heading, plainText, readPassages } from "./passages.ts";
import { bearsOnOthers, isBareName, isLabel, narrows, readSurroundings, takesBack } from "./surroundings.ts";

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

export interface MemoryCoverage {
  /** Undefined: something would be lost, or might be. */
  placeOf(section: NoteSection): ContainingPlace | undefined;
  /** Words, as facts are compared, of sentences that stand nowhere in the memory. */
  unknownTokens(section: NoteSection): readonly string[];
}

export function readCoverage(memory: readonly MemoryFile[], tokens: TokenReader): MemoryCoverage {
  const passages: PassageIndex = indexPassages(memory);
  const defines = memory.some(definesLinks);
  const read = new WeakMap<NoteSection, SoughtSection>();
  let unknownTokens: ((text: string) => readonly string[]) | undefined;
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
      const text = `${section.heading.text}\n${textOf(section.note, section.body, section.to)}`;
      if (bindsLink(text, defines || definesLinks(section.note))) return undefined;
      return folderOf(place.file) !== folderOf(section.note.file) && hasRelativeLink(text) ? undefined : place;
    },
    unknownTokens: (section) => {
      unknownTokens ??= createUnknownTokens(
        memory.map((file) => plainText(file, file.outline.blocks, 0, file.lines.length)),
        tokens,
      );
      const { note, blocks, heading, body, to } = section;
      return unknownTokens(`# ${heading.isBare ? "" : heading.text}\n${plainText(note, blocks, body, to)}`);
    },
  };
}

function definesLinks({ outline }: MemoryFile): boolean {
  return outline.blocks.some(({ kind }) => kind === "definition");
}

// Whether a section may leave its note as far as the note goes: not where something around it says what it holds for, and
// not where it is marked to be kept.

interface NoteScope {
  readonly narrow: boolean;
  readonly html: number;
  /** Lines with a link into the note itself, in their order. */
  readonly anchors: readonly number[];
}

const known = new WeakMap<MemoryFile, NoteScope>();

/** Something around it may change what it says, or needs it. */
export function isScoped(section: NoteSection): boolean {
  const { note, heading, before, next, to } = section;
  const { narrow, html, anchors } = scopeOf(note);
  if (narrow || html < heading.line || isLabel(note, before)) return true;
  if (next !== undefined && takesBack(next.text)) return true;
  if ((anchors[0] ?? heading.line) < heading.line || (anchors.at(-1) ?? 0) >= to) return true;
  for (let at = section.parent; at !== undefined; at = at.parent)
    if (at.heading.isBare && isIntroduced(at)) return true;
  return false;
}

/** What stands between its heading and the next one may speak of what stands below. */
function isIntroduced({ note, blocks }: NoteSection): boolean {
  const end = blocks.findIndex((block) => isHeading(block) && block.container === undefined);
  return blocks.slice(0, end < 0 ? blocks.length : end).some((block) => bearsOnOthers(note, block));
}

/** In it, at its heading or one above it, or on the lines right before it. */
export function isKept({ note, heading, before, to }: NoteSection): boolean {
  const from = before === undefined ? heading.line : before.from;
  for (let above = heading.parent; above !== undefined; above = above.parent) if (isMarked(above.text)) return true;
  const isComment = before?.kind === "html" && isMarked(textOf(note, from, heading.line));
  return isComment || isMarked(textOf(note, heading.line, to));
}

/** A note without a day is not a note of a day: its name is its subject. */
function saysMore(name: string, date: string | undefined): boolean {
  return date === undefined ? narrows(name.replace(/[-_]/g, " ")) : !isBareName(name, date);
}

function scopeOf(note: Note): NoteScope {
  const before = known.get(note);
  if (before !== undefined) return before;
  const parts = note.file.split("/");
  const name = (parts.at(-1) ?? "").replace(/\.[^.]*$/, "");
  const { narrow, introduced, html } = readSurroundings(note);
  const scope: NoteScope = {
    narrow: narrow || introduced || saysMore(name, note.date) || parts.slice(0, -1).some(narrows),
    html,
    anchors: note.lines.flatMap(({ text }, line) => (ANCHORED.test(text) ? [line] : [])),
  };
  known.set(note, scope);
  return scope;
}

// Links that may lead elsewhere from another file.

/** A reference, or a footnote: what it means, a definition elsewhere tells. */
const REFERENCE = /\]\[|\[\^|^[ \t>]{0,99}\[[^\]\n]{1,300}\]:/m;
/** With definitions about, any words in brackets may be a link; the box of a task is none. */
const BRACKETS = /(?<!^[ \t>]{0,99}(?:[-+*]|\d{1,9}[.)])[ \t]{1,9})\[[^\]\n]{1,300}\](?!\()/m;
const TARGET = /\]\([ \t]{0,9}<?([^)\s>]{0,500})/g;
const ATTRIBUTE = /\b(?:src|href)[ \t]{0,9}=[ \t]{0,9}["']?([^"'\s>]{0,500})/gi;
const ANYWHERE = /^(?:https?:|mailto:|#)/i;
/** A link to a heading of the same file. */
const ANCHORED = /\]\(#|href=["']?#/i;

function bindsLink(text: string, hasDefinitions: boolean): boolean {
  return REFERENCE.test(text) || (hasDefinitions && BRACKETS.test(text));
}

function hasRelativeLink(text: string): boolean {
  return [TARGET, ATTRIBUTE].some((pattern) =>
    [...text.matchAll(pattern)].some(([, target = ""]) => !ANYWHERE.test(target)),
  );
}

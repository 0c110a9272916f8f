// Whether a section of a note may leave because it stands in the memory: letter by letter, and with links that lead to
// the same place from there.
import type { TokenReader } from "../../similarity/fact-tokens.ts";
import { createUnknownTokens } from "../../similarity/same-fact.ts";
import { type Block, type HeadingBlock, isHeading } from "../../text/markdown/outline.ts";
import { groupBy } from "../../text/words.ts";
import { isMarked } from "../protected-text.ts";
import { folderOf } from "../workspace/root.ts";
import { type FileLine, type MemoryFile, type Note, textOf } from "../workspace.ts";
import { type Heading, isPassage, type Passage, plainText, readPassages } from "./passages.ts";
import {
  bearsOnOthers,
  isBareName,
  isLabel,
  isSilent,
  narrows,
  readSurroundings,
  speaksOfOthers,
  takesBack,
} from "./surroundings.ts";

/** A section of a note with all that its text depends on. */
export interface NoteSection {
  readonly note: Note;
  readonly heading: Heading;
  /** Of the heading above it. */
  readonly parent: NoteSection | undefined;
  /** Below the heading. */
  readonly blocks: readonly Block[];
  /** What stands in them. */
  readonly read: readonly (Passage | Heading)[];
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
  const findPlace = indexPassages(memory);
  const defines = memory.some(definesLinks);
  let unknownTokens: ((text: string) => readonly string[]) | undefined;
  return {
    placeOf(section) {
      const place = findPlace(section);
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

/** Something around it may change what it says, or needs it. */
export function isScoped(section: NoteSection): boolean {
  const { note, heading, before, next, to } = section;
  const { narrow, introduced, html } = readSurroundings(note);
  if (narrow || introduced || isNamedNarrowly(note) || html < heading.line || isLabel(note, before)) return true;
  if (next !== undefined && takesBack(next.text)) return true;
  const isAnchored = ({ text }: FileLine, line: number) => (line < heading.line || line >= to) && ANCHORED.test(text);
  if (note.lines.some(isAnchored)) return true;
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
function isNamedNarrowly({ file, date }: Note): boolean {
  const parts = file.split("/");
  const name = (parts.at(-1) ?? "").replace(/\.[^.]*$/, "");
  const saysMore = date === undefined ? narrows(name.replace(/[-_]/g, " ")) : !isBareName(name, date);
  return saysMore || parts.slice(0, -1).some(narrows);
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

// Finds out whether a section of a note stands in the memory as it is: the same passages in the same order, all that
// stands directly under the same headings, and nothing around them that could change what they say.

export interface ContainingPlace {
  readonly file: string;
  /** Line of its heading; 0 for what stands before the first one. */
  readonly line: number;
}

/** Where passages begin: a heading of the memory, or the beginning of a file. */
interface Place extends ContainingPlace {
  readonly of: ReadFile;
  readonly heading: Heading | undefined;
  /** Position of the first passage below it. */
  readonly at: number;
}

interface ReadFile {
  readonly read: readonly (Passage | Heading)[];
  /** Of headings. */
  readonly places: ReadonlyMap<Heading, Place>;
  /** Lines of what a reader does not see. */
  readonly silent: ReadonlySet<number>;
  /** Its only h1, above everything else, which names the memory and nothing that is in it. */
  readonly title: Heading | undefined;
  /** Not the main memory file: its name says what it is about, so the headings must. */
  readonly isPart: boolean;
}

/** Of the same beginning in several places, so many are looked at. */
const MOST_PLACES = 50;
const MAIN = /^(?:memory|claude|agents)$/i;

/** Finds where a section stands. Undefined: something would be lost, or might be. */
function indexPassages(memory: readonly MemoryFile[]): (section: NoteSection) => ContainingPlace | undefined {
  const all = memory.flatMap((file, at) => readPlaces(file, at > 0));
  const places = groupBy(all, ({ heading, of, at }) => beginning(heading, of.title, of.read[at]));
  return (section) => {
    const found = places.get(beginning(section.heading, undefined, section.read[0])) ?? [];
    return found.slice(0, MOST_PLACES).find((place) => contains(place, section));
  };
}

function readPlaces(file: MemoryFile, isSecond: boolean): readonly Place[] {
  const { blocks } = file.outline;
  const name = (file.file.split("/").at(-1) ?? "").replace(/\.[^.]*$/, "");
  const { narrow, introduced, html } = readSurroundings(file);
  if (narrow || narrows(file.file.replace(/\.[^.]*$/, "").replace(/[-_./]/g, " "))) return [];
  const silent = new Set(blocks.filter((block) => isSilent(file, block)).map(({ from }) => from));
  const read = [...readPassages(file, blocks, undefined)];
  const known = new Map<Heading, Place>();
  const title = titleOf(read.filter((one) => !isPassage(one) || !silent.has(one.line)));
  const of: ReadFile = { read, places: known, silent, title, isPart: isSecond && !MAIN.test(name) };
  const before = lastBefore(blocks);
  for (const [at, heading] of read.entries()) {
    if (isPassage(heading)) continue;
    known.set(heading, { file: file.file, line: heading.line, of, heading, at: at + 1 });
  }
  const first: Place = { file: file.file, line: 0, of, heading: undefined, at: 0 };
  const open = [...known.values()].filter(({ line }) => !introduced && line < html && !isLabel(file, before.get(line)));
  return [first, ...open];
}

/** The block before each heading, by its line. */
function lastBefore(blocks: readonly Block[]): ReadonlyMap<number, Block> {
  const before = new Map<number, Block>();
  for (const [at, block] of blocks.entries()) {
    const last = blocks[at - 1];
    if (isHeading(block) && last !== undefined) before.set(block.from, last);
  }
  return before;
}

function titleOf(read: readonly (Passage | Heading)[]): Heading | undefined {
  const [title, second] = read.filter((one): one is Heading => !isPassage(one) && one.level === 1);
  const isTitle = second === undefined && title !== undefined && title === read[0] && !narrows(title.text);
  return isTitle ? title : undefined;
}

/** Places and sections that begin alike have the same. */
function beginning(
  heading: Heading | undefined,
  title: Heading | undefined,
  first: Passage | Heading | undefined,
): string {
  return `${isBare(heading, title) ? "" : heading?.key}\n${first === undefined || !isPassage(first) ? "" : first.key}`;
}

function isBare(heading: Heading | undefined, title: Heading | undefined): boolean {
  return heading === undefined || heading === title || heading.isBare;
}

function contains(place: Place, section: NoteSection): boolean {
  const { of, heading, at } = place;
  if (isChangedBy(of.read[at + section.read.length], section.read.at(-1))) return false;
  if (!isSame(of, at, heading?.depth ?? 0, section)) return false;
  return isUnder(heading, section, of);
}

/** By what follows it: of three names, two are another list; and the next words may take it back. */
function isChangedBy(next: Passage | Heading | undefined, last: Passage | Heading | undefined): boolean {
  if (next === undefined) return false;
  if (!isPassage(next)) return takesBack(next.text);
  const goesOn = next.isInside && last !== undefined && isPassage(last) && last.isInside;
  return goesOn || takesBack(next.key) || speaksOfOthers(next.key);
}

/** Its passages from `at` on. */
function isSame({ read }: ReadFile, at: number, depth: number, { heading, read: wanted }: NoteSection): boolean {
  return wanted.every((one, index) => {
    const other = read[at + index];
    if (other === undefined || one.key !== other.key || isPassage(one) !== isPassage(other)) return false;
    return isPassage(one) || isPassage(other) || one.depth - heading.depth === other.depth - depth;
  });
}

/** Below the same headings, with the same text below each; those that say nothing may be others, without any text. */
function isUnder(heading: Heading | undefined, section: NoteSection, of: ReadFile): boolean {
  const above: Heading[] = [];
  for (let at = heading; at !== undefined; at = at.parent) above.push(at);
  const held = above.filter((one) => !isBare(one, of.title));
  const wanted: NoteSection[] = [];
  for (let one: NoteSection | undefined = section; one !== undefined; one = one.parent) {
    if (!isBare(one.heading, undefined)) wanted.push(one);
  }
  if (held.length !== wanted.length || (of.isPart && held.length === 0)) return false;
  if (above.slice(1).some((one) => isBare(one, of.title) && speaksOn(one, of))) return false;
  return wanted.every((one, index) => {
    const other = held[index];
    if (other === undefined || other.key !== one.heading.key) return false;
    return one === section || isSameText(other, one, of);
  });
}

function speaksOn(heading: Heading, of: ReadFile): boolean {
  return directly(heading, of).some(({ line, key }) => !of.silent.has(line) && speaksOfOthers(key));
}

function isSameText(heading: Heading, section: NoteSection, of: ReadFile): boolean {
  const held = directly(heading, of);
  const wanted = opening(section.read, 0);
  return held.length === wanted.length && held.every((one, at) => one.key === wanted[at]?.key);
}

function directly(heading: Heading, { read, places }: ReadFile): readonly Passage[] {
  return opening(read, places.get(heading)?.at ?? read.length);
}

/** What stands before the next heading. */
function opening(read: readonly (Passage | Heading)[], from: number): readonly Passage[] {
  const found: Passage[] = [];
  for (let one = read[from]; one !== undefined && isPassage(one); one = read[from + found.length]) found.push(one);
  return found;
}

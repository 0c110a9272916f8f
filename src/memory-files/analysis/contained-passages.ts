// Finds out whether a section of a note stands in the memory as it is: the same passages in the same order, all that
// stands directly under the same headings, and nothing around them that could change what they say.
import { type Block, isHeading } from "../../text/markdown/outline.ts";
import { groupBy } from "../../text/words.ts";
import type { MemoryFile } from "../workspace.ts";
import { type Heading, isPassage, type Passage, readPassages } from "./passages.ts";
import { isLabel, isSilent, narrows, readSurroundings, speaksOfOthers, takesBack } from "./surroundings.ts";

export interface ContainingPlace {
  readonly file: string;
  /** Line of its heading; 0 for what stands before the first one. */
  readonly line: number;
}

/** A heading of a note with what stands directly below it. */
export interface SoughtSection {
  readonly heading: Heading;
  readonly read: readonly (Passage | Heading)[];
  /** Of the heading above it. */
  readonly parent: SoughtSection | undefined;
}

export interface PassageIndex {
  /** Undefined: something would be lost, or might be. */
  find(section: SoughtSection): ContainingPlace | undefined;
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

export function indexPassages(memory: readonly MemoryFile[]): PassageIndex {
  const all = memory.flatMap((file, at) => readPlaces(file, at > 0));
  const places = groupBy(all, ({ heading, of, at }) => beginning(heading, of.title, of.read[at]));
  return {
    find: (section) =>
      places
        .get(beginning(section.heading, undefined, section.read[0]))
        ?.slice(0, MOST_PLACES)
        .find((place) => contains(place, section)),
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

function contains(place: Place, section: SoughtSection): boolean {
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
function isSame({ read }: ReadFile, at: number, depth: number, { heading, read: wanted }: SoughtSection): boolean {
  return wanted.every((one, index) => {
    const other = read[at + index];
    if (other === undefined || one.key !== other.key || isPassage(one) !== isPassage(other)) return false;
    return isPassage(one) || isPassage(other) || one.depth - heading.depth === other.depth - depth;
  });
}

/** Below the same headings, with the same text below each; those that say nothing may be others, without any text. */
function isUnder(heading: Heading | undefined, section: SoughtSection, of: ReadFile): boolean {
  const above: Heading[] = [];
  for (let at = heading; at !== undefined; at = at.parent) above.push(at);
  const held = above.filter((one) => !isBare(one, of.title));
  const wanted: SoughtSection[] = [];
  for (let one: SoughtSection | undefined = section; one !== undefined; one = one.parent) {
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

function isSameText(heading: Heading, section: SoughtSection, of: ReadFile): boolean {
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

// Whether a section may leave its note as far as the note goes: not where something around it says what it holds for, and
// not where it is marked to be kept.
import { isHeading } from "../../../text/markdown/outline.ts";
import { isMarked } from "../../marks.ts";
import { type MemoryFile, type Note, textOf } from "../../memory-file.ts";
import { isBareName, narrows, takesBack } from "./carries-nothing.ts";
import type { NoteSection } from "./hold-memory.ts";
import { hasAnchorLink } from "./links.ts";
import type { Heading } from "./passages.ts";
import { bearsOnOthers, isLabel, readSurroundings } from "./surroundings.ts";

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
  const isComment = before?.kind === "html" && isMarked(textOf(note, from, heading.line));
  return isComment || isMarked(textOf(note, heading.line, to)) || isMarkedAbove(heading.parent);
}

function isMarkedAbove(heading: Heading | undefined): boolean {
  for (let at = heading; at !== undefined; at = at.parent) if (isMarked(at.text)) return true;
  return false;
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
    anchors: note.lines.flatMap(({ text }, line) => (hasAnchorLink(text) ? [line] : [])),
  };
  known.set(note, scope);
  return scope;
}

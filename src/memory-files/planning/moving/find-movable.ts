// Which sections of the memory may be moved to an archive: entries of a log, each whole and with a date. Whatever may be
// standing knowledge, a rule, an open task or wanted today stays, however old it is.
import { type Section, splitSections } from "../../../text/markdown/sections.ts";
import { isInUse } from "../../analysis/in-use.ts";
import type { MemoryFile } from "../../memory-file.ts";
import { namesLinks } from "../leave-safely.ts";
import { beginsIn } from "./begins-in.ts";
import { findDates, latestOf } from "./dates.ts";
import { createEntryTest } from "./is-entry.ts";
import { isPointer } from "./pointer.ts";
import { holdsRule } from "./rules.ts";

export interface Movable {
  readonly heading: string;
  readonly from: number;
  /** Line after its last that moves: a pointer, a rule or a footer at its end stays. */
  readonly to: number;
  /** The latest that it holds. */
  readonly date: string;
  /** Of the lines that move, below each other. */
  readonly text: string;
}

const DEEPEST = 3;
const KEEP = /<!--[ \t]{0,9}keep\b/iu;
const OPEN_TASK = /^[ \t>]{0,99}(?:[-*+]|\d{1,9}[.)])[ \t]{1,9}\[[ \t]?\]/u;
const FOOTER_BLOCKS = 2;
const FOOTER_LINES = 3;

/** `stays`: lines, counted from 0, that something rests on. In the order in which they stand, apart. */
export function findMovable(file: MemoryFile, now: number, stays: ReadonlySet<number>): readonly Movable[] {
  const sections = splitSections(file.outline, file.lines.length, DEEPEST);
  const isEntry = createEntryTest(file, sections);
  const found: Movable[] = [];
  for (const section of sections) {
    if (section.from < (found.at(-1)?.to ?? 0) || !isEntry(section)) continue;
    const movable = readMovable(file, section);
    if (movable !== undefined && mayMove(file, section, movable, now, stays)) found.push(movable);
  }
  return found;
}

/** Undefined where a pointer stands in its middle, or nothing is left to move. */
function readMovable(file: MemoryFile, section: Section): Movable | undefined {
  const { from, body, heading } = section;
  const to = endOf(file, section);
  const texts = file.lines.slice(from, to).map(({ text }) => text);
  if (to <= body || texts.some(isPointer)) return undefined;
  const text = texts.join("\n");
  const date = latestOf(findDates(text));
  return date === undefined ? undefined : { heading: heading?.text ?? "", from, to, date, text };
}

/** Pointers at its end stay where they are, and so do a rule that parts it from what follows and a footer behind one. */
function endOf({ lines, outline }: MemoryFile, { body, whole }: Section): number {
  const blocks = beginsIn(outline.blocks, body, whole);
  const tail = blocks.findLastIndex(({ from }) => !isPointer(lines[from]?.text ?? ""));
  const pointer = blocks[tail + 1];
  if (pointer !== undefined) return pointer.from;
  const rule = blocks.findLastIndex(({ kind, container }) => kind === "rule" && container === undefined);
  const behind = blocks.slice(rule + 1);
  const isFooter =
    whole === lines.length &&
    behind.length <= FOOTER_BLOCKS &&
    behind.every(({ kind, from, to }) => kind === "paragraph" && to - from <= FOOTER_LINES);
  return rule >= 0 && (behind.length === 0 || isFooter) ? (blocks[rule]?.from ?? whole) : whole;
}

function mayMove(
  file: MemoryFile,
  { whole }: Section,
  { from, to, date, text }: Movable,
  now: number,
  stays: ReadonlySet<number>,
): boolean {
  const texts = file.lines.slice(from, whole).map((line) => line.text);
  if (isInUse(date, now) || texts.some((line) => KEEP.test(line) || OPEN_TASK.test(line))) return false;
  for (let line = from; line < to; line += 1) if (stays.has(line)) return false;
  return !isMarkedAbove(file, from) && !namesLinks(file, { from, to }, [{ from, to }]) && !holdsRule(text);
}

function isMarkedAbove({ lines }: MemoryFile, from: number): boolean {
  let line = from - 1;
  while (line >= 0 && lines[line]?.text.trim() === "") line -= 1;
  return KEEP.test(lines[line]?.text ?? "");
}

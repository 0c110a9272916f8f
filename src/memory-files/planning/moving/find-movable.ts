// Which sections of the memory may be moved to an archive: entries of a log, each whole and with a date. Whatever may be
// standing knowledge, a rule, an open task or wanted today stays, however old it is, and so do the last days of the log.
import { type Section, splitSections } from "../../../text/markdown/sections.ts";
import { DAY_MS, isoTime, readTime } from "../../../time.ts";
import { isInUse } from "../../analysis/in-use.ts";
import { isMarked } from "../../marks.ts";
import type { MemoryFile } from "../../memory-file.ts";
import { namesLinks } from "../leaving/leave-safely.ts";
import { beginsIn } from "./begins-in.ts";
import { findDates, latestOf } from "./dates.ts";
import { createEntryTest } from "./is-entry.ts";
import { createLinkTest } from "./linked-places.ts";
import { latestMonthEnd } from "./month-ends.ts";
import { isPointer } from "./pointer.ts";
import { holdsRule } from "./rules.ts";
import { isStillOpen } from "./still-open.ts";

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
/** Besides the marks that hold everywhere: what is said of an archive, or to the eye alone. */
const STAYS =
  /(?<![\p{L}\p{N}])KEEP(?![\p{L}\p{N}])|[⭐🌟❗‼]|(?:do not|don['’]t|never) (?:archive|move)|nicht (?:archivieren|verschieben)|no archivar|(?:ne pas|não) (?:archiver|arquivar)|不要归档|不要歸檔|请勿归档|(?<!\p{L})(?:[Pp]riority|[Ii]mportance|[Ii]mportant|[Pp]inned|[Pp]ermanent): ?(?:critical|high|true|yes|0\.[89]|1)/u;
const FOOTER_BLOCKS = 2;
const FOOTER_LINES = 3;

export interface FoundMovable {
  /** In the order in which they stand, apart. */
  readonly sections: readonly Movable[];
  /** That nothing keeps here but that they are recent. */
  readonly recent: number;
}

/** `stays`: lines, counted from 0, that something rests on. */
export function findMovable(file: MemoryFile, now: number, stays: ReadonlySet<number>): FoundMovable {
  const sections = splitSections(file.outline, file.lines.length, DEEPEST);
  const entries = sections.filter(createEntryTest(file, sections));
  const firstRecent = firstRecentDay(file, entries, now);
  const isLinked = createLinkTest(file);
  const found: Movable[] = [];
  let recent = 0;
  for (const section of entries) {
    if (section.from < (found.at(-1)?.to ?? 0)) continue;
    const movable = readMovable(file, section);
    if (movable === undefined || !mayMove(file, section, movable, stays)) continue;
    const { from, to, date, text } = movable;
    const last = [date, latestMonthEnd(text, now) ?? date].sort().at(-1) ?? date;
    if (isInUse(last, now) || isLinked(from, to)) continue;
    if (last >= firstRecent) recent += 1;
    else found.push(movable);
  }
  return { sections: found, recent };
}

/** However large a memory is, what was done last is what is asked for. */
export const RECENT_DAYS = 7;
/** The first zone in which a day begins is fourteen hours ahead of UTC. */
const FIRST_ZONE_MS = 14 * 3_600_000;

/** Of the last days of the log, counted from its newest day that is not to come. The day on which others moved is none. */
function firstRecentDay(file: MemoryFile, entries: readonly Section[], now: number): string {
  const today = dayOf(now + FIRST_ZONE_MS);
  const lines = entries.flatMap(({ from, to }) => file.lines.slice(from, to));
  const dates = lines.flatMap(({ text }) => (isPointer(text) ? [] : findDates(text)));
  const newest = latestOf(dates.filter(({ date }) => date <= today));
  const time = newest === undefined ? undefined : readTime(newest);
  return time === undefined ? today : dayOf(time - (RECENT_DAYS - 1) * DAY_MS);
}

function dayOf(time: number): string {
  return isoTime(time).slice(0, "2031-02-03".length);
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
  { from, to, text }: Movable,
  stays: ReadonlySet<number>,
): boolean {
  const texts = file.lines.slice(from, whole).map((line) => line.text);
  if (texts.some((line) => isKept(line) || isStillOpen(line))) return false;
  for (let line = from; line < to; line += 1) if (stays.has(line)) return false;
  return !isMarkedAbove(file, from) && !namesLinks(file, { from, to }, [{ from, to }]) && !holdsRule(text);
}

function isMarkedAbove({ lines }: MemoryFile, from: number): boolean {
  let line = from - 1;
  while (line >= 0 && lines[line]?.text.trim() === "") line -= 1;
  return isKept(lines[line]?.text ?? "");
}

function isKept(text: string): boolean {
  return isMarked(text) || STAYS.test(text);
}

// Which sections of the memory may be moved to an archive: entries of a log, each whole and with a date. Whatever may be
// lasting knowledge, a rule, an open task or wanted today stays, however old it is, and so do the last days of the log.
import { findDates, latestPeriodEnd } from "../../language/dates.ts";
import type { Container, Section } from "../../text/markdown/outline.ts";
import { DAY_MS, isoTime, readTime } from "../../time.ts";
import { sectionsOf } from "../analysis/section-report.ts";
import { isInUse } from "../dates.ts";
import { holdsRule, isMarked, isStillOpen } from "../protected-text.ts";
import type { MemoryFile } from "../workspace.ts";
import { isPointer } from "./pointers.ts";
import { namesLinks } from "./safe-ranges.ts";

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

/** Besides the marks that hold everywhere: what is said of an archive, or to the eye alone. */
const STAYS =
  /(?<![\p{L}\p{N}])KEEP(?![\p{L}\p{N}])|[⭐🌟❗‼]|(?:do not|don['’]t|never) (?:archive|move)|nicht (?:archivieren|verschieben)|no archivar|(?:ne pas|não) (?:archiver|arquivar)|不要归档|不要歸檔|请勿归档|(?<!\p{L})(?:[Pp]riority|[Ii]mportance|[Ii]mportant|[Pp]inned|[Pp]ermanent): ?(?:critical|high|true|yes|0\.[89]|1)/u;
const FOOTER_BLOCKS = 2;
const FOOTER_LINES = 3;

interface FoundMovable {
  /** In the order in which they stand, apart. */
  readonly sections: readonly Movable[];
  /** Why each of the other sections stays, by the line of its heading. */
  readonly stays: ReadonlyMap<number, StayReason>;
}

export const STAY_REASONS = {
  lasting: "not kept by day",
  recent: "of its last days",
  in_use: "of today or later",
  open: "has something open",
  rule: "holds a rule",
  marked: "marked to stay",
  linked: "linked to from elsewhere",
  rests_on_it: "a note was shortened by it",
  pointer: "a pointer stands in it",
  enough: "the others are enough",
} as const;
export type StayReason = keyof typeof STAY_REASONS;

/** `stays`: lines, counted from 0, that something rests on. */
export function findMovable(file: MemoryFile, now: number, stays: ReadonlySet<number>): FoundMovable {
  const sections = sectionsOf(file);
  const entries = sections.filter(createEntryTest(file, sections));
  const firstRecent = firstRecentDay(file, entries, now);
  const found: Movable[] = [];
  const why = new Map<number, StayReason>(sections.map(({ from }) => [from, "lasting"]));
  for (const section of entries) {
    if (section.from < (found.at(-1)?.to ?? 0)) continue;
    const movable = readMovable(file, section);
    const reason = movable === undefined ? "pointer" : whyStays(file, section, movable, { stays, firstRecent, now });
    if (movable === undefined || reason !== undefined) why.set(section.from, reason ?? "pointer");
    else found.push(movable);
  }
  for (const { from, to } of found) for (let line = from; line < to; line += 1) why.delete(line);
  return { sections: found, stays: why };
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
  const newest = latestOf(dates.map(({ date }) => date).filter((date) => date <= today));
  const time = readTime(newest ?? "");
  return time === undefined ? today : dayOf(time - (RECENT_DAYS - 1) * DAY_MS);
}

function latestOf(dates: readonly string[]): string | undefined {
  return dates.toSorted().at(-1);
}

function dayOf(time: number): string {
  return isoTime(time).slice(0, "2031-02-03".length);
}

/** Undefined where a pointer stands in its middle, or nothing is left to move. */
function readMovable(file: MemoryFile, section: Section): Movable | undefined {
  const { from, body, heading } = section;
  const to = sectionEnd(file, section);
  const texts = file.lines.slice(from, to).map(({ text }) => text);
  if (to <= body || texts.some(isPointer)) return undefined;
  const text = texts.join("\n");
  const date = latestOf(findDates(text).map((found) => found.date));
  return date === undefined ? undefined : { heading: heading?.text ?? "", from, to, date, text };
}

/** Pointers at its end stay where they are, and so do a rule that parts it from what follows and a footer behind one. */
function sectionEnd({ lines, outline }: MemoryFile, { body, whole }: Section): number {
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

interface Surroundings {
  /** Lines that something rests on. */
  readonly stays: ReadonlySet<number>;
  readonly firstRecent: string;
  readonly now: number;
}

/** Undefined: it may move. */
function whyStays(
  file: MemoryFile,
  { whole }: Section,
  { from, to, date, text }: Movable,
  { stays, firstRecent, now }: Surroundings,
): StayReason | undefined {
  const texts = file.lines.slice(from, whole).map((line) => line.text);
  if (texts.some(isKept) || isMarkedAbove(file, from)) return "marked";
  if (texts.some(isStillOpen)) return "open";
  for (let line = from; line < to; line += 1) if (stays.has(line)) return "rests_on_it";
  if (namesLinks(file, { from, to }, [{ from, to }])) return "linked";
  if (holdsRule(text)) return "rule";
  const last = latestOf([date, latestPeriodEnd(text, now) ?? date]) ?? date;
  if (isInUse(last, now)) return "in_use";
  return last >= firstRecent ? "recent" : undefined;
}

function isMarkedAbove({ lines }: MemoryFile, from: number): boolean {
  let line = from - 1;
  while (line >= 0 && lines[line]?.text.trim() === "") line -= 1;
  return isKept(lines[line]?.text ?? "");
}

function isKept(text: string): boolean {
  return isMarked(text) || STAYS.test(text);
}

// Whether a section stands for a log: it begins with its day, is one of a series of days, or lists what was done by day. One
// that is said to be lasting knowledge, by its heading or any above it, is none.

const BEFORE_DATE = /^[^\p{L}\p{N}]{0,12}(?:(?:mon|tue|wed|thu|fri|sat|sun)\p{L}{0,6}[,.]?\s{1,3})?$/iu;
/** Headings over what holds until it is replaced, whatever the day on which it was written. */
const LASTING =
  /lesson|learn|preference|principle|convention|rule|guideline|polic|credential|contact|config|setup|how.?to|reference|overview|profile|identity|current|focus|todo|to-do|next|plan|goal|open|pending|active|decision|教训|教訓|经验|經驗|偏好|原则|原則|约定|約定|规则|規則|规范|規範|配置|身份|当前|當前|目标|目標|计划|計劃|下一步|待办|待辦|决定|決定|决策|決策/iu;
/** So many of a kind are no chance. */
const SERIES = 3;
const DATED_SHARE = 0.8;
const MARK = /^[ \t]{0,3}(?:[-*+]|\d{1,9}[.)])/;
/** Of an item: a date that stands later is not its day. */
const OPENING = 40;

/** Whether a section of level two or three is an entry of a log. `sections`: all of levels one to three, in order. */
function createEntryTest(file: MemoryFile, sections: readonly Section[]): (section: Section) => boolean {
  const series = new Map<string, number>();
  const keys = new Map<Section, string>();
  const items = file.outline.containers.filter(({ kind, parent }) => kind === "item" && parent === undefined);
  const tops = items.sort((left, right) => left.from - right.from);
  const standing = new Set<Section>();
  const firsts = sections.filter(({ heading }) => heading?.level === 1);
  for (const [section, parent] of parentsOf(sections)) {
    // Everything below a lasting heading is lasting, too, even where it begins with a day.
    // The one title says what the file is, not what holds until it is replaced.
    const isTitle = firsts.length === 1 && firsts[0] === section && !isMarked(section.heading?.text ?? "");
    const text = section.heading?.text ?? "";
    const isLasting = LASTING.test(text) || isMarked(text);
    if ((isLasting && !isTitle) || (parent !== undefined && standing.has(parent))) standing.add(section);
    if (section.heading === undefined || !isDated(section) || standing.has(section)) continue;
    const key = `${section.heading.level} ${parent?.from ?? ""}`;
    keys.set(section, key);
    series.set(key, (series.get(key) ?? 0) + 1);
  }
  return (section) => {
    if (section.heading === undefined || section.heading.level < 2 || standing.has(section)) return false;
    if (beginsWithDate(section.heading.text)) return true;
    const isOneOfSeries = (series.get(keys.get(section) ?? "") ?? 0) >= SERIES;
    return isOneOfSeries || (!isDated(section) && listsDays(file, tops, section));
  };
}

function isDated({ heading }: Section): boolean {
  return findDates(heading?.text ?? "").length > 0;
}

function beginsWithDate(text: string): boolean {
  return findDates(text).some(({ at }) => BEFORE_DATE.test(text.slice(0, at)));
}

/** Hardly anything stands in it but items that begin with their day. */
function listsDays({ outline, lines }: MemoryFile, tops: readonly Container[], { body, to, whole }: Section): boolean {
  if (to !== whole) return false;
  const items = beginsIn(tops, body, to);
  const dated = items.filter(({ from }) =>
    beginsWithDate((lines[from]?.text ?? "").replace(MARK, "").slice(0, OPENING)),
  );
  const beside = beginsIn(outline.blocks, body, to).filter(({ container }) => container === undefined);
  return dated.length >= SERIES && dated.length >= items.length * DATED_SHARE && beside.length <= 1;
}

function parentsOf(sections: readonly Section[]): ReadonlyMap<Section, Section | undefined> {
  const above: Section[] = [];
  return new Map(
    sections.map((section) => {
      const level = section.heading?.level ?? 0;
      while (above.length > 0 && (above.at(-1)?.heading?.level ?? 0) >= level) above.pop();
      const parent = above.at(-1);
      above.push(section);
      return [section, parent] as const;
    }),
  );
}

// What of a text begins within some of its lines, without looking at all of it each time.

/** `all` in the order of their lines. */
function beginsIn<Placed extends { readonly from: number }>(
  all: readonly Placed[],
  from: number,
  to: number,
): readonly Placed[] {
  return all.slice(firstFrom(all, from), firstFrom(all, to));
}

function firstFrom(all: readonly { readonly from: number }[], line: number): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle]?.from ?? line) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

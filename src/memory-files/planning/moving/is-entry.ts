// Whether a section stands for a log: it begins with its day, is one of a series of days, or lists what was done by day. One
// that is said to be standing knowledge, by its heading or any above it, is none.
import type { Container, Outline } from "../../../text/markdown/outline.ts";
import type { Section } from "../../../text/markdown/sections.ts";
import { isMarked } from "../../marks.ts";
import type { MemoryFile } from "../../memory-file.ts";
import { beginsIn } from "./begins-in.ts";
import { findDates } from "./dates.ts";

const BEFORE_DATE = /^[^\p{L}\p{N}]{0,12}(?:(?:mon|tue|wed|thu|fri|sat|sun)\p{L}{0,6}[,.]?\s{1,3})?$/iu;
/** Headings over what holds until it is replaced, whatever the day on which it was written. */
const STANDING =
  /lesson|learn|preference|principle|convention|rule|guideline|polic|credential|contact|config|setup|how.?to|reference|overview|profile|identity|current|focus|todo|to-do|next|plan|goal|open|pending|active|decision|教训|教訓|经验|經驗|偏好|原则|原則|约定|約定|规则|規則|规范|規範|配置|身份|当前|當前|目标|目標|计划|計劃|下一步|待办|待辦|决定|決定|决策|決策/iu;
/** So many of a kind are no chance. */
const SERIES = 3;
const DATED_SHARE = 0.8;
const MARK = /^[ \t]{0,3}(?:[-*+]|\d{1,9}[.)])/;
/** Of an item: a date that stands later is not its day. */
const OPENING = 40;

/** Tells it of each section of level two or three; `sections` of levels one to three, in order. */
export function createEntryTest(file: MemoryFile, sections: readonly Section[]): (section: Section) => boolean {
  const series = new Map<string, number>();
  const keys = new Map<Section, string>();
  const tops = topItems(file.outline);
  const standing = new Set<Section>();
  const firsts = sections.filter(({ heading }) => heading?.level === 1);
  for (const [section, parent] of parentsOf(sections)) {
    // What stands below such a heading stands, too, whatever day it begins with.
    // The one title says what the file is, not what holds until it is replaced.
    const isTitle = firsts.length === 1 && firsts[0] === section && !isMarked(section.heading?.text ?? "");
    if ((isStanding(section) && !isTitle) || (parent !== undefined && standing.has(parent))) standing.add(section);
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

function isStanding({ heading }: Section): boolean {
  const text = heading?.text ?? "";
  return STANDING.test(text) || isMarked(text);
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

/** In the order of their lines. */
function topItems({ containers }: Outline): readonly Container[] {
  const tops = containers.filter(({ kind, parent }) => kind === "item" && parent === undefined);
  return tops.sort((left, right) => left.from - right.from);
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

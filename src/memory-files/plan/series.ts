// Series of a memory: items that are the same but for a counter or a date that rises, each out of date once the next was
// written ("41 days without a failure", "42 days ..."). Under `aggressive` the last one stays and says how many there were.
import { findDates, findDays, isoDay } from "../../language/dates.ts";
import { type Outline, type Section, splitSections } from "../../text/markdown/outline.ts";
import { scanMarkdown } from "../../text/markdown/scan-markdown.ts";
import { compareTexts, groupBy } from "../../text/words.ts";
import { isInUse } from "../dates.ts";
import { holdsRule, isMarked, isStillOpen } from "../protected-text.ts";
import { endsLine, type MemoryFile } from "../workspace.ts";
import { findRemovableLines } from "./dedupe-lines.ts";
import { ITEM_GROUP, listEntries } from "./repeated-lines.ts";
import { keepsOutline } from "./safe-ranges.ts";

/** Fewer are no series. */
const LEAST = 3;
/** Of items below different ones, which may each count something of their own: so many in order are no chance. */
const LEAST_APART = 5;
/** A counter stands for itself: no part of a name, a version, an amount of money, a time, a change ("+7"). */
const COUNTER =
  /(?<![\p{Script=Latin}\p{N}_#$€£¥@.,:/~=+-])\d{1,15}(?:[.,]\d{1,9})?(?![\p{N}_#$€£¥@/~=+-]|[.,:]\d|\p{Script=Latin}{1,3}\p{N}|\p{Script=Latin}{4})/gu;
const COLLAPSED = / \(×(\d{1,6}), (\S{1,40}) → \S{1,40}\)$/u;
const ROUNDS = 4;

export interface Collapsed {
  /** Lines that leave beside those that had left already, in order. */
  readonly lines: readonly number[];
  /** What takes the place of the last line of each series, by that line. */
  readonly written: ReadonlyMap<number, string>;
}

/**
 * `gone`: lines that leave anyway; `skip`: lines that are no part of any series. Nothing in a file that is not UTF-8. A second
 * call on the result finds none.
 */
export function collapseSeries(
  file: MemoryFile,
  gone: readonly number[],
  skip: (line: number) => boolean,
  now: number,
): Collapsed {
  const texts = file.lines.map(({ text }) => text);
  const written = new Map<number, string>();
  const before = new Set(gone);
  let kept: readonly number[] = [...texts.keys()].filter((line) => !before.has(line));
  const size = kept.length;
  for (let round = 0; round < ROUNDS && file.encoding === "utf-8"; round += 1) {
    const current = kept.map((line) => written.get(line) ?? texts[line] ?? "");
    const outline = scanMarkdown(current);
    const found = findSeries(current, outline, now, (line) => skip(kept[line] ?? 0));
    const chosen = thatKeepTheRest(found, current, outline);
    if (chosen.length === 0) break;
    for (const { last, text } of chosen) written.set(kept[last] ?? 0, text);
    const left = new Set(chosen.flatMap(({ lines }) => lines));
    kept = kept.filter((_, at) => !left.has(at));
    // What left may bring repeats and blank lines together.
    const isUnended = texts.length > 0 && !endsLine(file) && kept.at(-1) === texts.length - 1;
    const again = new Set(
      findRemovableLines(
        kept.map((line) => written.get(line) ?? texts[line] ?? ""),
        isUnended,
      ),
    );
    kept = kept.filter((_, at) => !again.has(at));
  }
  if (kept.length === size) return { lines: [], written: new Map() };
  const stays = new Set(kept);
  return { lines: [...texts.keys()].filter((line) => !before.has(line) && !stays.has(line)), written };
}

interface Series {
  /** That leave. */
  readonly lines: readonly number[];
  readonly last: number;
  /** The last line with its count. */
  readonly text: string;
}

function thatKeepTheRest(found: readonly Series[], texts: readonly string[], outline: Outline): readonly Series[] {
  const keeps = (chosen: readonly Series[]) => {
    const left = new Set(chosen.flatMap(({ lines }) => lines));
    const put = new Map(chosen.map(({ last, text }) => [last, text]));
    const kept = [...texts.keys()].flatMap((line) => (left.has(line) ? [] : [put.get(line) ?? line]));
    return keepsOutline(texts, outline, kept);
  };
  if (keeps(found)) return found;
  const chosen: Series[] = [];
  for (const each of found) if (keeps([...chosen, each])) chosen.push(each);
  return chosen;
}

interface Entry {
  readonly line: number;
  /** Entries of one series have the same. */
  readonly key: string;
  /** Day of its section, or else its own; "" without one, where the order of the lines is that of time. */
  readonly day: string;
  readonly values: readonly number[];
  /** As written, of the same. */
  readonly shown: readonly string[];
  /** Lines that it stands for, and the first value of these. */
  readonly count: number;
  readonly first: string | undefined;
  /** Text of the item around it. */
  readonly below: string;
}

function findSeries(
  texts: readonly string[],
  outline: Outline,
  now: number,
  skip: (line: number) => boolean,
): readonly Series[] {
  const places = placesOf(texts, outline);
  const items = new Map(
    outline.containers.flatMap((item) => (item.kind === "item" ? [[item.from, item] as const] : [])),
  );
  const entries = listEntries(texts, outline).flatMap(({ line, group }): readonly Entry[] => {
    const text = texts[line] ?? "";
    const place = places[line];
    // Sentences that follow each other are a story, unless each is that of a day.
    if (place === undefined || skip(line) || (place.day === "" && !group.startsWith(ITEM_GROUP))) return [];
    if (place.isMarked || isMarked(text) || isStillOpen(text) || holdsRule(text)) return [];
    const parent = outline.containers[items.get(line)?.parent ?? -1];
    const read = readCounters(text);
    const days = [place.day, ...read.days].filter((day) => day !== "");
    // What is still to come is not out of date.
    if (read.values.length === 0 || days.some((day) => isInUse(day, now))) return [];
    return [
      {
        ...{ line, values: read.values, shown: read.shown, count: read.count, first: read.first },
        key: `${place.scope}\n${place.day === ""}\n${read.template}`,
        day: place.day === "" ? (read.days[0] ?? "") : place.day,
        below: parent === undefined ? "" : (texts[parent.from] ?? "").trim(),
      },
    ];
  });
  return [...groupBy(entries, ({ key }) => key).values()].flatMap((group) => seriesOf(group, texts, outline));
}

/** A counter may begin anew, and the last one may have done so just now; where it falls more often, it is no counter. */
function seriesOf(group: readonly Entry[], texts: readonly string[], outline: Outline): readonly Series[] {
  const ordered = group.toSorted((a, b) => compareTexts(a.day, b.day) || (a.day === "" ? 0 : byValues(a, b)));
  const runs: Entry[][] = [];
  for (const entry of ordered) {
    const last = runs.at(-1)?.at(-1);
    if (last === undefined || entry.values.some((value, of) => value < (last.values[of] ?? value))) runs.push([entry]);
    else runs.at(-1)?.push(entry);
  }
  const isLong = runs.map(isSeries);
  if (!isLong.slice(0, -1).every(Boolean)) return [];
  return runs.flatMap((run, at) => (isLong[at] === true && run.length > 1 ? [collapse(run, texts, outline)] : []));
}

function isSeries(run: readonly Entry[]): boolean {
  const different = new Set(run.map(({ values }) => values.join(" "))).size;
  const count = run.reduce((sum, entry) => sum + entry.count, 0);
  const isApart = new Set(run.map(({ below }) => below)).size > 1;
  return different - run.length + count >= (isApart ? LEAST_APART : LEAST) && (different > 1 || run.length === 1);
}

function collapse(run: readonly Entry[], texts: readonly string[], outline: Outline): Series {
  const [first, last] = [run[0], run.at(-1)] as [Entry, Entry];
  const rising = last.values.findIndex((value, of) => value > (first.values[of] ?? value));
  const span = `${first.first ?? first.shown[rising]} → ${last.shown[rising]}`;
  const count = run.reduce((sum, entry) => sum + entry.count, 0);
  const lines = run.map(({ line }) => line).filter((line) => line !== last.line);
  return {
    lines: withEmptied(lines, texts, outline),
    last: last.line,
    text: `${(texts[last.line] ?? "").trimEnd().replace(COLLAPSED, "")} (×${count}, ${span})`,
  };
}

function byValues(a: Entry, b: Entry): number {
  const at = a.values.findIndex((value, of) => value !== b.values[of]);
  return at < 0 ? a.line - b.line : (a.values[at] ?? 0) - (b.values[at] ?? 0);
}

/** With the whole of each section that would be left with its heading alone: that is no content. */
function withEmptied(lines: readonly number[], texts: readonly string[], outline: Outline): readonly number[] {
  const leaving = new Set(lines);
  for (const { heading, from, body, to, whole } of splitSections(outline, texts.length)) {
    const said = texts.slice(body, to).flatMap((text, at) => (text.trim() === "" ? [] : [body + at]));
    const isEmptied = said.length > 0 && said.every((line) => leaving.has(line));
    if (heading !== undefined && to === whole && isEmptied)
      for (let line = from; line < to; line += 1) leaving.add(line);
  }
  return [...leaving].sort((a, b) => a - b);
}

function readCounters(whole: string) {
  const text = whole.trim();
  const [, count, first] = COLLAPSED.exec(text) ?? [];
  const said = text.replace(COLLAPSED, "");
  const dates = findDays(said).flatMap((day) => {
    const date = isoDay(day);
    return date === undefined ? [] : [{ date, at: day.index, text: day.text }];
  });
  const isIn = (at: number) => dates.some((date) => at >= date.at && at < date.at + date.text.length);
  const counters = [...said.matchAll(COUNTER)].filter(({ index }) => !isIn(index));
  const all = [
    ...dates.map(({ at, text: shown, date }) => ({ at, shown, value: Date.parse(date) })),
    ...counters.map(({ 0: shown, index }) => ({ at: index, shown, value: Number(shown.replace(",", "")) })),
  ].sort((a, b) => a.at - b.at);
  let template = "";
  let end = 0;
  for (const { at, shown } of all) {
    template += `${said.slice(end, at)}\ue000`;
    end = at + shown.length;
  }
  return {
    template: template + said.slice(end),
    values: all.map(({ value }) => value),
    shown: all.map(({ shown }) => shown),
    days: dates.map(({ date }) => date),
    count: count === undefined ? 1 : Number(count),
    first,
  };
}

interface Place {
  /** Line of the section that a series may reach over: the nearest one above that is not of one day. */
  readonly scope: number;
  /** Of the sections in between, the nearest one's; "" where there is none. */
  readonly day: string;
  /** It, or a section above it, is to be kept. */
  readonly isMarked: boolean;
}

function placesOf(texts: readonly string[], outline: Outline): readonly (Place | undefined)[] {
  const places: (Place | undefined)[] = [];
  const above: { readonly section: Section; readonly place: Place }[] = [];
  for (const section of splitSections(outline, texts.length)) {
    while (above.length > 0 && (above.at(-1)?.section.whole ?? 0) <= section.from) above.pop();
    const parent = above.at(-1)?.place;
    const heading = section.heading?.text ?? "";
    const day = findDates(heading).at(0)?.date;
    const place: Place = {
      scope: day === undefined ? section.from : (parent?.scope ?? -1),
      day: day ?? "",
      isMarked: isMarked(heading) || parent?.isMarked === true,
    };
    above.push({ section, place });
    places.fill(place, section.from, section.to);
    for (let line = section.from; line < section.to; line += 1) places[line] = place;
  }
  return places;
}

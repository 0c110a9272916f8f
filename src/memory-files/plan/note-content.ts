// What a note says, for a digest: its title without its date, and its text without what is no words of it (front matter,
// comments) or stands elsewhere in the digest (the title, open tasks).
import { replaceDays } from "../../language/dates.ts";
import { factKey } from "../../similarity/same-fact.ts";
import { type HeadingBlock, isHeading } from "../../text/markdown/outline.ts";
import { flat } from "../../text/quote.ts";
import type { MemoryFile, Note } from "../workspace.ts";
import { keptLines, keptTexts } from "./drafts.ts";

interface NoteContent {
  readonly title: string;
  readonly text: string;
}

const TIME = /\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp][Mm])?/gu;
/** Put around each day of a title while it is read. */
const [OPEN, CLOSE] = ["\ue000", "\ue001"];
const DAY = `${OPEN}[^${CLOSE}]{1,40}${CLOSE}(?:[\\sT]\\s?${TIME.source})?`;
const IN_BRACKETS = new RegExp(`[(（[【]${DAY}[)）\\]】]`, "gu");
const AT_AN_END = new RegExp(`^${DAY}|${DAY}$`, "gu");
/** What a date leaves behind in a title. */
const EDGE = /^[\s\-–—:：,，|·]+|[\s\-–—:：,，|·]+$/gu;
/** Titles that say nothing about this note. */
const GENERIC =
  /^(?:(?:daily )?(?:notes?|log|journal|memory|diary)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|周.|星期.|日志|日記|日记|笔记|记录|每日笔记|今日记录)$/iu;
const ROTATED = /^# Rotated Daily Note\s*$/u;
const ARCHIVED = /^Archived copy: (\S.{0,500})$/u;
/** So many notes of a month with a heading make it a form to be filled in, not what one of them is about. */
const FORM_NOTES = 3;
/** Letters beside a date or time: less is its label. */
const LABEL_LETTERS = 16;

/** Headings that recur from note to note, in the form of `formOf`. */
export function recurringHeadings(notes: readonly Note[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const note of notes) {
    for (const form of new Set(topHeadings(note).map(({ text }) => formOf(text)))) {
      counts.set(form, (counts.get(form) ?? 0) + 1);
    }
  }
  return new Set([...counts].flatMap(([form, count]) => (count >= FORM_NOTES ? [form] : [])));
}

export function noteContent(note: Note, recurring: ReadonlySet<string>): NoteContent {
  return rotatedContent(note) ?? plainContent(note, recurring);
}

function plainContent(note: Note, recurring: ReadonlySet<string>): NoteContent {
  const { blocks } = note.outline;
  const headings = topHeadings(note);
  const [first] = headings;
  const isTitled = first !== undefined && first.level === 1;
  const own = isTitled ? undated(first.text) : "";
  const isOwn = !GENERIC.test(own) && !recurring.has(formOf(own));
  // Without a heading of its own the summarizer finds what tells most; the label says the slug already.
  const left = [
    ...blocks.filter((block) => block.kind === "front_matter" || isComment(note, block)),
    ...tasksOf(note).filter(({ isDone }) => !isDone),
    ...(isTitled ? [first] : []),
  ];
  const staying = keptTexts(
    note,
    keptLines(
      note.lines.length,
      left.toSorted((a, b) => a.from - b.from),
    ),
  );
  return {
    title: isOwn ? own : "",
    text: staying
      .filter((line) => !isDateLine(line))
      .join("\n")
      .trim(),
  };
}

function topHeadings({ outline }: Note): readonly HeadingBlock[] {
  return outline.blocks.filter(isHeading).filter(({ container }) => container === undefined);
}

/** Without figures and signs: `Loop 2 - 09:00` and `Loop 3 - 21:30` are one form. */
function formOf(heading: string): string {
  return undated(heading)
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, " ")
    .trim();
}

/** `Date: 2031-02-03`, `*Written 2031-02-03 04:00 AM*`: the citation says it. */
function isDateLine(line: string): boolean {
  if (line.length > 120) return false;
  const rest = replaceDays(line, () => "").replace(TIME, "");
  return rest !== line && (rest.match(/\p{L}/gu)?.length ?? 0) <= LABEL_LETTERS && !/\d/u.test(rest);
}

/** A note that was rotated holds but a preview, quoted; the whole of it stays where it was put then. */
function rotatedContent(note: Note): NoteContent | undefined {
  if (!ROTATED.test(note.lines[0]?.text ?? "")) return undefined;
  const lines = note.lines.map(({ text }) => text);
  const archived = lines.map((line) => ARCHIVED.exec(line)?.[1]).find((found) => found !== undefined);
  const preview = lines
    .filter((line) => line.startsWith("> "))
    .map((line) => line.slice(2))
    .filter((line) => !isDated(line));
  if (archived === undefined) return undefined;
  return { title: `Rotated, whole in ${archived}`, text: preview.join("\n") };
}

/** A heading that says a day only. */
function isDated(line: string): boolean {
  const heading = /^#{1,6} (.*)$/u.exec(line)?.[1];
  return heading !== undefined && undated(heading) === "";
}

function isComment(note: Note, { kind, from }: { readonly kind: string; readonly from: number }): boolean {
  return kind === "html" && /^\s{0,3}<!--/u.test(note.lines[from]?.text ?? "");
}

function undated(title: string): string {
  const marked = replaceDays(title, (day) => (day.year === undefined ? day.text : OPEN + day.text + CLOSE));
  const bare = flat(marked.replace(IN_BRACKETS, " ")).replace(EDGE, "");
  return bare.replace(AT_AN_END, "").replace(EDGE, "").replaceAll(OPEN, "").replaceAll(CLOSE, "");
}

// The tasks that notes left open, word for word: no cap and no judgement may lose one. A task that stands in several notes
// is one task; one that a later note checks off says so.

/** A line of a list that is to be done. Quotes around it do not matter. */
const TASK = /^[\s>]{0,60}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}){1,4}\[([ xX])\](?:[ \t]+(\S.*))?$/u;
const MARKER = /^[\s>]{0,60}(?:[-*+]|\d{1,9}[.)])[ \t]/u;

interface NoteTask {
  readonly isDone: boolean;
  /** Its own paragraph, each line trimmed. */
  readonly lines: readonly string[];
  /** Of the note, end exclusive. */
  readonly from: number;
  readonly to: number;
}

/** In order. Without those in code, tables, HTML and front matter. */
function tasksOf(note: MemoryFile): readonly NoteTask[] {
  const tasks: NoteTask[] = [];
  for (const { kind, from, to } of note.outline.blocks) {
    if (kind !== "paragraph") continue;
    const lines = note.lines.slice(from, to).map(({ text }) => text);
    const starts = lines.flatMap((line, at) => (MARKER.test(line) ? [at] : []));
    for (const [place, at] of starts.entries()) {
      const [, mark, words] = TASK.exec(lines[at] ?? "") ?? [];
      if (mark === undefined || words === undefined) continue;
      const end = starts[place + 1] ?? lines.length;
      const rest = lines.slice(at + 1, end).map((line) => line.replace(/^[\s>]+/u, "").trimEnd());
      tasks.push({ isDone: mark !== " ", lines: [words.trimEnd(), ...rest], from: from + at, to: from + end });
    }
  }
  return tasks;
}

export interface OpenTask {
  readonly lines: readonly string[];
  /** Dates of the notes that have it, oldest first. */
  readonly dates: readonly string[];
  /** Date of the last note that checks it off, where that is not before the last that has it open. */
  readonly done: string | undefined;
}

/** In the order in which they were first written; those that say the same are one. `notes` oldest first. */
export function openTasks(notes: readonly Note[], redact: (text: string) => string): readonly OpenTask[] {
  const open = new Map<string, { lines: readonly string[]; dates: string[]; done: string | undefined }>();
  const checked = new Map<string, string>();
  for (const note of notes) {
    const date = note.date ?? note.file;
    for (const { isDone, lines } of tasksOf(note)) {
      const said = redact(lines.join("\n")).split("\n");
      const key = taskKey(said);
      if (isDone) {
        checked.set(key, date);
        const task = open.get(key);
        if (task !== undefined) task.done = date;
        continue;
      }
      const task = open.get(key) ?? { lines: said, dates: [], done: undefined };
      open.set(key, task);
      if (task.dates.at(-1) !== date) task.dates.push(date);
      task.done = checked.get(key) === date ? date : undefined;
    }
  }
  return [...open.values()];
}

/** Equal for tasks that say the same; strokes through a task are not of its words. */
export function taskKey(lines: readonly string[]): string {
  return factKey(flat(lines.join(" ")).replaceAll("~~", ""));
}

/** Behind it a task says how it went, not what it was. */
const REMARK = /\s+[-–—]\s|[(（✅:：]/u;

/** Keys of the tasks that a file has checked off: as they stand, and without the remark behind them. */
export function tasksDoneIn(file: MemoryFile): readonly string[] {
  const done = tasksOf(file).filter(({ isDone }) => isDone);
  return done.flatMap(({ lines }) => [taskKey(lines), taskKey([(lines[0] ?? "").split(REMARK, 1)[0] ?? ""])]);
}

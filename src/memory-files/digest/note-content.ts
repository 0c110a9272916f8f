// What a note says, for a digest: its title without its date, and its text without what is no words of it (front matter,
// comments) or stands elsewhere in the digest (the title, open tasks).
import { type HeadingBlock, isHeading } from "../../text/markdown/outline.ts";
import type { Note } from "../memory-file.ts";
import { tasksOf, textWithout } from "./open-tasks.ts";

export interface NoteContent {
  readonly title: string;
  readonly text: string;
}

const DATE = /\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{4}\s?年\s?\d{1,2}\s?月\s?\d{1,2}\s?日/gu;
const TIME = /\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp][Mm])?/gu;
const DAY = `(?:${DATE.source})(?:[\\sT]\\s?${TIME.source})?`;
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
  return {
    title: isOwn ? own : "",
    text: textWithout(note, left)
      .split("\n")
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
  const rest = line.replace(DATE, "").replace(TIME, "");
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
  return /^#{1,6} /u.test(line) && undated(line.replace(/^#{1,6} /u, "")) === "";
}

function isComment(note: Note, { kind, from }: { readonly kind: string; readonly from: number }): boolean {
  return kind === "html" && /^\s{0,3}<!--/u.test(note.lines[from]?.text ?? "");
}

function undated(title: string): string {
  const bare = title.replace(IN_BRACKETS, " ").replace(/\s+/gu, " ").replace(EDGE, "");
  return bare.replace(AT_AN_END, "").replace(EDGE, "");
}

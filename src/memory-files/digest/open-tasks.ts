// The tasks that notes left open, word for word: no cap and no judgement may lose one. A task that stands in several notes
// is one task; one that a later note checks off says so.
import type { Note } from "../memory-file.ts";
import { textOf } from "../memory-file.ts";

/** A line of a list that is to be done. Quotes around it do not matter. */
const TASK = /^[\s>]{0,60}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}){1,4}\[([ xX])\](?:[ \t]+(\S.*))?$/u;
const MARKER = /^[\s>]{0,60}(?:[-*+]|\d{1,9}[.)])[ \t]/u;

export interface NoteTask {
  readonly isDone: boolean;
  /** Its own paragraph, each line trimmed. */
  readonly lines: readonly string[];
  /** Of the note, end exclusive. */
  readonly from: number;
  readonly to: number;
}

/** In order. What stands in code, in a table, in HTML or in front matter is none. */
export function tasksOf(note: Note): readonly NoteTask[] {
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

/** In the order in which they were first written. `notes` oldest first. */
export function openTasks(notes: readonly Note[], redact: (text: string) => string): readonly OpenTask[] {
  const open = new Map<string, { lines: readonly string[]; dates: string[]; done: string | undefined }>();
  const checked = new Map<string, string>();
  for (const note of notes) {
    const date = note.date ?? note.file;
    for (const { isDone, lines } of tasksOf(note)) {
      const said = redact(lines.join("\n")).split("\n");
      const key = said.join(" ").replace(/\s+/gu, " ");
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

/** Lines of the note without those ranges. */
export function textWithout(note: Note, ranges: readonly { readonly from: number; readonly to: number }[]): string {
  const kept: string[] = [];
  let at = 0;
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    if (from > at) kept.push(textOf(note, at, from));
    at = Math.max(at, to);
  }
  if (at < note.lines.length) kept.push(textOf(note, at));
  return kept.join("\n");
}

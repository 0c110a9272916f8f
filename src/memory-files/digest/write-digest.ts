// The text of a monthly digest: where the originals are, every open task, then what the shared summarizers make of the
// notes. Cut nowhere by hand: the summarizers choose whole lines within the room that is left.

import { NOTES_TITLES, type SummarizedNote, summarizeNotes } from "../../summaries/notes.ts";
import { SHAPES } from "../../summaries/shapes.ts";
import type { Strategy, Summarizer, Summary } from "../../summaries/summarizer.ts";
import type { Note } from "../memory-file.ts";
import { ARCHIVE_FOLDER } from "../workspace/workspace.ts";
import { inertSections, inertWords } from "./inert-lines.ts";
import { noteContent, recurringHeadings } from "./note-content.ts";
import { type OpenTask, openTasks } from "./open-tasks.ts";

export interface DigestRequest {
  /** `2031-02`. */
  readonly month: string;
  /** Of this month, oldest first. */
  readonly notes: readonly Note[];
  /** Tokens of the notes. */
  readonly size: number;
  readonly summarizer: Summarizer;
  readonly strategy: Strategy;
  readonly count: (text: string) => number;
  readonly redact: (text: string) => string;
  readonly signal?: AbortSignal | undefined;
}

/** Of the tokens of the notes; open tasks come on top. */
const SHARE = 0.35;
const LEAST_TOKENS = 300;
/** Whatever the share. A month of many notes has room for more than a heading of each. */
const TOKENS_A_NOTE = 100;
const MOST_TOKENS = { from: 3000, to: 6000 } as const;
/** From this share of the notes on, or saving less than so many tokens, a digest is not worth its losses. */
export const LARGEST_SHARE = 0.7;
const LEAST_SAVED = 200;
/** Less is no room for a line a note. */
const LEAST_ROOM = 60;

/** Undefined where it would not be much shorter than the notes. Throws what the summarizer throws. */
export async function writeDigest(request: DigestRequest): Promise<Pick<Summary, "text" | "source"> | undefined> {
  const { month, notes, size, count, redact, summarizer, strategy, signal } = request;
  const head = headOf(month, notes);
  const tasks = taskLines(openTasks(notes, redact));
  const most = Math.min(MOST_TOKENS.to, Math.max(MOST_TOKENS.from, notes.length * TOKENS_A_NOTE));
  const cap = Math.max(LEAST_TOKENS, Math.min(most, Math.floor(size * SHARE))) - count(head);
  const room = Math.min(cap, Math.floor(size * LARGEST_SHARE) - count([head, ...tasks].join("\n")));
  if (room < LEAST_ROOM) return undefined;
  const summarized = summarizedNotes(notes);
  const { text, source, leftOut } = await summarizeNotes({
    notes: summarized,
    maxTokens: room,
    summarizer,
    strategy,
    count,
    redact,
    signal,
  });
  // So small a month gains little, and must not cost a choice or a note.
  if (leftOut > 0 && room < cap) return undefined;
  const sections = inertSections(text, TITLES);
  const parts = [head, ...(tasks.length === 0 ? [] : [tasks.join("\n")]), sections];
  const digest = `${parts.join("\n\n")}\n`;
  const tokens = count(digest);
  return tokens < size * LARGEST_SHARE && size - tokens >= LEAST_SAVED ? { text: digest, source } : undefined;
}

/** Headings that the summarizers write. */
const TITLES: ReadonlySet<string> = new Set([
  ...Object.values(NOTES_TITLES),
  ...Object.values(SHAPES).flatMap(({ sections }) => sections.map(([, title]) => title)),
]);

function headOf(month: string, notes: readonly Note[]): string {
  const archive = `${ARCHIVE_FOLDER}/${month}/`;
  return `# ${month}: digest of ${notes.length.toLocaleString("en-US")} notes

Originals: ${archive} (\`agent-compact memory-files restore WORKSPACE\` lists how to bring them back). What stands in brackets names a note.`;
}

function taskLines(tasks: readonly OpenTask[]): readonly string[] {
  if (tasks.length === 0) return [];
  return ["## Open tasks", ...tasks.map(taskLine)];
}

function taskLine({ lines, dates, done }: OpenTask): string {
  const [first, last] = [dates[0] ?? "", dates.at(-1) ?? ""];
  const when = first === last ? first : `${first} to ${last}`;
  const words = lines.map(inertWords).join("\n  ");
  return `- [ ] ${words} (${when}${done === undefined ? "" : `, checked off ${done}`})`;
}

function summarizedNotes(notes: readonly Note[]): readonly SummarizedNote[] {
  const days = new Map<string | undefined, number>();
  for (const { date } of notes) days.set(date, (days.get(date) ?? 0) + 1);
  const recurring = recurringHeadings(notes);
  const stems = notes.map(({ file }) => file.slice(file.lastIndexOf("/") + 1).replace(/\.[^.]*$/u, ""));
  return notes.map((note, at) => {
    const { date, file } = note;
    const stem = stems[at] ?? file;
    const isSole = stems.filter((other) => other === stem).length === 1;
    const label = date !== undefined && days.get(date) === 1 ? date : isSole ? stem : file;
    const { title, text } = noteContent(note, recurring);
    return {
      id: at + 1,
      label,
      title: title === "" && text === "" ? "(only open tasks, or nothing)" : title,
      text,
      ...(date === undefined ? {} : { at: `${date}T00:00:00.000Z` }),
    };
  });
}

// Which months become a digest: those that are over for long enough, with two or more dated notes. Reads the notes of one
// month at a time; writes nothing.
import { CompactError } from "../../errors.ts";
import { NOTES_TITLES, type SummarizedNote, summarizeNotes } from "../../summaries/notes.ts";
import { SHAPES } from "../../summaries/shapes.ts";
import type { Summary } from "../../summaries/summarizer.ts";
import { figure } from "../../text/figures.ts";
import { groupBy } from "../../text/words.ts";
import { createPacer } from "../../tokens/stepwise.ts";
import { isOver } from "../dates.ts";
import type { PlanOptions } from "../options.ts";
import type { HeldChange, PlannedDigest } from "../plan.ts";
import { isMarked, notesNamedBy } from "../protected-text.ts";
import { baseName, isThere } from "../workspace/root.ts";
import { ARCHIVE_FOLDER, type Note, textOf, type Workspace, wholeText } from "../workspace.ts";
import type { Draft, Drafts } from "./drafts.ts";
import { noteContent, type OpenTask, openTasks, recurringHeadings, taskKey, tasksDoneIn } from "./note-content.ts";

export interface DigestContext
  extends Pick<PlanOptions, "now" | "count" | "summarizer" | "strategy" | "redact" | "signal"> {
  /** SHA-256 of the files as they were analysed, by name. A month with a note that has changed since waits. */
  readonly hashes: ReadonlyMap<string, string>;
}

interface PlannedDigests extends Drafts {
  readonly changes: readonly Draft<PlannedDigest>[];
}

/**
 * A month that the summarizer fails on is held, and those after it, which are not tried: the rest of a plan needs no model.
 * @throws StoreFailed; the signal's reason.
 */
export async function planDigests(workspace: Workspace, context: DigestContext): Promise<PlannedDigests> {
  const changes: Draft<PlannedDigest>[] = [];
  const held: HeldChange[] = [];
  let failure: CompactError | undefined;
  const done = new Set(workspace.memory.flatMap(tasksDoneIn));
  for await (const notes of pastMonths(workspace, context)) {
    try {
      if (failure !== undefined) throw failure;
      const outcome = await planMonth(workspace, notes, done, context);
      if ("kind" in outcome) changes.push(outcome);
      else held.push(outcome);
    } catch (error) {
      if (!CompactError.isInstance(error) || error.kind !== "SummarizationFailed") throw error;
      failure = error;
      const { code } = error;
      held.push({ file: digestFile(notes), code, message: `No digest could be written: ${error.message}` });
    }
  }
  return { changes, held };
}

/** Beside the first note of its month. */
function digestFile([first]: readonly Note[]): string {
  return first === undefined ? "" : `${first.file.slice(0, first.file.lastIndexOf("/") + 1)}${monthOf(first)}.md`;
}

/** Two notes or more each, oldest first. A month that is over has no note in use. What is marked, or named by the memory, stays. */
async function* pastMonths(workspace: Workspace, { now, signal }: DigestContext): AsyncIterable<readonly Note[]> {
  let month: Note[] = [];
  const isNamed = notesNamedBy([...workspace.memory, ...workspace.imported]);
  const pacer = createPacer();
  // What cannot be read is told by the analysis, and stays where it is.
  for await (const note of workspace.readNotes(() => undefined)) {
    signal?.throwIfAborted();
    if (pacer.isDue()) await pacer.pause();
    // They come by date, those without one last.
    if (note.date === undefined || !isOver(monthOf(note), now)) break;
    if (month[0] !== undefined && monthOf(month[0]) !== monthOf(note)) {
      if (month.length > 1) yield month;
      month = [];
    }
    if (!isMarked(textOf(note)) && !isNamed(note)) month.push(note);
  }
  if (month.length > 1) yield month;
}

function monthOf({ date }: Note): string {
  return (date ?? "").slice(0, "2031-02".length);
}

async function planMonth(
  workspace: Workspace,
  notes: readonly Note[],
  done: ReadonlySet<string>,
  context: DigestContext,
): Promise<Draft<PlannedDigest> | HeldChange> {
  const [first] = notes as readonly [Note];
  const month = monthOf(first);
  const file = digestFile(notes);
  if (await isThere(workspace, file))
    return { file, code: "digest_exists", message: `The notes of ${month} stay, since ${file} exists already.` };
  const changed = notes.find((note) => (context.hashes.get(note.file) ?? note.sha256) !== note.sha256);
  if (changed !== undefined) {
    const message = `The notes of ${month} stay, since ${changed.file} is being changed.`;
    return { file: changed.file, code: "in_use", message };
  }
  const size = notes.reduce((sum, note) => sum + context.count(wholeText(note)), 0);
  const digest = await writeDigest(month, { notes, done }, size, context);
  if (digest === undefined) {
    const message = `A digest of the notes of ${month} would hardly be shorter than they are.`;
    return { file, code: "not_beneficial", message };
  }
  const text = digest.text.replaceAll("\n", first.lineEnd);
  return {
    kind: "digest",
    apply: true,
    reason: `${month} is over, so its notes become one digest. They go to ${ARCHIVE_FOLDER}/${month}/ as they are.`,
    month,
    file,
    text,
    source: digest.source,
    notes: notes.map((note) => note.file),
    bytes_before: notes.reduce((sum, { bytes }) => sum + bytes.length, 0),
    bytes_after: new TextEncoder().encode(text).length,
    tokens_before: size,
    tokens_after: context.count(text),
    rests_on: Object.fromEntries(notes.map((note) => [note.file, note.sha256])),
  };
}

// The text of a monthly digest: where the originals are, every open task, then what the shared summarizers make of the
// notes. Cut nowhere by hand: the summarizers choose whole lines within the room that is left.

/** Of the tokens of the notes; open tasks come on top. */
const SHARE = 0.35;
const LEAST_TOKENS = 300;
/** Whatever the share. A month of many notes has room for more than a heading of each. */
const TOKENS_A_NOTE = 100;
const MOST_TOKENS = { from: 3000, to: 6000 } as const;
/** From this share of the notes on, or saving less than so many tokens, a digest is not worth its losses. */
const LARGEST_SHARE = 0.7;
const LEAST_SAVED = 200;
/** Less is no room for a line a note. */
const LEAST_ROOM = 60;

/** Undefined where it would not be much shorter than the notes, of `size` tokens. `done`: tasks that the memory has checked off. Throws what the summarizer throws. */
async function writeDigest(
  month: string,
  { notes, done }: { readonly notes: readonly Note[]; readonly done: ReadonlySet<string> },
  size: number,
  { count, redact = (text) => text, summarizer, strategy = "brief", signal }: DigestContext,
): Promise<Pick<Summary, "text" | "source"> | undefined> {
  const head = headOf(month, notes);
  const all = openTasks(notes, redact);
  const open = all.filter(({ lines }) => !done.has(taskKey(lines)));
  const left = all.length - open.length;
  const told = left === 0 ? [] : [`(${figure(left)} more ${left === 1 ? "is" : "are"} done, as the memory says.)`];
  const tasks = all.length === 0 ? [] : ["## Open tasks", ...told, ...open.map(taskLine)];
  const most = Math.min(MOST_TOKENS.to, Math.max(MOST_TOKENS.from, notes.length * TOKENS_A_NOTE));
  const cap = Math.max(LEAST_TOKENS, Math.min(most, Math.floor(size * SHARE))) - count(head);
  const room = Math.min(cap, Math.floor(size * LARGEST_SHARE) - count([head, ...tasks].join("\n")));
  if (room < LEAST_ROOM) return undefined;
  const { text, source, leftOut } = await summarizeNotes({
    notes: summarizedNotes(notes),
    maxTokens: room,
    summarizer,
    strategy,
    count,
    redact,
    signal,
  });
  // So small a month gains little, and must not cost a choice or a note.
  if (leftOut > 0 && room < cap) return undefined;
  const parts = [head, ...(tasks.length === 0 ? [] : [tasks.join("\n")]), inertSections(text)];
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
  return `# ${month}: digest of ${figure(notes.length)} notes

Originals: ${archive} (\`agent-compact memory-files restore WORKSPACE\` lists how to bring them back). What stands in brackets names a note.`;
}

function taskLine({ lines, dates, done }: OpenTask): string {
  const [first, last] = [dates[0] ?? "", dates.at(-1) ?? ""];
  const when = first === last ? first : `${first} to ${last}`;
  const words = lines.map(inertWords).join("\n  ");
  return `- [ ] ${words} (${when}${done === undefined ? "" : `, checked off ${done}`})`;
}

function summarizedNotes(notes: readonly Note[]): readonly SummarizedNote[] {
  const recurring = recurringHeadings(notes);
  const stemOf = ({ file }: Note) => baseName(file).replace(/\.[^.]*$/u, "");
  const byDay = groupBy(notes, ({ date }) => date);
  const byStem = groupBy(notes, stemOf);
  return notes.map((note, at) => {
    const { date, file } = note;
    const stem = stemOf(note);
    const isOnlyOfDay = date !== undefined && byDay.get(date)?.length === 1;
    const label = isOnlyOfDay ? date : byStem.get(stem)?.length === 1 ? stem : file;
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

// Keeps what notes and models said from becoming structure of the digest: headings, fences, quotes, tables, HTML that
// swallows what follows. A backslash does it, so that words and names stay as they are; ordinary tags and code stay, too.

/** HTML that ends a paragraph, or hides or swallows what stands behind it. Others are words of a line. */
const BLOCK_TAG =
  /<(?=\/?(?:address|article|aside|blockquote|body|button|center|dd|details|dialog|div|dl|dt|fieldset|figure|footer|form|frame|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|nav|noembed|noframes|noscript|ol|option|p|plaintext|pre|script|section|select|style|summary|svg|table|tbody|td|template|textarea|tfoot|th|thead|title|tr|ul|xmp)(?:[\s/>]|$))/giu;
/** A comment that its own line does not end. */
const OPEN_COMMENT = /<!(?=--(?![^\n]{0,2000}-->)|[A-Z[])|<(?=\?)/gu;
/** In it a backslash would be seen. */
const CODE_SPAN = /(`[^`\n]{1,500}`(?!`)|``[^`\n]{1,500}``(?!`))/u;
const STRUCTURE = /^(?:#{1,6}(?=\s|$)|>|\||=+\s*$|(?:-\s{0,3}){2,}$|(?:[*_]\s{0,3}){3,}$|`{3,}|~{3,}|<)/u;
const LIST_MARKER = /^(?:[-*+](?=\s|$)|\d{1,9}(?=[.)](?:\s|$)))/u;
const DEFINITION = /^(\[[^\]\n]{1,200}\])(?=:)/u;

/** One line of words, wherever in a line of Markdown it stands. */
function inertWords(words: string): string {
  return words
    .split(CODE_SPAN)
    .map((piece, at) => (at % 2 === 1 ? piece : piece.replace(BLOCK_TAG, "\\<").replace(OPEN_COMMENT, "\\$&")))
    .join("");
}

/** Words that begin a line, or what stands behind the mark of a list item. */
function inertStart(words: string): string {
  const inert = inertWords(words);
  if (STRUCTURE.test(inert)) return `\\${inert}`;
  if (/^[-*+]/u.test(inert) && LIST_MARKER.test(inert)) return `\\${inert}`;
  return inert.replace(LIST_MARKER, "$&\\").replace(DEFINITION, "$1\\");
}

/**
 * A text of sections as the summarizers write it. Their headings, list items, indented lines that go on with these, and
 * paragraphs of a line stay what they are.
 */
function inertSections(text: string): string {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .map((line) => {
      if (line.startsWith("## ") && TITLES.has(line.slice(3))) return line;
      const [, mark = "", words = ""] = /^(\s{0,40}(?:- )?\s{0,40})(.*)$/u.exec(line) ?? [];
      // Deep indentation would be code.
      const indent = mark.includes("-") ? "- " : mark === "" ? "" : "  ";
      return words === "" ? "" : `${indent}${inertStart(words)}`;
    })
    .join("\n");
}

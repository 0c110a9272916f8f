// Which months become a digest: those that are over for long enough, with two or more dated notes. Reads the notes of one
// month at a time; writes nothing.
import { CompactError } from "../../errors.ts";
import type { Strategy, Summarizer } from "../../summaries/summarizer.ts";
import { createPacer } from "../../tokens/turns/pacer.ts";
import { wholeText } from "../analysis/measure-file.ts";
import { isMarked } from "../marks.ts";
import { type Note, textOf } from "../memory-file.ts";
import { notesNamedBy } from "../named-notes.ts";
import type { HeldChange, PlannedDigest } from "../plan.ts";
import { ARCHIVE_FOLDER, type Workspace } from "../workspace/workspace.ts";
import { isOver } from "./is-over.ts";
import { writeDigest } from "./write-digest.ts";

export interface DigestContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly count: (text: string) => number;
  readonly summarizer: Summarizer;
  readonly strategy: Strategy;
  /** Applied to all that leaves a note. */
  readonly redact: (text: string) => string;
  readonly signal?: AbortSignal | undefined;
  /** SHA-256 of the files as they were analysed, by name. A month with a note that has changed since waits. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Of the first change. */
  readonly firstId: number;
  readonly apply: boolean;
}

export interface PlannedDigests {
  readonly changes: readonly PlannedDigest[];
  readonly held: readonly HeldChange[];
}

/**
 * A month that the summarizer fails on is held, and those after it, which are not tried: the rest of a plan needs no model.
 * @throws StoreFailed; the signal's reason.
 */
export async function planDigests(workspace: Workspace, context: DigestContext): Promise<PlannedDigests> {
  const changes: PlannedDigest[] = [];
  const held: HeldChange[] = [];
  let failure: CompactError | undefined;
  for await (const notes of pastMonths(workspace, context)) {
    try {
      if (failure !== undefined) throw failure;
      const outcome = await planMonth(workspace, notes, context, context.firstId + changes.length);
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
  context: DigestContext,
  id: number,
): Promise<PlannedDigest | HeldChange> {
  const [first] = notes as readonly [Note];
  const month = monthOf(first);
  const file = digestFile(notes);
  if (await isTaken(workspace.path(file))) {
    return {
      file,
      code: "digest_exists",
      message: `The notes of ${month} stay, since ${file} exists already.`,
    };
  }
  const changed = notes.find((note) => (context.hashes.get(note.file) ?? note.sha256) !== note.sha256);
  if (changed !== undefined) {
    return {
      file: changed.file,
      code: "in_use",
      message: `The notes of ${month} stay, since ${changed.file} is being changed.`,
    };
  }
  const size = notes.reduce((sum, note) => sum + context.count(wholeText(note)), 0);
  const digest = await writeDigest({ ...context, month, notes, size });
  if (digest === undefined) {
    return {
      file,
      code: "not_beneficial",
      message: `A digest of the notes of ${month} would hardly be shorter than they are.`,
    };
  }
  const text = digest.text.replaceAll("\n", first.lineEnd);
  return {
    id,
    kind: "digest",
    apply: context.apply,
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

/** Whatever it is: a folder and a link that leads nowhere, too. */
async function isTaken(path: string): Promise<boolean> {
  const { lstat } = await import("node:fs/promises");
  return lstat(path).then(
    () => true,
    (error: { code?: string }) => error.code !== "ENOENT" && error.code !== "ENOTDIR",
  );
}

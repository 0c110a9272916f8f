// What a workspace holds: Markdown files as bytes and lines side by side, memory and notes. Edits are ranges of whole
// lines, so no byte that stays is ever decoded and encoded again.
import type { Outline } from "../text/markdown/outline.ts";

/** `gbk` covers GB2312 and code page 936. */
export type Encoding = "utf-8" | "gbk";

/** Tokens of a text. */
export type Count = (text: string) => number;

export interface FileLine {
  /** Decoded, without its end, and without a byte order mark. */
  readonly text: string;
  /** Byte offset of its first byte; of line 0 that behind a byte order mark. */
  readonly start: number;
  /** Byte offset behind its line end. */
  readonly end: number;
}

export interface MemoryFile {
  /** From the workspace, parted by `/`. What plans, reports and archives call it. */
  readonly file: string;
  readonly bytes: Uint8Array;
  /** Of all bytes, 64 hex digits. */
  readonly sha256: string;
  readonly encoding: Encoding;
  /** The most frequent line end, `\n` where there is none. */
  readonly lineEnd: "\n" | "\r\n" | "\r";
  /** An empty file has none; a final line end does not begin another line. */
  readonly lines: readonly FileLine[];
  readonly outline: Outline;
}

export interface Note extends MemoryFile {
  /** From its name, `2031-02-03`; undefined for notes of another layout whose name holds no real date. */
  readonly date: string | undefined;
}

/** A file that is named in the result and otherwise left alone. */
export interface UnreadFile {
  readonly file: string;
  /** `OUTSIDE_WORKSPACE`, `NOT_TEXT`, `TOO_LARGE`, `UNREADABLE`, `SAME_FILE`, `NO_DAY_IN_NAME`. */
  readonly code: string;
  /** One sentence. */
  readonly message: string;
}

export function textOf({ lines }: MemoryFile, from = 0, to = lines.length): string {
  return lines
    .slice(from, to)
    .map(({ text }) => text)
    .join("\n");
}

/** The text of a file, its final line end included; each line end is one character. */
export function wholeText(file: MemoryFile): string {
  return endsLine(file) ? `${textOf(file)}\n` : textOf(file);
}

/** Its last line has an end. */
export function endsLine({ lines, bytes }: MemoryFile): boolean {
  const last = lines.at(-1);
  const lastByte = last === undefined || last.end === last.start ? undefined : bytes[last.end - 1];
  return lastByte === 0x0a || lastByte === 0x0d;
}

// The contract of a workspace: which of its files are memory and which are notes, and reading them. Everything else in it
// does not exist for this part.

export interface WorkspaceRequest {
  /** Absolute path of an existing folder, or a link to one. */
  readonly root: string;
  /**
   * From the root. Default: the first that is there of `MEMORY.md`, `CLAUDE.md`, `AGENTS.md`, `memory-bank/`, `memories/` (a folder: all
   * its Markdown files are memory).
   */
  readonly memoryFile?: string | undefined;
  /** Glob from the root: what matches and is no memory file is a note, dated or not. Default: `memory/YYYY-MM-DD[-slug].md` with a real date. */
  readonly notesGlob?: string | undefined;
}

/** Where a note stands, before it is read. */
export interface NotePlace {
  readonly file: string;
  readonly date: string | undefined;
  readonly size: number;
}

/** The folder that a workspace is. */
export interface Root {
  /** Real path. */
  readonly real: string;
  /** Real path of the archive; that where it would be, if it is not there. */
  readonly archive: string;
  /** Absolute path of a name, which has slashes on every system. */
  absolute(file: string): string;
}

export interface Workspace extends Root {
  /** The main one first. Empty where there is none. */
  readonly memory: readonly MemoryFile[];
  /** Files that a memory file takes in with `@path`: read and measured, never edited. */
  readonly imported: readonly MemoryFile[];
  /** By date, then name; those without a date last. */
  readonly notes: readonly NotePlace[];
  readonly unread: readonly UnreadFile[];
  /** Reads it anew; undefined where it is gone or cannot be read as text any more. */
  read(file: string): Promise<MemoryFile | undefined>;
  /** Notes one by one, so that a thousand of them are never all in memory. Those that cannot be read are told to `onUnread`. */
  readNotes(onUnread: (unread: UnreadFile) => void): AsyncIterable<Note>;
}

/** Where what leaves a file is kept, from the root. Nothing in it is ever analysed as memory or note. */
export const ARCHIVE_FOLDER = "memory/archive";

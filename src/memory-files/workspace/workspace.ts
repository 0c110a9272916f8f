// The contract of a workspace: which of its files are memory and which are notes, and reading them. Everything else in it
// does not exist for this part.
import type { MemoryFile, Note, UnreadFile } from "../memory-file.ts";

export interface WorkspaceRequest {
  /** Absolute path of an existing folder, or a link to one. */
  readonly root: string;
  /**
   * From the root. Default: the first that is there of `MEMORY.md`, `CLAUDE.md`, `AGENTS.md`, `memory-bank/` (a folder: all
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

export interface Workspace {
  /** Real path. */
  readonly root: string;
  /** The main one first. Empty where there is none. */
  readonly memory: readonly MemoryFile[];
  /** Files that a memory file takes in with `@path`: read and measured, never edited. */
  readonly imported: readonly MemoryFile[];
  /** By date, then name; those without a date last. */
  readonly notes: readonly NotePlace[];
  readonly unread: readonly UnreadFile[];
  /** Absolute path of a file of this workspace. */
  path(file: string): string;
  /** Reads it anew; undefined where it is gone or cannot be read as text any more. @throws StoreFailed. */
  read(file: string): Promise<MemoryFile | undefined>;
  /** Notes one by one, so that a thousand of them are never all in memory. Those that cannot be read are told to `onUnread`. */
  readNotes(onUnread: (unread: UnreadFile) => void): AsyncIterable<Note>;
}

/** Where what leaves a file is kept, from the root. Nothing in it is ever analysed as memory or note. */
export const ARCHIVE_FOLDER = "memory/archive";

// The contract of the archive: full transcripts and summary records by session and step, plus the small state
// file that lets a session resume. Accepts redacted values only. Never overwrites.
import type { Redacted } from "../redaction/redactor.ts";

export interface SummaryRecord {
  readonly session_id: string;
  readonly step: number;
  /** N of `<COMPACT-SUMMARY vN>`; null when nothing was inserted. */
  readonly version: number | null;
  readonly created_at: string;
  readonly format: string;
  readonly strategy: string;
  readonly source: "extractive" | "model" | "model+ledger" | "none";
  /** Whole text of the summary message, frame included. */
  readonly text: string;
  /** SHA-256 of `text` before redaction. */
  readonly summary_hash: string | null;
  readonly tokens: number;
  readonly tokens_before: number;
  readonly tokens_after: number;
  /** 1-based message numbers of the step's transcript that left the live list. */
  readonly pruned: readonly number[];
}

export interface ArchivedStep {
  readonly step: number;
  /** Where the transcript is, or would be if it is lost: a path, a URL, or `memory:`. */
  readonly transcript: string;
  /** The transcript is not there: only the summary record is. */
  readonly isTranscriptLost?: true;
  /** Absent while a step was archived but its compaction never finished. */
  readonly summary?: string;
}

/** A step at a glance, without reading what it holds. */
export interface StepSize {
  readonly session_id: string;
  readonly step: number;
  /** When its first file was written: ISO 8601 with `Z`. */
  readonly at: string;
  /** Of its files, as they are stored; of a session's newest step also what the session needs besides. */
  readonly bytes: number;
  /** False while a step was archived but its compaction never finished. */
  readonly has_summary: boolean;
}

/** A message, or the text of a summary. */
export interface StoredText {
  readonly step: number;
  /** 1-based number in the step's transcript; absent for a summary. */
  readonly message?: number;
  /** Null or undefined where it is damaged. */
  readonly value: unknown;
}

/** Which words a session holds, so that a search reads none in vain. */
export interface SessionWords {
  readonly session_id: string;
  /** What was kept of the session's files as they are now: UTF-8, one word a line. Undefined when nothing was. */
  read(): Uint8Array | undefined;
  /** Never rejects: without them the session is read. */
  keep(words: Uint8Array): Promise<void>;
}

/** A file that is not what was written. */
export interface ChangedFile {
  readonly what: "transcript" | "summary";
  readonly location: string;
  /** The step that it was written for, where that is another: this one shares lines with it. */
  readonly sharedWith?: number;
}

export interface ReadTranscriptOptions {
  /** Throw `ArchiveFailed` (code `UNREADABLE_LINES`, `data.lines`) instead of reading around damage. */
  readonly strict?: boolean;
  /** Calls that are given the same object read each file once: for who reads many steps of a session in a row. */
  readonly together?: object | undefined;
}

export interface Archive {
  /** `fs`, `s3`, `memory`: the `storage_adapter` of `compact.archival`. */
  readonly adapter: string;
  /** One past the highest step on record, also after a restart. */
  nextStep(sessionId: string): Promise<number>;
  /** Saves one native message per line. Fails with `Conflict` when the step exists. Returns where it is. */
  saveTranscript(sessionId: string, step: number, messages: readonly Redacted<unknown>[]): Promise<string>;
  saveSummary(sessionId: string, step: number, record: Redacted<SummaryRecord>): Promise<string>;
  /**
   * The state a part needs to resume, as it was written; the reader checks its shape. Undefined before the first write. Throws
   * `ArchiveFailed` (`DAMAGED_RECORD`) for a damaged one; with `strict` also for damage that costs nothing.
   */
  readState(sessionId: string, options?: Pick<ReadTranscriptOptions, "strict">): Promise<unknown>;
  /** Replaces the state as a whole, atomically. */
  writeState(sessionId: string, state: Redacted<unknown>): Promise<void>;
  /** The session and step whose summary record carries this hash, newest first; undefined when none does. */
  findSummary(summaryHash: string): Promise<{ readonly sessionId: string; readonly step: number } | undefined>;
  /** Sessions with at least one archived step, sorted. */
  sessions(): Promise<readonly string[]>;
  /** Ascending; empty for an unknown session. */
  steps(sessionId: string): Promise<readonly ArchivedStep[]>;
  /**
   * Throws `NotFound` for an unknown session or step. A torn last line is left out; a damaged line elsewhere is `null`,
   * so that message numbers stay.
   */
  readTranscript(sessionId: string, step: number, options?: ReadTranscriptOptions): Promise<readonly unknown[]>;
  /** Undefined when the step's compaction never finished. Throws `ArchiveFailed` for a damaged record. */
  readSummary(
    sessionId: string,
    step: number,
    options?: Pick<ReadTranscriptOptions, "together">,
  ): Promise<SummaryRecord | undefined>;
  /**
   * What is stored of a session, once, where it first stands: messages and summaries, by step; `mayHold` is shown the bytes
   * of a file first, and one for which it says no is passed over. Undefined where only reading step by step tells.
   */
  stored?(sessionId: string, mayHold: (bytes: Uint8Array) => boolean): Promise<AsyncIterable<StoredText> | undefined>;
  /** Every session with a step, sorted; absent where nobody keeps their words. */
  words?(): Promise<readonly SessionWords[]>;
  /** Every archived step, oldest first, from an index where there is one: 10,000 steps in under 100 ms on a disk. */
  sizes(): Promise<readonly StepSize[]>;
  /**
   * The step's files, and those that it shares lines with, whose bytes do not have the hash that was recorded when they were
   * written. `compared` is called for each of the step's own that has one.
   */
  changedFiles(
    sessionId: string,
    step: number,
    options?: Pick<ReadTranscriptOptions, "together"> & { readonly compared?: () => void },
  ): Promise<readonly ChangedFile[]>;
  /**
   * Removes a step for good, but for the messages that other steps hold as well, and returns the bytes that this freed.
   * Throws `NotFound` for an unknown step.
   */
  removeStep(sessionId: string, step: number): Promise<number>;
  /** Removes everything of a session, its state and its events with it; with `isDryRun` only says what that is. */
  eraseSession(sessionId: string, isDryRun?: boolean): Promise<ErasedFiles>;
  /**
   * Stores once what earlier versions stored with every step, and takes out what a removal that was broken off left. Every
   * step restores to the same messages. Returns the bytes that this freed.
   */
  repackSession(sessionId: string): Promise<number>;
}

export interface ErasedFiles {
  readonly files: number;
  readonly bytes: number;
}

// The contract under an archive: named files by session in one place, kept as bytes. What a step is and how its
// files are compressed is decided in stored-archive.ts; where they lie, by each implementation.

/** Bytes, or pieces that together may be longer than memory should hold at once. */
export type StoredContent = Uint8Array | AsyncIterable<Uint8Array>;

export interface StoredFile {
  readonly session_id: string;
  readonly name: string;
  readonly bytes: number;
  /** When it was written: ISO 8601 with `Z`. */
  readonly at: string;
  /** SHA-256 of the bytes as they were written, 64 hex digits; absent where none was recorded, or a listing does not tell. */
  readonly sha256?: string;
}

/** Every method throws `ArchiveFailed` with the place and what to do, and `InvalidInput` for an empty session id. */
export interface ArchiveFiles {
  /** `fs`, `s3`, `memory`. */
  readonly adapter: string;
  /** A path, a URL, or `memory:`; also of a file that is not there. */
  locate(sessionId: string, name: string): string;
  /** Whole or not at all. Returns the place. Throws `Conflict` (`STEP_TAKEN`) when the name is taken. `what` is for messages. */
  create(sessionId: string, name: string, content: StoredContent, what: string): Promise<string>;
  /** Whole or as it was. */
  replace(sessionId: string, name: string, content: StoredContent, what: string): Promise<void>;
  /** Undefined when there is no such file. */
  read(sessionId: string, name: string): Promise<Uint8Array | undefined>;
  /** One file with the hash that was recorded when it was written; undefined when there is no such file. */
  find(sessionId: string, name: string): Promise<StoredFile | undefined>;
  /** Of one session, as they stand there now; empty when it has none. */
  list(sessionId: string): Promise<readonly StoredFile[]>;
  /** The same with the hashes that were recorded. Without this, `find` is asked for each. */
  listRecorded?(sessionId: string): Promise<readonly StoredFile[]>;
  /** Many files of one session, in the order of their names as given; undefined for one that is not there. Without this, `read` is asked for each. */
  readEach?(sessionId: string, names: readonly string[]): AsyncIterable<Uint8Array | undefined>;
  /** Of all sessions, from an index where listing them one by one would take long. */
  listAll(): Promise<readonly StoredFile[]>;
  /** See `Archive.words`. */
  words?(): Promise<readonly SessionWords[]>;
  /** Nothing happens when there is no such file. */
  remove(sessionId: string, name: string): Promise<void>;
  /** Everything of a session, also what `list` does not tell; with `isDryRun` it is only counted. Without this, each file that `list` tells is removed. */
  eraseSession?(sessionId: string, isDryRun: boolean): Promise<ErasedFiles>;
}

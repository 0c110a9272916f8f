// The contract under an archive: named files by session in one place, kept as bytes. What the files mean, how they are
// packed and what a step is, is stored-archive.ts's; where they lie is each implementation's.

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
  /** Of all sessions, from an index where listing them one by one would take long. */
  listAll(): Promise<readonly StoredFile[]>;
  /** Nothing happens when there is no such file. */
  remove(sessionId: string, name: string): Promise<void>;
}

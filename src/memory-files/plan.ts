// The plan of a compaction of memory files: plain data that names every byte it will touch and why, that a person can
// read, and that is checked when it comes back from a file. plan/plan-file.ts reads it.

/** In a file, end exclusive, whole lines. */
export interface PlannedRange {
  readonly byte_from: number;
  readonly byte_to: number;
  /** Counted from 1, inclusive. */
  readonly line_from: number;
  readonly line_to: number;
  /** What stands there, at most 120 characters. */
  readonly preview: string;
  /** Of a section: its heading. */
  readonly heading?: string;
  /** What comes in its place. Absent: nothing. */
  readonly insert?: string;
}

/**
 * - `remove_sections`: sections of a note that the memory holds
 * - `tidy`: repeated lines and blank runs of a memory file (aggressive)
 * - `rotate`: a note too large leaves a preview
 * - `move_sections`: sections of the memory go to an archive file, a pointer stays
 * - `digest`: the notes of a month become one digest
 */
export type ChangeKind = "remove_sections" | "tidy" | "rotate" | "move_sections" | "digest";

interface PlannedBase {
  /** Counted from 1, of the plan. */
  readonly id: number;
  /** False: proposed, and passed over by apply. A person may set it to true, or false; nothing else of a plan may be edited. */
  readonly apply: boolean;
  /** One sentence: why. */
  readonly reason: string;
  readonly bytes_before: number;
  readonly bytes_after: number;
  readonly tokens_before: number;
  readonly tokens_after: number;
  /** Hash of every file it touches or rests on, by its name. Another content: the change is refused as stale. */
  readonly rests_on: Readonly<Record<string, string>>;
}

/** Ranges of one file leave it. */
export interface PlannedEdit extends PlannedBase {
  readonly kind: "remove_sections" | "tidy" | "move_sections";
  readonly file: string;
  /** In order, apart from each other. */
  readonly ranges: readonly PlannedRange[];
  /** `remove_sections`: per range, which place of the memory holds it. */
  readonly held_by?: readonly { readonly file: string; readonly heading: string; readonly line_from: number }[];
  /** `move_sections`: file that takes them, from the workspace. A taken name gets a number at apply. */
  readonly moved_to?: string;
}

export interface PlannedRotation extends PlannedBase {
  readonly kind: "rotate";
  readonly file: string;
  /** Byte copy of the note, from the workspace. A taken name gets a number at apply. */
  readonly archive: string;
}

export interface PlannedDigest extends PlannedBase {
  readonly kind: "digest";
  /** `2031-02`. */
  readonly month: string;
  /** The digest, from the workspace. It must not be there yet. */
  readonly file: string;
  readonly text: string;
  readonly source: "extractive" | "model" | "model+ledger";
  /** Notes that go to the archive, oldest first. */
  readonly notes: readonly string[];
}

export type PlannedChange = PlannedEdit | PlannedRotation | PlannedDigest;

/** What could be done but is not planned, and why. */
export interface HeldChange {
  readonly file: string;
  readonly section?: string;
  /**
   * A `HeldReason`, `more_than_half`, `still_over_limit`, `not_utf8`, `not_beneficial`, `moves`, `link_target`,
   * `joins_the_rest`, `undated`, `changed`, `digest_available`, `digest_exists`.
   */
  readonly code: string;
  readonly message: string;
}

/** Whose events they are: there are no sessions. */
export const MEMORY_FILES = { part: "memory_files", sessionId: "memory-files" } as const;

export interface MemoryFilesPlan {
  readonly version: 2;
  readonly part: "memory_files";
  readonly created_at: string;
  /** Real path of the workspace that it is of. */
  readonly workspace: string;
  readonly options: {
    readonly aggressive: boolean;
    readonly max_memory_kb: number;
    readonly memory_file?: string;
    readonly notes_glob?: string;
  };
  readonly changes: readonly PlannedChange[];
  readonly held: readonly HeldChange[];
  /** Of the main memory file, as on disk, and as it will be after the changes that are to be applied. */
  readonly memory_size_before: number;
  readonly memory_size_after: number;
  /** Over the limit after them; 0 at or below it. */
  readonly over_limit_bytes: number;
  /** Of the changes that are to be applied. */
  readonly totals: {
    readonly changes: number;
    readonly files: number;
    readonly bytes_before: number;
    readonly bytes_after: number;
    readonly tokens_before: number;
    readonly tokens_after: number;
  };
  /** SHA-256, 64 hex digits, of all but `apply` of the changes and the figures that depend on it. With another the plan is refused. */
  readonly checksum: string;
}

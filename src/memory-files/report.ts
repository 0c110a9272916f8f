// What apply and restore report. Content-free but for headings, which name what left.
import { stalePlan } from "../engine/staleness.ts";
import { CompactError } from "../errors.ts";
import { errorCode, fileFailure } from "../storage/files.ts";
import type { ChangeKind, PlannedChange } from "./plan.ts";

export interface AppliedChange {
  /** `run.change`, as `3.1`: what restore takes. */
  readonly id: string;
  readonly kind: ChangeKind;
  /** File that was changed; of a digest, the digest. */
  readonly file: string;
  /** Headings of sections that left, number of lines that did, notes of a digest: one line each, for a person. */
  readonly what: readonly string[];
  /** Where what left is kept, from the workspace. */
  readonly archived: readonly string[];
  readonly bytes_before: number;
  readonly bytes_after: number;
  readonly tokens_before: number;
  readonly tokens_after: number;
}

export interface RefusedChange {
  /** Its id in the plan. */
  readonly change: number;
  readonly kind: ChangeKind;
  readonly file: string;
  /** `STALE_PLAN`, or the code of what failed. The file is as it was. */
  readonly code: string;
  readonly message: string;
}

/** A change of an earlier run that ended in the middle, as this run found it. */
export interface RecoveredChange {
  readonly id: string;
  readonly file: string;
  /** `done`: it had been made. `undone`: it had not, and nothing of it is left. `unclear`: the file was edited meanwhile; what left it is in the archive. */
  readonly state: "done" | "undone" | "unclear";
}

export interface MemoryFilesReport {
  /** Number of this run in the journal; null where nothing was changed. */
  readonly run: number | null;
  readonly applied: readonly AppliedChange[];
  readonly refused: readonly RefusedChange[];
  readonly settled: readonly RecoveredChange[];
  readonly memory_size_before: number;
  readonly memory_size_after: number;
  readonly rotated: boolean;
  readonly rotated_count: number;
  readonly rotated_files: readonly {
    readonly file: string;
    readonly original_size: number;
    readonly archive_path: string;
    readonly summary_size: number;
  }[];
}

export interface RestoredChange {
  readonly id: string;
  readonly kind: ChangeKind;
  readonly file: string;
  /** `exact`: the bytes are those of before. `merged`: what left is back in its place, what was written since stays. `at_end`: its place is gone, so it stands at the end. */
  readonly how: "exact" | "merged" | "at_end";
}

const HOW: Readonly<Record<RestoredChange["how"], string>> = {
  exact: "as it was, byte for byte",
  merged: "what left is back in its place; what was written since stays",
  at_end: "its place is gone, so what left stands at the end",
};

/** Its notes come back, and it goes. */
const HOW_DIGEST: Readonly<Record<RestoredChange["how"], string>> = {
  exact: "its notes are back, the digest is gone",
  merged: "its notes are back; the digest was edited since and stays",
  at_end: "its notes are back",
};

export function howRestored({ kind, how }: RestoredChange): string {
  return (kind === "digest" ? HOW_DIGEST : HOW)[how];
}

export interface RestoreReport {
  readonly restored: readonly RestoredChange[];
  /** Ids that were back already. */
  readonly already: readonly string[];
  readonly refused: readonly {
    readonly id: string;
    readonly file: string;
    /** `CHANGED_SINCE`, `ARCHIVE_MISSING`, or the code of what failed. */
    readonly code: string;
    readonly message: string;
  }[];
  readonly settled: readonly RecoveredChange[];
}

/** A change that the journal knows, for lists. */
export interface ArchivedChange {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly kind: ChangeKind;
  readonly file: string;
  readonly what: readonly string[];
  readonly archived: readonly string[];
  readonly state: "applied" | "restored" | "unclear";
  /** Of `archived`, what is there no more: the change cannot be undone. Absent where all is, and of what is back. */
  readonly missing?: readonly string[];
}

// A change that is not made: why, in a code for programs and a sentence for a person.

/** Caught where the others go on. */
export function refuse(code: string, message: string): CompactError {
  return new CompactError(code === "INVALID_CHANGE" ? "InvalidInput" : "Conflict", message, { code });
}

export function stale(file: string): CompactError {
  return stalePlan(`${file} was changed since the plan was made; make a new one.`);
}

/** Nothing is to be touched any more: another may be at work, or the next run has to settle this one. */
const FINAL = new Set(["LOCK_LOST", "HALF_DONE"]);

/** It is no failure of this one change: then nothing goes on. */
export function isFatal(cause: unknown): boolean {
  return CompactError.isInstance(cause) ? FINAL.has(cause.code) : errorCode(cause) === undefined;
}

/** Of the errors that nothing of one change is to blame for, those of the system as StoreFailed. */
export function storeFailure(what: string, path: string, cause: unknown): unknown {
  const isOfTheSystem = cause instanceof Error && "code" in cause && "syscall" in cause;
  return isOfTheSystem ? fileFailure("StoreFailed", what, path, cause) : cause;
}

export function refusedChange({ id, kind, file }: PlannedChange, cause: unknown): RefusedChange {
  return { change: id, kind, file, ...reasonOf(cause, file) };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system is read-only",
  EACCES: "writing there is not allowed",
  EPERM: "writing there is not allowed",
  EBUSY: "another program holds it open",
  EEXIST: "a name in the archive, or the digest's, was taken meanwhile",
  ENAMETOOLONG: "a name for it would be too long",
};

export function reasonOf(cause: unknown, file: string): { readonly code: string; readonly message: string } {
  if (CompactError.isInstance(cause)) return { code: cause.code, message: cause.message };
  const code = errorCode(cause) ?? "UNEXPECTED";
  return { code, message: `${file} is as it was: ${REASONS[code] ?? "the system refused"} (${code}).` };
}

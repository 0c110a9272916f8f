// A change that is not made: why, in a code for programs and a sentence for a person.
import { CompactError } from "../../errors.ts";
import { errorCode } from "../../storage/file-failure.ts";
import type { PlannedChange } from "../plan.ts";
import type { RefusedChange } from "../report.ts";

/** Caught where the others go on. */
export function refuse(code: string, message: string): CompactError {
  return new CompactError(code === "INVALID_CHANGE" ? "InvalidInput" : "Conflict", message, { code });
}

export function stale(file: string): CompactError {
  return refuse("STALE_PLAN", `${file} was changed since the plan was made; make a new one.`);
}

/** Nothing is to be touched any more: another may be at work, or the next run has to settle this one. */
const FINAL = new Set(["LOCK_LOST", "HALF_DONE"]);

/** It is no failure of this one change: then nothing goes on. */
export function isFatal(cause: unknown): boolean {
  return CompactError.isInstance(cause) ? FINAL.has(cause.code) : errorCode(cause) === undefined;
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

// Says in words what went wrong with a file and what to do about it. The kind is the caller's: an archive, a store.
import { CompactError, type CompactErrorKind } from "../errors.ts";

const HINTS: Readonly<Record<string, string>> = {
  EACCES: "Give this user write permission there, or choose another folder.",
  EPERM: "Give this user write permission there, or choose another folder.",
  EROFS: "The file system is read-only: choose another folder.",
  ENOSPC: "The disk is full: free some space, or choose a folder on another disk.",
  EDQUOT: "The disk quota is used up: free some space, or choose a folder on another disk.",
  EFBIG:
    "A file there would be larger than this process or its file system may have one: raise the limit, or start a new one.",
  ENOTDIR: "A file stands where a folder is due: move it away, or choose another folder.",
  EEXIST: "A file stands where a folder is due: move it away, or choose another folder.",
  EISDIR: "A folder stands where a file is due: move it away, or choose another folder.",
  ENAMETOOLONG: "The path is too long: choose a folder nearer to the root.",
  EMFILE: "Too many files are open in this process: raise its limit, or close some.",
  ENOENT: "The folder was removed meanwhile, or is a link to nothing: check the path.",
  ELOOP: "Links point at each other: check the path.",
  NOT_A_FILE: "A link, a pipe or something else stands where a file is due: move it away.",
  OUTSIDE_ROOT: "The session's folder is a link that leaves the root: replace it by a real folder.",
};

/** `what` reads after "could not": "save the transcript". An error of ours passes through unchanged. */
export function fileFailure(kind: CompactErrorKind, what: string, path: string, cause: unknown): CompactError {
  if (CompactError.isInstance(cause)) return cause;
  const code = errorCode(cause);
  const reason = code === undefined ? "" : ` (${code})`;
  return new CompactError(kind, `could not ${what}: ${path}${reason}`, {
    hint: HINTS[code ?? ""] ?? "Check that the path can be read and written.",
    data: code === undefined ? { path } : { path, reason: code },
    cause,
  });
}

/** Node's error code (`ENOENT`), if it has one. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const code = (error as { code?: unknown }).code;
  return typeof code === "string" ? code : undefined;
}

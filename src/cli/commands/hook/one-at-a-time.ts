// One hook at a time on a session, among all processes: one that is set up for a person and for a project is called
// twice at once, and the second finds what the first wrote. The lock stands in the session's own folder.
import { join } from "node:path";
import { CompactError } from "../../../errors.ts";
import { fileFailure } from "../../../storage/file-failure.ts";
import { takeFolderLock } from "../../../storage/folder-lock.ts";
import { openSessionFolder } from "../../../storage/open-session-folder.ts";

/** `root`: the archive's folder. Throws `ArchiveFailed` where it cannot be written, `Conflict` after half a minute of waiting. */
export async function oneAtATime<T>(root: string, sessionId: string, work: () => Promise<T>): Promise<T> {
  const folder = await openSessionFolder(root, sessionId, new Date().toISOString()).catch((cause) => {
    throw fileFailure("ArchiveFailed", "make the session's folder", root, cause);
  });
  const lock = await takeFolderLock({
    folder,
    lock: join(folder, "hook.lock"),
    owner: join(folder, "hook.writer"),
    busy: (cause) => busy(folder, cause),
    lost: () => busy(folder, undefined),
    failed: (cause) => fileFailure("ArchiveFailed", "lock the session's folder", folder, cause),
  }).catch((cause) => {
    throw fileFailure("ArchiveFailed", "lock the session's folder", folder, cause);
  });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

function busy(path: string, cause: unknown): CompactError {
  return new CompactError("Conflict", `another process has been archiving this session for too long: ${path}`, {
    code: "SESSION_BUSY",
    hint: "Its archive is the same; if no other process runs, remove hook.lock in that folder.",
    data: { path },
    cause,
  });
}

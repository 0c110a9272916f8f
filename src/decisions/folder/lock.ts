// The lock of those who write to a folder of decisions: where it stands, and how its failures are told.
import { CompactError } from "../../errors.ts";
import { fileFailure } from "../../storage/file-failure.ts";
import { type FolderLock, takeFolderLock } from "../../storage/folder-lock.ts";
import type { Folder } from "./places.ts";

/** @throws StoreFailed (`LOG_BUSY`); the lock's `check` StoreFailed (`LOCK_LOST`). */
export function takeLock({ root, aside }: Folder): Promise<FolderLock> {
  return takeFolderLock({
    folder: aside(""),
    lock: aside("lock"),
    owner: aside("writer"),
    busy: (cause) => busy(root, cause),
    lost: () => lost(root),
    failed: (cause) => fileFailure("StoreFailed", "lock the folder", root, cause),
  });
}

function busy(path: string, cause: unknown): CompactError {
  return new CompactError("StoreFailed", `another process has been writing for too long: ${path}`, {
    code: "LOG_BUSY",
    hint: "Try again; if no other process uses the folder, remove .agent-compact/lock in it.",
    data: { path },
    cause,
  });
}

function lost(path: string): CompactError {
  return new CompactError("StoreFailed", `another process took over the lock, and nothing was written: ${path}`, {
    code: "LOCK_LOST",
    hint: "Try again: this process was held up for longer than a lock stands.",
    data: { path },
  });
}

// The lock of those who change a workspace: where it stands, and how its failures are reported.
import { CompactError } from "../../errors.ts";
import { fileFailure } from "../../storage/files.ts";
import { type FolderLock, takeFolderLock } from "../../storage/folder-lock.ts";
import type { Root } from "../workspace.ts";
import { makeFolder } from "./archive-files.ts";
import { JOURNAL_FOLDER } from "./journal.ts";

/**
 * Waits for another that is at work.
 * @throws Conflict (`WORKSPACE_BUSY`); StoreFailed; InvalidInput (`OUTSIDE_WORKSPACE`). The lock's `check` throws Conflict
 * (`LOCK_LOST`).
 */
export async function underLock<T>(root: Root, work: (lock: FolderLock) => Promise<T>): Promise<T> {
  await makeFolder(root, JOURNAL_FOLDER).catch((cause) => {
    throw fileFailure("StoreFailed", "make the archive", root.absolute(JOURNAL_FOLDER), cause);
  });
  const path = root.real;
  const lock = await takeFolderLock({
    folder: root.absolute(JOURNAL_FOLDER),
    lock: root.absolute(`${JOURNAL_FOLDER}/lock`),
    owner: root.absolute(`${JOURNAL_FOLDER}/writer`),
    busy: (cause) =>
      new CompactError("Conflict", `another process has been changing the workspace for too long: ${path}`, {
        code: "WORKSPACE_BUSY",
        hint: `Try again; if no other process uses the workspace, remove ${JOURNAL_FOLDER}/lock in it.`,
        data: { path },
        cause,
      }),
    lost: () =>
      new CompactError("Conflict", `another process took over the lock of the workspace: ${path}`, {
        code: "LOCK_LOST",
        hint: "Try again: this process was held up for longer than a lock stands. What it had done is in the journal.",
        data: { path },
      }),
    failed: (cause) => fileFailure("StoreFailed", "lock the workspace", path, cause),
  });
  try {
    return await work(lock);
  } finally {
    await lock.release();
  }
}

// The files of the archive: written once and exclusively, read back only if they are what the journal says, removed only if
// they are ours byte for byte.
import { promises as fs } from "node:fs";
import { dirname } from "node:path";
import { CompactError } from "../../errors.ts";
import { fileFailure, writeFileExclusive } from "../../storage/files.ts";
import { type FolderLock, takeFolderLock } from "../../storage/folder-lock.ts";
import { isInArchive, refuseWayOut } from "../workspace/guards.ts";
import { folderOf, isAbsence, isThere, isWithin, sha256 } from "../workspace/root.ts";
import type { Root } from "../workspace.ts";
import { type ArchivedFile, type FileMark, JOURNAL_FOLDER } from "./journal.ts";

export interface NewFile {
  readonly file: string;
  readonly content: Uint8Array;
  readonly mode: number;
}

export function markOf(bytes: Uint8Array): FileMark {
  return { sha256: sha256(bytes), bytes: bytes.length };
}

/** Written and synced when it returns. @throws the system's error, `EEXIST` where the name is taken; InvalidInput. */
export async function writeNew(root: Root, { file, content, mode }: NewFile): Promise<void> {
  await makeFolder(root, folderOf(file));
  await writeFileExclusive(root.absolute(file), content, { mode });
}

/** Who may look into the workspace may look into its archive. @throws InvalidInput (`OUTSIDE_WORKSPACE`). */
export async function makeFolder(root: Root, folder: string): Promise<void> {
  await refuseWayOut(root, folder);
  const { mode } = await fs.stat(root.real);
  await fs.mkdir(root.absolute(folder), { recursive: true, mode: 0o700 | (mode & 0o777) });
}

/** Its bytes and mode; undefined where it is gone or holds other bytes. @throws InvalidInput (`OUTSIDE_WORKSPACE`). */
export async function readArchived(
  root: Root,
  archived: ArchivedFile,
): Promise<{ readonly content: Uint8Array; readonly mode: number } | undefined> {
  await refuseWayOut(root, archived.file);
  try {
    const real = await fs.realpath(root.absolute(archived.file));
    const stats = await fs.stat(real);
    if (!isWithin(root.real, real) || !stats.isFile() || stats.size !== archived.bytes) return undefined;
    const content = await fs.readFile(real);
    return sha256(content) === archived.sha256 ? { content, mode: stats.mode & 0o777 } : undefined;
  } catch (cause) {
    if (isAbsence(cause)) return undefined;
    throw cause;
  }
}

/** Of a change that was not made. What is not ours stays, and so does what cannot be removed. */
export async function removeArchived(root: Root, archives: readonly ArchivedFile[]): Promise<void> {
  for (const archived of archives) {
    if (!isInArchive(archived.file)) continue;
    try {
      if ((await readArchived(root, archived)) === undefined) continue;
      const path = root.absolute(archived.file);
      if (!(await fs.lstat(path)).isFile()) continue;
      await fs.rm(path);
      await fs.rmdir(dirname(path));
    } catch {
      // Others may have files in that folder. One byte copy too many does no harm.
    }
  }
}

/** A name that nothing has, nor is in `taken` in lower case: with `-2`, `-3`, ... before its ending. */
export async function freeName(root: Root, wanted: string, taken: ReadonlySet<string> = new Set()): Promise<string> {
  const dot = wanted.lastIndexOf(".");
  const cut = dot > wanted.lastIndexOf("/") + 1 ? dot : wanted.length;
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted.slice(0, cut)}-${number}${wanted.slice(cut)}`;
    // On many systems a name is taken in either case.
    if (!taken.has(name.toLowerCase()) && !(await isThere(root, name))) return name;
  }
}

// The lock of those who change a workspace: where it stands, and how its failures are reported.

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

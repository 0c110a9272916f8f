// Makes one prepared change: first its archive, then the file. What fails on the way leaves the file as it was and nothing in
// the archive.
import { CompactError } from "../../errors.ts";
import { errorCode } from "../../storage/file-failure.ts";
import type { FolderLock } from "../../storage/folder-lock.ts";
import { writeFileAtomic } from "../../storage/write-file-atomic.ts";
import { writeFileExclusive } from "../../storage/write-file-exclusive.ts";
import { type NewFile, removeArchived, writeNew } from "../journal/archive-files.ts";
import { hashNow } from "../journal/file-bytes.ts";
import { type ArchivedFile, archivesOf } from "../journal/journal.ts";
import type { Root } from "../workspace/open-root.ts";
import { isDigest, type PreparedChange, type PreparedDigest, type PreparedEdit } from "./prepared-change.ts";
import { isFatal, stale } from "./refusal.ts";

export interface CarryingOut {
  readonly root: Root;
  readonly lock: FolderLock;
  /** Files that this run has changed: what rests on them was checked before. */
  readonly changed: Set<string>;
}

/** @throws Conflict (`STALE_PLAN`, `LOCK_LOST`); the system's error. */
export async function carryOut(prepared: PreparedChange, run: CarryingOut): Promise<void> {
  const written: ArchivedFile[] = [];
  try {
    await writeArchives(run.root, prepared, written);
    if (isDigest(prepared)) await putDigest(prepared, run);
    else await replaceFile(prepared, run);
  } catch (cause) {
    if (!isFatal(cause)) await removeArchived(run.root, written);
    throw cause;
  }
  run.changed.add(prepared.noted.file);
}

async function writeArchives(root: Root, { archives, noted }: PreparedChange, written: ArchivedFile[]): Promise<void> {
  for (const [index, archived] of archivesOf(noted).entries()) {
    await writeNew(root, archives[index] as NewFile).catch((cause) => {
      // It may stand there all the same; but a file that had the name before is not ours.
      if (errorCode(cause) !== "EEXIST") written.push(archived);
      throw cause;
    });
    written.push(archived);
  }
}

async function replaceFile(prepared: PreparedEdit, run: CarryingOut): Promise<void> {
  const { noted, real, content } = prepared;
  // An editor asks nobody: what it saved meanwhile is not overwritten.
  const confirm = async () => {
    await confirmRest(prepared, run);
    if ((await hashNow(run.root, noted.file)) !== noted.before.sha256) throw stale(noted.file);
    run.lock.check();
  };
  await writeFileAtomic(real, content, { confirm });
}

/** What the change rests on besides its own file. */
async function confirmRest({ planned, noted }: PreparedChange, { root, changed }: CarryingOut): Promise<void> {
  for (const [file, sha256] of Object.entries(planned.rests_on)) {
    if (file === noted.file || changed.has(file)) continue;
    if ((await hashNow(root, file)) !== sha256) throw stale(file);
  }
}

async function putDigest(prepared: PreparedDigest, run: CarryingOut): Promise<void> {
  const { noted, content, mode } = prepared;
  await confirmRest(prepared, run);
  run.lock.check();
  const removed: number[] = [];
  try {
    await writeFileExclusive(run.root.absolute(noted.file), content, { mode });
    for (const [index, { file, sha256 }] of noted.notes.entries()) {
      if ((await hashNow(run.root, file)) !== sha256) throw stale(file);
      run.lock.check();
      await run.root.fs.promises.rm(run.root.absolute(file));
      removed.push(index);
    }
  } catch (cause) {
    const isTaken = removed.length === 0 && errorCode(cause) === "EEXIST";
    if (!isFatal(cause) && !isTaken)
      await takeDigestBack(prepared, run, removed).catch((failure) => halfDone(noted.file, failure));
    throw cause;
  }
}

/** The next run goes on where this one came to a stop: with the digest there, its notes go. */
function halfDone(file: string, cause: unknown): never {
  throw new CompactError("StoreFailed", `the notes of ${file} are in the archive, some beside their places`, {
    code: "HALF_DONE",
    hint: "Run it again once the folder can be written: the run that ended here is settled first.",
    data: { file },
    cause,
  });
}

async function takeDigestBack(
  { noted, archives }: PreparedDigest,
  { root, lock }: CarryingOut,
  removed: readonly number[],
): Promise<void> {
  lock.check();
  for (const index of removed) {
    const { content, mode } = archives[index] as NewFile;
    await writeFileExclusive(root.absolute(noted.notes[index]?.file ?? ""), content, { mode });
  }
  const isOurs = (await hashNow(root, noted.file)) === noted.after.sha256;
  if (isOurs) await root.fs.promises.rm(root.absolute(noted.file));
}

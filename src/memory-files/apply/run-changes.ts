// One run under the lock: notes in the journal what it intends, makes the changes one by one, notes what was made.
import { promises as fs } from "node:fs";
import { CompactError } from "../../errors.ts";
import { errorCode, writeFileAtomic, writeFileExclusive } from "../../storage/files.ts";
import type { FolderLock } from "../../storage/folder-lock.ts";
import { isoTime } from "../../time.ts";
import { type NewFile, removeArchived, writeNew } from "../journal/archive-files.ts";
import {
  type ArchivedFile,
  archivesOf,
  type JournalDigest,
  type JournalEdit,
  type JournalEntry,
  type JournalRotation,
} from "../journal/journal.ts";
import { addEntry, replaceEntry } from "../journal/journal-files.ts";
import type { PlannedChange } from "../plan.ts";
import { isFatal, type RefusedChange, refusedChange, stale } from "../report.ts";
import { hashNow } from "../workspace/guards.ts";
import type { Root } from "../workspace.ts";

interface RunRequest {
  readonly root: Root;
  readonly lock: FolderLock;
  readonly run: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly signal: AbortSignal | undefined;
  /** Files that this run has changed: what rests on them was checked before. */
  readonly changed: Set<string>;
}

type ChangeRun = Pick<RunRequest, "root" | "lock" | "changed">;

interface RunOutcome {
  readonly made: readonly PreparedChange[];
  readonly refused: readonly RefusedChange[];
}

/** @throws Conflict (`LOCK_LOST`); the system's error where the journal cannot be written; then nothing was changed. */
export async function runChanges(prepared: readonly PreparedChange[], request: RunRequest): Promise<RunOutcome> {
  const { root, run, now, lock } = request;
  const entry: JournalEntry = {
    version: 1,
    run,
    at: isoTime(now),
    state: "applying",
    changes: prepared.map(({ noted }) => noted),
  };
  lock.check();
  await addEntry(root, entry);
  const outcome = await makeChanges(prepared, request);
  lock.check();
  const changes = outcome.made.map(({ noted }) => ({ ...noted, state: "applied" as const }));
  // What cannot be noted now, the next run finds out by the hashes of the files.
  await replaceEntry(root, { ...entry, state: "applied", changes }).catch(() => undefined);
  return outcome;
}

async function makeChanges(prepared: readonly PreparedChange[], request: RunRequest): Promise<RunOutcome> {
  const made: PreparedChange[] = [];
  const refused: RefusedChange[] = [];
  const failed = new Map<string, unknown>();
  for (const change of prepared) {
    if (request.signal?.aborted) break;
    const { planned, noted } = change;
    try {
      // An earlier change of this file failed, and this one was planned for the file as that would have left it.
      if (failed.has(noted.file)) throw failed.get(noted.file);
      await makeChange(change, request);
      made.push(change);
    } catch (cause) {
      if (isFatal(cause)) throw cause;
      failed.set(noted.file, cause);
      refused.push(refusedChange(planned, cause));
    }
  }
  return { made, refused };
}

// A change that passed every check, with all that making it takes: what is written where, and what the journal says of it.

interface PreparedBase {
  readonly planned: PlannedChange;
  /** Written before anything is changed. */
  readonly archives: readonly NewFile[];
  /** What the file becomes; of a digest, what it holds. */
  readonly content: Uint8Array;
}

export interface PreparedEdit extends PreparedBase {
  readonly noted: JournalEdit | JournalRotation;
  /** Where its links end. */
  readonly real: string;
}

export interface PreparedDigest extends PreparedBase {
  readonly noted: JournalDigest;
  /** Of the digest. */
  readonly mode: number;
}

export type PreparedChange = PreparedEdit | PreparedDigest;

// Makes one prepared change: first its archive, then the file. What fails on the way leaves the file as it was and nothing in
// the archive.

/** @throws Conflict (`STALE_PLAN`, `LOCK_LOST`); the system's error. */
async function makeChange(prepared: PreparedChange, run: ChangeRun): Promise<void> {
  const written: ArchivedFile[] = [];
  try {
    await writeArchives(run.root, prepared, written);
    if ("mode" in prepared) await putDigest(prepared, run);
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

async function replaceFile(prepared: PreparedEdit, run: ChangeRun): Promise<void> {
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
async function confirmRest({ planned, noted }: PreparedChange, { root, changed }: ChangeRun): Promise<void> {
  for (const [file, sha256] of Object.entries(planned.rests_on)) {
    if (file === noted.file || changed.has(file)) continue;
    if ((await hashNow(root, file)) !== sha256) throw stale(file);
  }
}

async function putDigest(prepared: PreparedDigest, run: ChangeRun): Promise<void> {
  const { noted, content, mode } = prepared;
  await confirmRest(prepared, run);
  run.lock.check();
  const removed: number[] = [];
  try {
    await writeFileExclusive(run.root.absolute(noted.file), content, { mode });
    for (const [index, { file, sha256 }] of noted.notes.entries()) {
      if ((await hashNow(run.root, file)) !== sha256) throw stale(file);
      run.lock.check();
      await fs.rm(run.root.absolute(file));
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
  { root, lock }: ChangeRun,
  removed: readonly number[],
): Promise<void> {
  lock.check();
  for (const index of removed) {
    const { content, mode } = archives[index] as NewFile;
    await writeFileExclusive(root.absolute(noted.notes[index]?.file ?? ""), content, { mode });
  }
  const isOurs = (await hashNow(root, noted.file)) === noted.after.sha256;
  if (isOurs) await fs.rm(root.absolute(noted.file));
}

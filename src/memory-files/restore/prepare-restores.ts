// What a restore works with: the workspace under its lock, the journal as it is by now, and a change that was worked out: what
// the journal says of it before and after, and how it is written.
import { promises as fs } from "node:fs";
import { CompactError } from "../../errors.ts";
import { errorCode, writeFileAtomic } from "../../storage/files.ts";
import type { FolderLock } from "../../storage/folder-lock.ts";
import { markOf, type NewFile, readArchived, writeNew } from "../journal/archive-files.ts";
import type {
  ArchivedFile,
  JournalChange,
  JournalDigest,
  JournalEdit,
  JournalEntry,
  JournalRotation,
} from "../journal/journal.ts";
import { restoredChange } from "../journal/recovery.ts";
import type { RestoredChange } from "../report.ts";
import { putBack } from "../splice.ts";
import { type FileNow, hashNow, readNow, refuseReadOnly, refuseWayOut } from "../workspace/guards.ts";
import { readMemoryFile } from "../workspace/read-memory-file.ts";
import { isThere } from "../workspace/root.ts";
import type { MemoryFile, Root } from "../workspace.ts";
import { mergeBack } from "./merge-back.ts";

export interface RestoringRun {
  readonly root: Root;
  readonly lock: FolderLock;
  /** By run, as on disk. */
  readonly entries: Map<number, JournalEntry>;
}

/** Looked at and worked out; nothing is written yet. */
export interface PreparedRestore {
  /** As the journal has it before the files are written. Absent where they tell themselves, or nothing is written. */
  readonly intended?: JournalChange;
  /** As the journal has it afterwards. Absent where it stays. */
  readonly done?: JournalChange;
  /** Where the links of its file end. */
  readonly real?: string;
  write(): Promise<RestoreOutcome>;
}

export interface RestoreOutcome {
  readonly how: RestoredChange["how"] | "already";
  /** What of it could not be put back, in one sentence. */
  readonly left?: string;
}

/** @throws Conflict (`CHANGED_SINCE`, `ARCHIVE_MISSING`, `READ_ONLY`), InvalidInput (`OUTSIDE_WORKSPACE`). */
export function prepareRestore(restoring: RestoringRun, change: JournalChange): Promise<PreparedRestore> {
  if (change.kind === "digest") return restoreDigest(restoring, change);
  return change.kind === "rotate" ? restoreRotation(restoring, change) : restoreEdit(restoring, change);
}

/** Caught where the others go on. */
function changedSince(message: string): CompactError {
  return new CompactError("Conflict", message, { code: "CHANGED_SINCE" });
}

async function archivedBytes(root: Root, archived: ArchivedFile) {
  const found = await readArchived(root, archived);
  if (found !== undefined) return found;
  const message = `${archived.file} is gone or was changed, so nothing can be put back from it.`;
  throw new CompactError("Conflict", message, { code: "ARCHIVE_MISSING" });
}

/** Nothing is to be written. `done`: what the journal did not know yet. */
function alreadyBack(done?: JournalChange): PreparedRestore {
  return { ...(done === undefined ? {} : { done }), write: async () => ({ how: "already" }) };
}

interface Replacement {
  readonly now: FileNow;
  readonly content: Uint8Array;
  /** Positions of the ranges that are in it, where not all are. */
  readonly back?: readonly number[];
  readonly outcome: RestoreOutcome;
}

/** The file gets the content, if it is still what it was when that was worked out. @throws Conflict (`READ_ONLY`). */
function replacing(
  { root, lock }: RestoringRun,
  change: JournalChange,
  { now, content, back, outcome }: Replacement,
): PreparedRestore {
  refuseReadOnly(change.file, now.mode);
  const underWay = { from: now.sha256, to: markOf(content).sha256, ...(back === undefined ? {} : { ranges: back }) };
  const intended = { ...change, restoring: underWay };
  return {
    intended,
    done: restoredChange(intended),
    real: now.real,
    async write() {
      await writeFileAtomic(now.real, content, {
        confirm: async () => {
          if ((await hashNow(root, change.file)) !== now.sha256)
            throw changedSince(`${change.file} was being changed while it was restored; try again.`);
          lock.check();
        },
      });
      return outcome;
    },
  };
}

// Lines that left a file come back: exactly where it is as the change left it, else where their surroundings stand.

async function restoreEdit(restoring: RestoringRun, change: JournalEdit): Promise<PreparedRestore> {
  const { file, before, after, archive } = change;
  const now = await readNow(restoring.root, file);
  if (change.state === "restored" && now?.sha256 !== after.sha256) return alreadyBack();
  if (now === undefined) throw changedSince(`${file} is gone; what left it is in ${archive.file}.`);
  if (now.sha256 === before.sha256) return alreadyBack({ ...change, state: "restored" });
  const { content: removed } = await archivedBytes(restoring.root, archive);
  const exact = now.sha256 === after.sha256 ? exactly(now, removed, change) : undefined;
  if (exact !== undefined) {
    // The file is as the change left it once more, whatever came back before.
    const fresh = { ...change, ranges: change.ranges.map(({ restored: _, ...range }) => range) };
    return replacing(restoring, fresh, { now, content: exact, outcome: { how: "exact" } });
  }
  const read = readMemoryFile(file, now.content);
  if ("code" in read)
    throw changedSince(`${file} is no text that can be read any more; ${archive.file} keeps what left it.`);
  refuseOtherEncoding(read, removed, change);
  const { content, back, atEnd } = mergeBack(read, change, removed);
  const due = change.ranges.filter(({ restored }) => !restored).length;
  const missing = `${file} was changed since: the place of ${due - back.length} of ${due} parts is gone; ${archive.file} keeps them.`;
  if (back.length === 0) throw changedSince(missing);
  const how = markOf(content).sha256 === now.sha256 ? "already" : atEnd > 0 ? "at_end" : "merged";
  const outcome: RestoreOutcome = back.length === due ? { how } : { how, left: missing };
  return replacing(restoring, change, { now, content, back, outcome });
}

/** Undefined where the journal does not fit its own archive. */
function exactly({ content }: FileNow, removed: Uint8Array, { ranges, before }: JournalEdit): Uint8Array | undefined {
  const cuts = ranges.map(({ byte_from, byte_to, inserted }) => ({ byte_from, byte_to, insert: inserted }));
  const whole = putBack(content, removed, cuts);
  return whole !== undefined && markOf(whole).sha256 === before.sha256 ? whole : undefined;
}

/** Two encodings in one file could be read by nobody. */
function refuseOtherEncoding(
  now: MemoryFile,
  back: Uint8Array,
  { file, archive, encoding }: JournalEdit | JournalRotation,
): void {
  const isAscii = (bytes: Uint8Array) => bytes.every((byte) => byte < 0x80);
  if (now.encoding === encoding || isAscii(back) || isAscii(now.bytes)) return;
  throw changedSince(`${file} has another encoding by now; ${archive.file} keeps what left it.`);
}

// A rotated note comes back whole. What was written below its preview since is written below the note.

async function restoreRotation(restoring: RestoringRun, change: JournalRotation): Promise<PreparedRestore> {
  const { root } = restoring;
  const now = await readNow(root, change.file);
  if (change.state === "restored" && now?.sha256 !== change.after.sha256) return alreadyBack();
  if (now?.sha256 === change.before.sha256) return alreadyBack({ ...change, state: "restored" });
  const original = await archivedBytes(root, change.archive);
  if (now === undefined) {
    // The preview was removed: nothing stands in the way of the note.
    return {
      done: { ...change, state: "restored" },
      async write() {
        restoring.lock.check();
        await writeNew(root, { file: change.file, ...original });
        return { how: "exact" };
      },
    };
  }
  const { after, archive, file } = change;
  if (markOf(now.content.subarray(0, after.bytes)).sha256 !== after.sha256)
    throw changedSince(
      `${file} is not the preview any more that the rotation left; the whole note is in ${archive.file}.`,
    );
  const written = now.content.subarray(after.bytes);
  const content = written.length === 0 ? original.content : below(original.content, written, change);
  return replacing(restoring, change, { now, content, outcome: { how: written.length === 0 ? "exact" : "merged" } });
}

function below(original: Uint8Array, written: Uint8Array, change: JournalRotation): Uint8Array {
  // What cannot be read by itself is in the same encoding as anything.
  const read = readMemoryFile(change.file, written);
  if (!("code" in read)) refuseOtherEncoding(read, original, change);
  const last = original.at(-1);
  const isEnded = last === undefined || last === 0x0a || last === 0x0d;
  const whole = readMemoryFile(change.file, original);
  const lineEnd = "code" in whole ? "\n" : whole.lineEnd;
  return Buffer.concat([original, Buffer.from(isEnded ? "" : lineEnd), written]);
}

// The notes of a digest come back, each under its name and only where nothing else has it by now. The digest goes, unless it
// was edited.

async function restoreDigest(restoring: RestoringRun, change: JournalDigest): Promise<PreparedRestore> {
  const { root, lock } = restoring;
  const missing = await notesToWrite(restoring, change);
  const digest = await readNow(root, change.file).catch(() => undefined);
  const isOurs = digest?.sha256 === change.after.sha256;
  if (missing.length === 0 && !isOurs) {
    return alreadyBack(change.state === "restored" ? undefined : { ...change, state: "restored" });
  }
  if (change.state === "restored" && !isOurs) return alreadyBack();
  if (isOurs) refuseReadOnly(change.file, digest.mode);
  return {
    intended: { ...change, restoring: { from: digest?.sha256 ?? null, to: change.after.sha256 } },
    done: { ...change, restoring: undefined, state: "restored" },
    async write() {
      lock.check();
      for (const note of missing) await writeNote(restoring, note);
      lock.check();
      return { how: (await removeDigest(restoring, change)) ? "exact" : "merged" };
    },
  };
}

/** All of them are looked at before the first is written. */
async function notesToWrite({ root }: RestoringRun, { notes }: JournalDigest): Promise<readonly NewFile[]> {
  const missing: NewFile[] = [];
  for (const { file, archive, sha256, bytes } of notes) {
    await refuseWayOut(root, file);
    if (await isThere(root, file)) {
      if ((await hashNow(root, file)) === sha256) continue;
      throw changedSince(`${file} is there again with other text; ${archive} keeps the old note.`);
    }
    missing.push({ file, ...(await archivedBytes(root, { file: archive, sha256, bytes })) });
  }
  return missing;
}

async function writeNote({ root }: RestoringRun, note: NewFile): Promise<void> {
  try {
    await writeNew(root, note);
  } catch (cause) {
    if (errorCode(cause) !== "EEXIST") throw cause;
    throw changedSince(`${note.file} was written by another program just now; try again.`);
  }
}

/** False where it was edited, and stays. */
async function removeDigest({ root }: RestoringRun, { file, after }: JournalDigest): Promise<boolean> {
  const now = await readNow(root, file).catch(() => undefined);
  if (now === undefined) return !(await isThere(root, file));
  if (now.sha256 !== after.sha256 || now.isLink) return false;
  await fs.rm(root.absolute(file));
  return true;
}

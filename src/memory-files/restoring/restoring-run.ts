// What a restore works with: the workspace under its lock, the journal as it is by now, and a change that was worked out: what
// the journal says of it before and after, and how it is written.
import { CompactError } from "../../errors.ts";
import type { FolderLock } from "../../storage/folder-lock.ts";
import { writeFileAtomic } from "../../storage/write-file-atomic.ts";
import { markOf, readArchived } from "../journal/archive-files.ts";
import { type FileNow, hashNow } from "../journal/file-bytes.ts";
import type { ArchivedFile, JournalChange, JournalEntry } from "../journal/journal.ts";
import { refuseReadOnly } from "../journal/read-only.ts";
import { restoredChange } from "../journal/settle-restore.ts";
import type { RestoredChange } from "../report.ts";
import type { Root } from "../workspace/open-root.ts";

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
  /** That it holds until it is written. */
  readonly bytes: number;
  write(): Promise<RestoreOutcome>;
}

export interface RestoreOutcome {
  readonly how: RestoredChange["how"] | "already";
  /** What of it could not be put back, in one sentence. */
  readonly left?: string;
}

/** Caught where the others go on. */
export function refuseRestore(code: string, message: string): CompactError {
  return new CompactError("Conflict", message, { code });
}

/** @throws Conflict (`ARCHIVE_MISSING`), InvalidInput (`OUTSIDE_WORKSPACE`). */
export async function archivedBytes(root: Root, archived: ArchivedFile) {
  const found = await readArchived(root, archived);
  if (found !== undefined) return found;
  throw refuseRestore(
    "ARCHIVE_MISSING",
    `${archived.file} is gone or was changed, so nothing can be put back from it.`,
  );
}

/** Nothing is to be written. `done`: what the journal did not know yet. */
export function alreadyBack(done?: JournalChange): PreparedRestore {
  return { ...(done === undefined ? {} : { done }), bytes: 0, write: async () => ({ how: "already" }) };
}

export interface Replacement {
  readonly now: FileNow;
  readonly content: Uint8Array;
  /** Positions of the ranges that are in it, where not all are. */
  readonly back?: readonly number[];
  readonly outcome: RestoreOutcome;
}

/** The file gets the content, if it is still what it was when that was worked out. @throws Conflict (`READ_ONLY`). */
export function replacing(
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
    bytes: content.length,
    async write() {
      await writeFileAtomic(now.real, content, {
        confirm: async () => {
          if ((await hashNow(root, change.file)) !== now.sha256) throw changedMeanwhile(change.file);
          lock.check();
        },
      });
      return outcome;
    },
  };
}

function changedMeanwhile(file: string): CompactError {
  return refuseRestore("CHANGED_SINCE", `${file} was being changed while it was restored; try again.`);
}

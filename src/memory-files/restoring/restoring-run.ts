// What a restore works with: the workspace under its lock, and the journal as it is by now. A change is noted as under way
// before its file is written, and as restored afterwards, so that a restore that dies is told by the file.
import { CompactError } from "../../errors.ts";
import type { FolderLock } from "../../storage/folder-lock.ts";
import { writeFileAtomic } from "../../storage/write-file-atomic.ts";
import { markOf, readArchived } from "../journal/archive-files.ts";
import { type FileNow, hashNow } from "../journal/file-bytes.ts";
import type { ArchivedFile, JournalChange, JournalEntry } from "../journal/journal.ts";
import { replaceEntry } from "../journal/journal-files.ts";
import { restoredChange } from "../journal/settle-restore.ts";
import type { RestoredChange } from "../report.ts";
import type { Root } from "../workspace/open-root.ts";

export interface RestoringRun {
  readonly root: Root;
  readonly lock: FolderLock;
  /** By run, as on disk. */
  readonly entries: Map<number, JournalEntry>;
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

export async function noteChange({ root, entries }: RestoringRun, run: number, change: JournalChange): Promise<void> {
  const entry = entries.get(run);
  if (entry === undefined) return;
  const changes = entry.changes.map((each) => (each.change === change.change ? change : each));
  const noted = { ...entry, changes };
  await replaceEntry(root, noted);
  entries.set(run, noted);
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

/** Writes the file, with the journal told before and after. `back`: positions of the ranges, where not all are. */
export async function writeRestored(
  restoring: RestoringRun,
  run: number,
  change: JournalChange,
  { now, content, back }: { readonly now: FileNow; readonly content: Uint8Array; readonly back?: readonly number[] },
): Promise<void> {
  const { root, lock } = restoring;
  const underWay = { from: now.sha256, to: markOf(content).sha256, ...(back === undefined ? {} : { ranges: back }) };
  await noteChange(restoring, run, { ...change, restoring: underWay });
  try {
    await writeFileAtomic(now.real, content, {
      confirm: async () => {
        if ((await hashNow(root, change.file)) !== now.sha256) throw changedMeanwhile(change.file);
        lock.check();
      },
    });
  } catch (cause) {
    await noteChange(restoring, run, change).catch(() => undefined);
    throw cause;
  }
  await noteChange(restoring, run, restoredChange({ ...change, restoring: underWay }));
}

function changedMeanwhile(file: string): CompactError {
  return refuseRestore("CHANGED_SINCE", `${file} was being changed while it was restored; try again.`);
}

// Brings back what compactions took out of memory files and notes, from the archive of the workspace. What was written since
// stays.
import { type AttemptOptions, attempt, emitDone } from "../engine/attempt.ts";
import { underLock } from "./journal/archive-files.ts";
import { idOf } from "./journal/journal.ts";
import { faultOf, readJournal } from "./journal/journal-files.ts";
import { needsRecovery, recoverRuns } from "./journal/recovery.ts";
import type { MemoryFilesOptions } from "./options.ts";
import { MEMORY_FILES } from "./plan.ts";
import { type RestoreReport, storeFailure } from "./report.ts";
import { type Selected, selectChanges, type Wanted } from "./restore/archived-changes.ts";
import { restoreChanges } from "./restore/restore-changes.ts";
import { openRoot } from "./workspace/root.ts";
import type { Root } from "./workspace.ts";

export { type JournalFault, journalFaults } from "./journal/journal-files.ts";
export { listArchivedChanges } from "./restore/archived-changes.ts";

/**
 * `wanted` names changes (`3.1`), whole runs (`3`), or all; they are restored newest first. A file that is as the change left
 * it gets its exact bytes back; in one that was edited since, what left is put where its surroundings stand. What cannot be
 * put back is in `refused` and stays in the archive: `CHANGED_SINCE`, `ARCHIVE_MISSING`, `INVALID_JOURNAL`,
 * `READ_ONLY`, `OUTSIDE_WORKSPACE`, or the code of what failed. Archive files stay. A second restore changes nothing.
 * @throws NotFound (`UNKNOWN_CHANGE`, `WORKSPACE_NOT_FOUND`) before anything is written; InvalidInput (`OUTSIDE_WORKSPACE`);
 * Conflict (`WORKSPACE_BUSY`, `LOCK_LOST`); StoreFailed; the reason of an aborted `signal`.
 */
export function restoreMemoryFiles(
  root: string,
  wanted: Wanted,
  options: Pick<MemoryFilesOptions, "signal"> & AttemptOptions,
): Promise<RestoreReport> {
  return attempt(MEMORY_FILES, options, async (watch) => {
    options.signal?.throwIfAborted();
    const place = await openRoot(root);
    try {
      const report = await restoreIn(place, wanted, options.signal);
      const { restored, already, refused, settled } = report;
      const counts = {
        restored: restored.length,
        already: already.length,
        refused: refused.length,
        settled: settled.length,
      };
      emitDone("compact.restored", MEMORY_FILES, { ids: restored.map(({ file }) => file), counts }, options, watch());
      return report;
    } catch (cause) {
      throw storeFailure("restore the files", place.real, cause);
    }
  });
}

async function restoreIn(root: Root, wanted: Wanted, signal: AbortSignal | undefined): Promise<RestoreReport> {
  // Asked here too, so that an id that nobody knows makes nothing.
  const { changes, unreadable } = selectChanges(await readJournal(root), wanted);
  if (changes.length + unreadable.length === 0 && !(await needsRecovery(root)))
    return { restored: [], already: [], refused: [], settled: [] };
  return underLock(root, async (lock) => {
    const settled = await recoverRuns(root, lock);
    const journal = await readJournal(root);
    const entries = new Map(journal.entries.map((entry) => [entry.run, entry]));
    const selected = selectAfterSettling(journal, wanted, settled);
    const { restored, already, refused } = await restoreChanges({ root, lock, entries }, selected.changes, signal);
    return { restored, already, refused: [...selected.unreadable.map(refusedRun), ...refused], settled };
  });
}

/** A change that had never been made is known no more, and needs no restoring. */
function selectAfterSettling(
  journal: Parameters<typeof selectChanges>[0],
  wanted: Wanted,
  settled: RestoreReport["settled"],
): Selected {
  if ("all" in wanted) return selectChanges(journal, wanted);
  const undone = new Set(settled.filter(({ state }) => state === "undone").map(({ id }) => id));
  const known = new Set(
    journal.entries.flatMap((entry) => [`${entry.run}`, ...entry.changes.map((each) => idOf(entry, each))]),
  );
  const isGone = (id: string) => !known.has(id) && [...undone].some((each) => each === id || each.startsWith(`${id}.`));
  return selectChanges(journal, { ids: wanted.ids.filter((id) => !isGone(id.trim())) });
}

function refusedRun(run: number): RestoreReport["refused"][number] {
  const { file, code, message } = faultOf(run);
  return { id: `${run}`, file, code, message };
}

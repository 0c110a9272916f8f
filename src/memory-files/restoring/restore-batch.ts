// One batch of a restore: notes all of it as under way, writes the files one by one, notes what became of each.
import { isFatal } from "../applying/refusal.ts";
import type { JournalChange } from "../journal/journal.ts";
import { replaceEntry } from "../journal/journal-files.ts";
import type { PreparedRestore, RestoreOutcome, RestoringRun } from "./restoring-run.ts";

/** Either `prepared` or `failure` is there; afterwards `outcome` or `failure`, or none where the signal was aborted. */
export interface BatchItem {
  readonly run: number;
  readonly change: JournalChange;
  /** Gone once it was carried out, so that a batch alone is held in memory. */
  prepared?: PreparedRestore | undefined;
  outcome?: RestoreOutcome;
  failure?: unknown;
}

interface Note {
  readonly run: number;
  readonly change: JournalChange;
}

/** Stops before the next file where `signal` is aborted. @throws Conflict (`LOCK_LOST`): then another settles it. */
export async function restoreBatch(
  restoring: RestoringRun,
  items: readonly BatchItem[],
  signal: AbortSignal | undefined,
): Promise<void> {
  if (items.length === 0) return;
  const intended = items.flatMap(({ run, prepared }) =>
    prepared?.intended === undefined ? [] : [{ run, change: prepared.intended }],
  );
  const unnoted = await note(restoring, intended);
  for (const item of items) {
    if (item.prepared?.intended !== undefined && unnoted.has(item.run)) item.failure = unnoted.get(item.run);
  }
  for (const item of items) {
    if (signal?.aborted) break;
    if (item.failure === undefined) await write(item);
  }
  // What cannot be noted now, the next run finds out by the hashes of the files.
  await note(restoring, items.flatMap(resultOf));
  for (const item of items) item.prepared = undefined;
}

async function write(item: BatchItem): Promise<void> {
  try {
    if (item.prepared !== undefined) item.outcome = await item.prepared.write();
  } catch (cause) {
    if (isFatal(cause)) throw cause;
    item.failure = cause;
  }
}

/** One that was not written is as it was. */
function resultOf({ run, change, prepared, outcome }: BatchItem): readonly Note[] {
  if (outcome === undefined) return prepared?.intended === undefined ? [] : [{ run, change }];
  return prepared?.done === undefined ? [] : [{ run, change: prepared.done }];
}

/** Each run's file once. Returns why those failed that could not be written. */
async function note(
  { root, lock, entries }: RestoringRun,
  notes: readonly Note[],
): Promise<ReadonlyMap<number, unknown>> {
  const failures = new Map<number, unknown>();
  const byRun = new Map<number, Map<number, JournalChange>>();
  for (const { run, change } of notes) {
    const changes = byRun.get(run) ?? new Map<number, JournalChange>();
    byRun.set(run, changes.set(change.change, change));
  }
  for (const [run, changed] of byRun) {
    const entry = entries.get(run);
    if (entry === undefined) continue;
    const noted = { ...entry, changes: entry.changes.map((each) => changed.get(each.change) ?? each) };
    lock.check();
    // Also where it cannot be written: the next note of that run then says it.
    entries.set(run, noted);
    try {
      await replaceEntry(root, noted);
    } catch (cause) {
      if (isFatal(cause)) throw cause;
      failures.set(run, cause);
    }
  }
  return failures;
}

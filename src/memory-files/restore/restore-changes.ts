// Restores changes in the order given, many at a time: the journal is written whole, so it is told of a batch before its files
// are written and once more afterwards. A restore that dies in between is told by the hash of each file, so no file stands in
// a batch twice.
import { groupBy } from "../../text/words.ts";
import { filesOf, idOf, type JournalChange } from "../journal/journal.ts";
import { replaceEntry } from "../journal/journal-files.ts";
import { isFatal, type RestoredChange, type RestoreReport, reasonOf } from "../report.ts";
import type { Selected } from "./archived-changes.ts";
import { type PreparedRestore, prepareRestore, type RestoreOutcome, type RestoringRun } from "./prepare-restores.ts";

const LEAST_FULL = 100;
/** However many there are: each rewrites the journal of all. */
const MOST_BATCHES = 20;

/** Either `prepared` or `failure` is there; afterwards `outcome` or `failure`, or none where the signal was aborted. */
interface BatchItem {
  readonly run: number;
  readonly change: JournalChange;
  /** Gone once it was carried out, so that a batch alone is held in memory. */
  prepared?: PreparedRestore | undefined;
  outcome?: RestoreOutcome;
  failure?: unknown;
}

/** @throws what is no failure of one change; the reason of an aborted `signal`, once what was done is noted. */
export async function restoreChanges(
  restoring: RestoringRun,
  selected: Selected["changes"],
  signal: AbortSignal | undefined,
): Promise<Pick<RestoreReport, "restored" | "already" | "refused">> {
  const items: BatchItem[] = [];
  const most = Math.max(LEAST_FULL, Math.ceil(selected.length / MOST_BATCHES));
  let batch: BatchItem[] = [];
  /** Of the batch: names in lower case, and real paths. */
  const files = new Set<string | undefined>();
  const flush = async () => {
    await restoreBatch(restoring, batch, signal);
    batch = [];
    files.clear();
  };
  for (const { run, change } of selected) {
    if (signal?.aborted) break;
    // On many systems a name is the same in either case.
    const names = filesOf(change).map((file) => file.toLowerCase());
    if (batch.length >= most || names.some((name) => files.has(name))) await flush();
    let item = await prepare(restoring, run, change);
    if (item.prepared?.real !== undefined && files.has(item.prepared.real)) {
      // Another name of a file that this batch is about.
      await flush();
      item = await prepare(restoring, run, change);
    }
    for (const name of [...names, item.prepared?.real]) files.add(name);
    batch.push(item);
    items.push(item);
  }
  await flush();
  const isOpen = ({ outcome, failure }: BatchItem) => outcome === undefined && failure === undefined;
  if (items.length < selected.length || items.some(isOpen)) signal?.throwIfAborted();
  return reportOf(items);
}

async function prepare(restoring: RestoringRun, run: number, change: JournalChange): Promise<BatchItem> {
  try {
    return { run, change, prepared: await prepareRestore(restoring, change) };
  } catch (cause) {
    if (isFatal(cause)) throw cause;
    return { run, change, failure: cause };
  }
}

function reportOf(items: readonly BatchItem[]) {
  const restored: RestoredChange[] = [];
  const already: string[] = [];
  const refused: RestoreReport["refused"][number][] = [];
  for (const { run, change, outcome, failure } of items) {
    const { file, kind } = change;
    const id = idOf({ run }, change);
    if (outcome === undefined) {
      refused.push({ id, file, ...reasonOf(failure, file) });
      continue;
    }
    const { how, left } = outcome;
    if (how !== "already") restored.push({ id, kind, file, how });
    else if (left === undefined) already.push(id);
    if (left !== undefined) refused.push({ id, file, code: "CHANGED_SINCE", message: left });
  }
  return { restored, already, refused };
}

/**
 * Notes all of it as under way, writes the files one by one, notes what became of each. Stops before the next file where
 * `signal` is aborted. @throws Conflict (`LOCK_LOST`): then another recovers it.
 */
async function restoreBatch(
  restoring: RestoringRun,
  items: readonly BatchItem[],
  signal: AbortSignal | undefined,
): Promise<void> {
  if (items.length === 0) return;
  const failures = await note(
    restoring,
    items.map(({ run, prepared }) => ({ run, change: prepared?.intended })),
  );
  for (const item of items) {
    if (item.prepared?.intended !== undefined && failures.has(item.run)) item.failure = failures.get(item.run);
  }
  for (const item of items) {
    if (signal?.aborted) break;
    if (item.failure === undefined) await write(item);
  }
  // One that was not written is as it was. What cannot be noted now, the next run finds out by the hashes of the files.
  const results = items.map(({ run, change, prepared, outcome }) => {
    if (outcome !== undefined) return { run, change: prepared?.done };
    return { run, change: prepared?.intended === undefined ? undefined : change };
  });
  await note(restoring, results);
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

/** Writes each run's file once; a change that is undefined says nothing. Returns why those failed that could not be written. */
async function note(
  { root, lock, entries }: RestoringRun,
  notes: readonly { readonly run: number; readonly change: JournalChange | undefined }[],
): Promise<ReadonlyMap<number, unknown>> {
  const failures = new Map<number, unknown>();
  for (const [run, ofRun] of groupBy(notes, (each) => each.run)) {
    const changed = new Map(ofRun.map(({ change }) => [change?.change, change]));
    const entry = entries.get(run);
    if (entry === undefined || ofRun.every(({ change }) => change === undefined)) continue;
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

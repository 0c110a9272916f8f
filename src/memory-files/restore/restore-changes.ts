// Restores changes in the order given, many at a time: the journal is written whole, so it is told of a batch before its files
// are written and once more afterwards. A restore that dies in between is told by the hash of each file, so no file stands in
// a batch twice.
import { idOf, type JournalChange } from "../journal/journal.ts";
import { replaceEntry } from "../journal/journal-files.ts";
import { isFatal, type RestoredChange, type RestoreReport, reasonOf } from "../report.ts";
import type { Selected } from "./archived-changes.ts";
import {
  type PreparedRestore,
  type RestoreOutcome,
  type RestoringRun,
  restoreDigest,
  restoreEdit,
  restoreRotation,
} from "./prepare-restores.ts";

type Restored = Pick<RestoreReport, "restored" | "already" | "refused">;

const LEAST_FULL = 100;
/** However many there are: each rewrites the journal of all. */
const MOST_BATCHES = 20;
const MOST_BYTES = 16 * 1024 * 1024;

/** @throws what is no failure of one change; the reason of an aborted `signal`, once what was done is noted. */
export async function restoreChanges(
  restoring: RestoringRun,
  selected: Selected["changes"],
  signal: AbortSignal | undefined,
): Promise<Restored> {
  const items: BatchItem[] = [];
  const most = Math.max(LEAST_FULL, Math.ceil(selected.length / MOST_BATCHES));
  let isCutShort = false;
  let batch = newBatch();
  const flush = async () => {
    await restoreBatch(restoring, batch.items, signal);
    batch = newBatch();
  };
  for (const { run, change } of changesOf(restoring, selected)) {
    if (signal?.aborted) {
      isCutShort = true;
      break;
    }
    const names = namesOf(change);
    const isFull = batch.items.length >= most || batch.bytes >= MOST_BYTES;
    if (isFull || names.some((name) => batch.files.has(name))) await flush();
    let item = await prepare(restoring, run, change);
    const { real } = item.prepared ?? {};
    if (real !== undefined && batch.files.has(real)) {
      // Another name of a file that this batch is about.
      await flush();
      item = await prepare(restoring, run, change);
    }
    for (const name of [...names, ...(real === undefined ? [] : [real])]) batch.files.add(name);
    batch.bytes += item.prepared?.bytes ?? 0;
    batch.items.push(item);
    items.push(item);
  }
  await flush();
  if (isCutShort || items.some(isOpen)) signal?.throwIfAborted();
  return reportOf(items);
}

interface Batch {
  readonly items: BatchItem[];
  /** Names in lower case, and real paths. */
  readonly files: Set<string>;
  bytes: number;
}

function newBatch(): Batch {
  return { items: [], files: new Set(), bytes: 0 };
}

/** Each as the journal has it when its turn comes: no change is about another one's note in the journal. */
function* changesOf({ entries }: RestoringRun, selected: Selected["changes"]) {
  const known = new Map<string, JournalChange>();
  for (const [run, { changes }] of entries) for (const change of changes) known.set(idOf({ run }, change), change);
  for (const { run, change: number } of selected) {
    const change = known.get(`${run}.${number}`);
    if (change !== undefined) yield { run, change };
  }
}

/** On many systems a name is the same in either case. */
function namesOf(change: JournalChange): readonly string[] {
  const files = change.kind === "digest" ? [change.file, ...change.notes.map(({ file }) => file)] : [change.file];
  return files.map((file) => file.toLowerCase());
}

async function prepare(restoring: RestoringRun, run: number, change: JournalChange): Promise<BatchItem> {
  try {
    return { run, change, prepared: await prepareRestore(restoring, change) };
  } catch (cause) {
    if (isFatal(cause)) throw cause;
    return { run, change, failure: cause };
  }
}

function prepareRestore(restoring: RestoringRun, change: JournalChange): Promise<PreparedRestore> {
  if (change.kind === "digest") return restoreDigest(restoring, change);
  return change.kind === "rotate" ? restoreRotation(restoring, change) : restoreEdit(restoring, change);
}

function isOpen({ outcome, failure }: BatchItem): boolean {
  return outcome === undefined && failure === undefined;
}

function reportOf(items: readonly BatchItem[]): Restored {
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

// One batch of a restore: notes all of it as under way, writes the files one by one, notes what became of each.

/** Either `prepared` or `failure` is there; afterwards `outcome` or `failure`, or none where the signal was aborted. */
interface BatchItem {
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

/** Stops before the next file where `signal` is aborted. @throws Conflict (`LOCK_LOST`): then another recovers it. */
async function restoreBatch(
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

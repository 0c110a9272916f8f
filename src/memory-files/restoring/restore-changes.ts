// Restores changes in the order given, many at a time: the journal is written whole, so it is told of a batch before its files
// are written and once more afterwards. A restore that dies in between is told by the hash of each file, so no file stands in
// a batch twice.
import { isFatal, reasonOf } from "../applying/refusal.ts";
import { idOf, type JournalChange } from "../journal/journal.ts";
import type { RestoredChange, RestoreReport } from "../report.ts";
import { type BatchItem, restoreBatch } from "./restore-batch.ts";
import { restoreDigest } from "./restore-digest.ts";
import { restoreEdit } from "./restore-edit.ts";
import { restoreRotation } from "./restore-rotation.ts";
import type { PreparedRestore, RestoringRun } from "./restoring-run.ts";
import type { Selected } from "./select-changes.ts";

export type Restored = Pick<RestoreReport, "restored" | "already" | "refused">;

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

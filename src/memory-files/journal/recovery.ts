// What runs that died left in the middle, recovered before the next one begins: the hash of each file says whether its change had
// been made. Nothing is guessed; where a file is neither the old nor the new one, its archive is kept.
import { promises as fs } from "node:fs";
import { dirname, join } from "node:path";
import { isTemporary } from "../../storage/files.ts";
import type { FolderLock } from "../../storage/folder-lock.ts";
import { groupBy } from "../../text/words.ts";
import type { RecoveredChange } from "../report.ts";
import { hashNow } from "../workspace/guards.ts";
import { locate } from "../workspace/places.ts";
import { isAbsence, isThere, isWithin } from "../workspace/root.ts";
import { ARCHIVE_FOLDER, type Root } from "../workspace.ts";
import { readArchived, removeArchived } from "./archive-files.ts";
import { archivesOf, filesOf, idOf, type JournalChange, type JournalDigest, type JournalEntry } from "./journal.ts";
import { readJournal, replaceEntry } from "./journal-files.ts";

type RecoveredState = RecoveredChange["state"];

/** Looked at without the lock, so that a run with nothing to do writes nothing. */
export async function needsRecovery(root: Root): Promise<boolean> {
  const { entries } = await readJournal(root);
  return entries.some(isHalfDone) || (await archiveTemporaries(root)).length > 0;
}

export async function recoverRuns(root: Root, lock: FolderLock): Promise<readonly RecoveredChange[]> {
  const settled: RecoveredChange[] = [];
  for (const entry of (await readJournal(root)).entries.filter(isHalfDone)) {
    lock.check();
    for (const folder of await foldersOf(root, entry)) await removeAll(await temporariesIn(root, folder));
    const { entry: known, found } = entry.state === "applying" ? await recoverApply(root, entry) : { entry, found: [] };
    const restored = await recoverRestore(root, known);
    await replaceEntry(root, restored.entry);
    settled.push(...found, ...restored.found);
  }
  lock.check();
  await removeAll(await archiveTemporaries(root));
  return settled;
}

function isHalfDone({ state, changes }: JournalEntry): boolean {
  return state === "applying" || changes.some(({ restoring }) => restoring !== undefined);
}

async function recoverApply(root: Root, entry: JournalEntry) {
  const found: RecoveredChange[] = [];
  const changes: JournalChange[] = [];
  // A run may change one file several times.
  const chains = groupBy(entry.changes.filter(isOfOneFile), ({ file }) => file);
  for (const change of entry.changes) {
    const state =
      change.kind === "digest"
        ? await recoverDigest(root, change)
        : stateOf(chains.get(change.file) ?? [], change, await hashNow(root, change.file));
    found.push({ id: idOf(entry, change), file: change.file, state });
    if (state === "undone") await removeArchived(root, archivesOf(change));
    else changes.push({ ...change, state: state === "done" ? "applied" : "unclear" });
  }
  return { entry: { ...entry, state: "applied", changes } as const, found };
}

type ChangeOfOne = Exclude<JournalChange, JournalDigest>;

function isOfOneFile(change: JournalChange): change is ChangeOfOne {
  return change.kind !== "digest";
}

/** What a later change of a file made of it tells that this one had been made. */
function stateOf(chain: readonly ChangeOfOne[], change: JournalChange, hash: string | undefined): RecoveredState {
  const last = chain.findLastIndex(({ after }) => after.sha256 === hash);
  if (last >= 0) return chain.findIndex((each) => each.change === change.change) <= last ? "done" : "undone";
  return chain[0]?.before.sha256 === hash ? "undone" : "unclear";
}

/** Where it wrote. */
async function foldersOf(root: Root, { changes }: JournalEntry): Promise<ReadonlySet<string>> {
  const folders = new Set<string>();
  for (const file of changes.flatMap(filesOf)) {
    const place = await locate(root, file);
    folders.add(dirname(place !== undefined && "real" in place ? place.real : root.absolute(file)));
  }
  return folders;
}

// A digest of a run that died. The digest itself is the point of no return: with it the rest is done, without it nothing is.

async function recoverDigest(root: Root, change: JournalDigest): Promise<RecoveredState> {
  if ((await hashNow(root, change.file)) === change.after.sha256) return removeNotes(root, change);
  const areThere = await Promise.all(change.notes.map(({ file }) => isThere(root, file)));
  // Something of that name that is not the digest may be one that was edited: then its notes are still wanted.
  return areThere.every(Boolean) && !(await isThere(root, change.file)) ? "undone" : "unclear";
}

/** Only notes that are as they were digested, and whose copy is whole. */
async function removeNotes(root: Root, { notes }: JournalDigest): Promise<RecoveredState> {
  let areGone = true;
  for (const { file, archive, sha256, bytes } of notes) {
    if (!(await isThere(root, file))) continue;
    const isCopied = (await readArchived(root, { file: archive, sha256, bytes })) !== undefined;
    if (isCopied && (await hashNow(root, file)) === sha256) await fs.rm(root.absolute(file));
    else areGone = false;
  }
  return areGone ? "done" : "unclear";
}

// A restore that died: the hash of the file says whether what left is back.

async function recoverRestore(root: Root, entry: JournalEntry) {
  const found: RecoveredChange[] = [];
  const changes: JournalChange[] = [];
  for (const change of entry.changes) {
    if (change.restoring === undefined) {
      changes.push(change);
      continue;
    }
    const state = await stateOfRestore(root, change);
    changes.push(state === "done" ? restoredChange(change) : { ...change, restoring: undefined });
    found.push({ id: idOf(entry, change), file: change.file, state });
  }
  return { entry: { ...entry, changes }, found };
}

async function stateOfRestore(root: Root, { kind, file, restoring }: JournalChange): Promise<RecoveredState> {
  // Its notes tell themselves whether they are back, and whoever restores it again goes on.
  if (kind === "digest") return "undone";
  const hash = await hashNow(root, file);
  if (hash === restoring?.to) return "done";
  return (hash ?? null) === restoring?.from ? "undone" : "unclear";
}

/** With what its restore was about marked as back: all of it, or some of its ranges. */
export function restoredChange(change: JournalChange): JournalChange {
  const { restoring, ...rest } = change;
  const back = restoring?.ranges;
  if (rest.kind === "digest" || rest.kind === "rotate" || back === undefined) return { ...rest, state: "restored" };
  const ranges = rest.ranges.map((range, index) =>
    back.includes(index) ? { ...range, restored: true as const } : range,
  );
  return ranges.every(({ restored }) => restored) ? { ...rest, ranges, state: "restored" } : { ...rest, ranges };
}

// Temporary files that a run left when it died. They are looked for where such a run wrote, and only under the lock: elsewhere
// one may be of a program that is at work.

function archiveTemporaries(root: Root): Promise<readonly string[]> {
  return temporariesIn(root, root.absolute(ARCHIVE_FOLDER), true);
}

/** Absolute paths. Nothing where the folder is gone, or is outside. */
async function temporariesIn(root: Root, folder: string, recursive = false): Promise<readonly string[]> {
  const real = await fs.realpath(folder).catch(() => undefined);
  if (real === undefined || !isWithin(root.real, real)) return [];
  const entries = await fs.readdir(real, { withFileTypes: true, recursive }).catch((cause) => {
    if (isAbsence(cause)) return [];
    throw cause;
  });
  const found = entries.filter((entry) => entry.isFile() && isTemporary(entry.name));
  return found.map(({ parentPath, name }) => join(parentPath, name));
}

async function removeAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) await fs.rm(path, { force: true }).catch(() => undefined);
}

// What runs that died left in the middle, settled before the next one begins: the hash of each file says whether its change had
// been made. Nothing is guessed; where a file is neither the old nor the new one, its archive is kept.
import type { FolderLock } from "../../storage/folder-lock.ts";
import type { SettledChange } from "../report.ts";
import { locate } from "../workspace/locate.ts";
import type { Root } from "../workspace/open-root.ts";
import { removeArchived } from "./archive-files.ts";
import { hashNow } from "./file-bytes.ts";
import { archivesOf, idOf, type JournalChange, type JournalDigest, type JournalEntry } from "./journal.ts";
import { readJournal, replaceEntry } from "./journal-files.ts";
import { settleDigest } from "./settle-digest.ts";
import { settleRestore } from "./settle-restore.ts";
import { archiveTemporaries, removeTemporaries, removeTemporary } from "./temporaries.ts";

type Standing = SettledChange["state"];

/** Looked at without the lock, so that a run with nothing to do writes nothing. */
export async function isUnsettled(root: Root): Promise<boolean> {
  const { entries } = await readJournal(root);
  return entries.some(isHalfDone) || (await archiveTemporaries(root)).length > 0;
}

export async function settleRuns(root: Root, lock: FolderLock): Promise<readonly SettledChange[]> {
  const settled: SettledChange[] = [];
  for (const entry of (await readJournal(root)).entries.filter(isHalfDone)) {
    lock.check();
    await removeTemporaries(root, await foldersOf(root, entry));
    const { entry: known, found } = entry.state === "applying" ? await settleApply(root, entry) : { entry, found: [] };
    const restored = await settleRestore(root, known);
    await replaceEntry(root, restored.entry);
    settled.push(...found, ...restored.found);
  }
  lock.check();
  for (const path of await archiveTemporaries(root)) await removeTemporary(root, path);
  return settled;
}

function isHalfDone({ state, changes }: JournalEntry): boolean {
  return state === "applying" || changes.some(({ restoring }) => restoring !== undefined);
}

async function settleApply(root: Root, entry: JournalEntry) {
  const found: SettledChange[] = [];
  const changes: JournalChange[] = [];
  const chains = chainsOf(entry);
  for (const change of entry.changes) {
    const state =
      change.kind === "digest"
        ? await settleDigest(root, change)
        : standingOf(chains.get(change.file) ?? [], change, await hashNow(root, change.file));
    found.push({ id: idOf(entry, change), file: change.file, state });
    if (state === "undone") await removeArchived(root, archivesOf(change));
    else changes.push({ ...change, state: state === "done" ? "applied" : "unclear" });
  }
  return { entry: { ...entry, state: "applied", changes } as const, found };
}

type ChangeOfOne = Exclude<JournalChange, JournalDigest>;

/** By file: a run may change one several times. */
function chainsOf({ changes }: JournalEntry): ReadonlyMap<string, readonly ChangeOfOne[]> {
  const chains = new Map<string, ChangeOfOne[]>();
  for (const change of changes) {
    if (change.kind === "digest") continue;
    const chain = chains.get(change.file) ?? [];
    chain.push(change);
    chains.set(change.file, chain);
  }
  return chains;
}

/** What a later change of a file made of it tells that this one had been made. */
function standingOf(chain: readonly ChangeOfOne[], change: JournalChange, hash: string | undefined): Standing {
  const last = chain.findLastIndex(({ after }) => after.sha256 === hash);
  if (last >= 0) return chain.findIndex((each) => each.change === change.change) <= last ? "done" : "undone";
  return chain[0]?.before.sha256 === hash ? "undone" : "unclear";
}

/** Where it wrote. */
async function foldersOf(root: Root, { changes }: JournalEntry): Promise<readonly string[]> {
  const folders: string[] = [];
  for (const change of changes) {
    const files = change.kind === "digest" ? [change.file, ...change.notes.map(({ file }) => file)] : [change.file];
    for (const file of files) {
      const place = await locate(root, file);
      const at = place !== undefined && "real" in place ? place.real : root.absolute(file);
      folders.push(root.path.dirname(at));
    }
  }
  return folders;
}

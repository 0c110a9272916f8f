// A folder of decisions: where things are in it, that nothing leads out of it, when a file is the same as before, its lock.
// The parts of Node that look there are loaded when a folder is first used.
import type { Stats } from "node:fs";
import { CompactError } from "../../errors.ts";
import { fileFailure, leadsOut } from "../../storage/files.ts";
import { type FolderLock, takeFolderLock } from "../../storage/folder-lock.ts";

interface Node {
  readonly fs: typeof import("node:fs");
  readonly path: typeof import("node:path");
}

export interface Folder extends Node {
  readonly root: string;
  /** Beside the records, in `.agent-compact`: what is no record and can be made again. */
  readonly aside: (name: string) => string;
  /** The file of a record; its name has slashes on every system. */
  readonly file: (name: string) => string;
}

export async function openFolder(path: string): Promise<Folder> {
  const [fs, nodePath] = await Promise.all([import("node:fs"), import("node:path")]);
  const root = nodePath.resolve(path);
  return {
    fs,
    path: nodePath,
    root,
    aside: (name) => nodePath.join(root, ".agent-compact", name),
    file: (name) => nodePath.join(root, ...name.split("/")),
  };
}

// Whether what is to be made in a folder of decisions would come to stand outside it, through a link; asked before anything
// is made.

/** @throws StoreFailed (`LEADS_OUT`) where the way to `place`, so far as it is there, leaves the folder. */
export async function refuseWayOut(folder: Folder, place: string): Promise<void> {
  if (!(await isOutside(folder, place))) return;
  const name = folder.path.relative(folder.root, place);
  throw new CompactError(
    "StoreFailed",
    `Nothing was changed: ${name} is reached by a link that leaves ${folder.root}.`,
    {
      code: "LEADS_OUT",
      hint: "Put a real folder in the place of the link, or open the log in the folder that it leads to.",
      data: { path: place },
    },
  );
}

/** One that cannot be followed counts as leading out. */
export function isOutside({ root }: Folder, place: string): Promise<boolean> {
  return leadsOut(root, place).catch(() => true);
}

// What a file system says about a file, and whether that is enough to know that the file is the same as before.

export interface Stamp {
  readonly modified: number;
  /** Also moves where a program sets the time of modification back. */
  readonly changed: number;
  readonly size: number;
  readonly inode: number;
}

/** The coarsest clock of a file system that tells parts of a second, and of one that does not. */
const FINE_MS = 100;
const COARSE_MS = 2_100;

export function stampOf({ mtimeMs, ctimeMs, size, ino }: Stats): Stamp {
  return { modified: mtimeMs, changed: ctimeMs, size, inode: ino };
}

export function isSame(first: Stamp | undefined, second: Stamp): boolean {
  return (
    first !== undefined &&
    first.changed === second.changed &&
    first.modified === second.modified &&
    first.size === second.size &&
    first.inode === second.inode
  );
}

/** False while a further change could leave the same stamp: then only the content tells. `now` before it was read. */
export function isSettled({ modified, changed }: Stamp, now: number): boolean {
  const latest = Math.max(modified, changed);
  return now - latest > (latest % 1000 === 0 ? COARSE_MS : FINE_MS);
}

// The lock of those who write to a folder of decisions: where it stands, and how its failures are told.

/** @throws StoreFailed (`LOG_BUSY`); the lock's `check` StoreFailed (`LOCK_LOST`). */
export function takeLock({ root, aside }: Folder): Promise<FolderLock> {
  return takeFolderLock({
    folder: aside(""),
    lock: aside("lock"),
    owner: aside("writer"),
    busy: (cause) =>
      new CompactError("StoreFailed", `another process has been writing for too long: ${root}`, {
        code: "LOG_BUSY",
        hint: "Try again; if no other process uses the folder, remove .agent-compact/lock in it.",
        data: { path: root },
        cause,
      }),
    lost: () =>
      new CompactError("StoreFailed", `another process took over the lock, and nothing was written: ${root}`, {
        code: "LOCK_LOST",
        hint: "Try again: this process was held up for longer than a lock stands.",
        data: { path: root },
      }),
    failed: (cause) => fileFailure("StoreFailed", "lock the folder", root, cause),
  });
}

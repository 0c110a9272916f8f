// What a file system says about a file, and whether that is enough to know that the file is the same as before.
import type { Stats } from "node:fs";

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

// Which names from a plan or a journal may stand for a file of the workspace. A journal is a file like any other: whoever can
// write it decides what is in it, so nothing of it is a path before it was looked at here and on disk.
import { promises as fs } from "node:fs";
import { CompactError } from "../../errors.ts";
import { leadsOut } from "../../storage/files.ts";
import { ARCHIVE_FOLDER, type Root } from "../workspace.ts";
import { locate } from "./places.ts";
import { folderOf, isAbsence, sha256 } from "./root.ts";

const LONGEST = 1024;

/** Parts with `/` between them, none of which leads up, away, or into a repository's own folder. */
function isName(name: string): boolean {
  if (name.length > LONGEST || name.includes("\\") || name.includes("\0")) return false;
  // A colon is a drive or a stream on Windows, and a final blank or dot is not kept there.
  return name.split("/").every((part) => part !== "" && part.toLowerCase() !== ".git" && !/:|[ .]$/.test(part));
}

export function isInArchive(name: string): boolean {
  return isName(name) && name.toLowerCase().startsWith(`${ARCHIVE_FOLDER}/`);
}

/** A file that a change may touch: of the workspace, not of its archive. */
export function isOutsideArchive(name: string): boolean {
  return isName(name) && !isInArchive(name) && name.toLowerCase() !== ARCHIVE_FOLDER;
}

const MONTH = /(?<!\d)\d{4}-\d{2}(?!\d)[^/]{0,200}\.md$/;

/** Undoing a digest removes it, so only a file that is named after a month, and stands among its notes, can be one. */
export function isDigestName(file: string, notes: readonly string[]): boolean {
  return MONTH.test(file) && notes.some((note) => folderOf(note) === folderOf(file));
}

/** @throws InvalidInput (`OUTSIDE_WORKSPACE`) where the way to it, so far as it is there, leaves the workspace. */
export async function refuseWayOut(root: Root, name: string): Promise<void> {
  if (!(await leadsOut(root.real, root.absolute(name)))) return;
  throw new CompactError("InvalidInput", `${name} is reached by a link that leaves the workspace`, {
    code: "OUTSIDE_WORKSPACE",
    hint: "Put a real folder in the place of the link.",
    data: { file: name },
  });
}

/** The bytes of a file of the workspace as they are now, where it may be touched at all. */
export interface FileNow {
  /** Where its links end. */
  readonly real: string;
  readonly isLink: boolean;
  readonly content: Uint8Array;
  readonly sha256: string;
  readonly mode: number;
}

/** Undefined where nothing is there. @throws InvalidInput with the code why it may not be read; the system's error. */
export async function readNow(root: Root, file: string): Promise<FileNow | undefined> {
  const place = await locate(root, file);
  if (place === undefined) return undefined;
  if ("code" in place) throw new CompactError("InvalidInput", `${file}: ${place.message}`, { code: place.code });
  const { real, isLink } = place;
  try {
    const content = await fs.readFile(real);
    const { mode } = await fs.stat(real);
    return { real, isLink, content, sha256: sha256(content), mode: mode & 0o777 };
  } catch (cause) {
    if (isAbsence(cause)) return undefined;
    throw cause;
  }
}

/** Undefined where it is gone, or cannot be read any more. */
export async function hashNow(root: Root, file: string): Promise<string | undefined> {
  return (await readNow(root, file).catch(() => undefined))?.sha256;
}

const ANY_WRITE = 0o222;

/**
 * A file that nobody may write is one that somebody wants as it is. Replacing it by a rename would get round that, so the mode
 * is asked, whoever runs this. `mode` as the system has it.
 * @throws Conflict (`READ_ONLY`).
 */
export function refuseReadOnly(file: string, mode: number): void {
  if ((mode & ANY_WRITE) !== 0) return;
  throw new CompactError(
    "Conflict",
    `${file} is read-only, so it stays as it is; to allow the change, make it writable (chmod u+w) and run this again.`,
    { code: "READ_ONLY", data: { file } },
  );
}

// Which names from a plan or a journal may stand for a file of the workspace. A journal is a file like any other: whoever can
// write it decides what is in it, so nothing of it is a path before it was looked at here and on disk.
import { CompactError } from "../../errors.ts";
import { isAbsence } from "../workspace/locate.ts";
import { isWithin, type Root } from "../workspace/open-root.ts";
import { ARCHIVE_FOLDER } from "../workspace/workspace.ts";

const LONGEST = 1024;

/** Parts with `/` between them, none of which leads up, away, or into a repository's own folder. */
export function isName(name: string): boolean {
  if (name.length > LONGEST || name.includes("\\") || name.includes("\0")) return false;
  return name.split("/").every(isPart);
}

/** A colon is a drive or a stream on Windows, and a final blank or dot is not kept there. */
function isPart(part: string): boolean {
  return part !== "" && part !== "." && part !== ".." && part.toLowerCase() !== ".git" && !/:|[ .]$/.test(part);
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

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf("/") + 1);
}

/** @throws InvalidInput (`OUTSIDE_WORKSPACE`) where the way to it, so far as it is there, leaves the workspace. */
export async function refuseWayOut(root: Root, name: string): Promise<void> {
  const { lstat, realpath } = root.fs.promises;
  let at = root.absolute(name);
  while (at !== root.real) {
    try {
      await lstat(at);
      break;
    } catch (cause) {
      if (!isAbsence(cause)) throw cause;
      at = root.path.dirname(at);
    }
  }
  // A link to nothing counts as leading out: what it would lead to once it is made nobody knows.
  const real = await realpath(at).catch(() => undefined);
  if (real !== undefined && isWithin(root, root.real, real)) return;
  throw new CompactError("InvalidInput", `${name} is reached by a link that leaves the workspace`, {
    code: "OUTSIDE_WORKSPACE",
    hint: "Put a real folder in the place of the link.",
    data: { file: name },
  });
}

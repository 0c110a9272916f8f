// Temporary files that a run left when it died. They are looked for where such a run wrote, and only under the lock: elsewhere
// one may be of a program that is at work.
import { isAbsence } from "../workspace/locate.ts";
import { isWithin, type Root } from "../workspace/open-root.ts";
import { ARCHIVE_FOLDER } from "../workspace/workspace.ts";

const TEMPORARY = /^\.agent-compact-[0-9a-f-]{36}\.tmp$/;
/** Folders of months in it, and runs in `removed`. */
const ARCHIVE_DEPTH = 3;

/** In the archive: absolute paths. */
export async function archiveTemporaries(root: Root): Promise<readonly string[]> {
  const archive = root.absolute(ARCHIVE_FOLDER);
  const real = await root.fs.promises.realpath(archive).catch(() => undefined);
  return real !== undefined && isWithin(root, root.real, real) ? temporariesIn(root, real, ARCHIVE_DEPTH) : [];
}

/** Right in these folders. */
export async function removeTemporaries(root: Root, folders: Iterable<string>): Promise<void> {
  for (const folder of new Set(folders)) {
    const real = await root.fs.promises.realpath(folder).catch(() => undefined);
    if (real === undefined || !isWithin(root, root.real, real)) continue;
    for (const path of await temporariesIn(root, real, 1)) await removeTemporary(root, path);
  }
}

export async function removeTemporary(root: Root, path: string): Promise<void> {
  await root.fs.promises.rm(path, { force: true }).catch(() => undefined);
}

async function temporariesIn(root: Root, folder: string, depth: number): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await entriesOf(root, folder)) {
    const path = root.path.join(folder, entry.name);
    if (entry.isFile() && TEMPORARY.test(entry.name)) found.push(path);
    if (entry.isDirectory() && depth > 1) found.push(...(await temporariesIn(root, path, depth - 1)));
  }
  return found;
}

async function entriesOf(root: Root, folder: string): Promise<readonly import("node:fs").Dirent[]> {
  try {
    return await root.fs.promises.readdir(folder, { withFileTypes: true });
  } catch (cause) {
    if (isAbsence(cause)) return [];
    throw cause;
  }
}

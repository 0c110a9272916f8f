// All files below a folder of the workspace, as far as anybody could mean them: no dot folders, no packages, no archive.
import { CompactError } from "../../../errors.ts";
import type { UnreadFile } from "../../memory-file.ts";
import { locateFolder, reasonOf, unreadable } from "../locate.ts";
import type { Root } from "../open-root.ts";

export interface FoundFiles {
  /** Whatever is no folder, links to files too; sorted. */
  readonly files: readonly string[];
  /** Folders that cannot be looked into. */
  readonly unread: readonly UnreadFile[];
}

/** Names that are looked at: no memory has as many, and a whole disk would take minutes. */
const MOST_NAMES = 100_000;

/**
 * `from` is a folder, `""` the root. Links to folders inside are followed, each folder is entered once.
 * @throws InvalidInput (`TOO_MANY_FILES`).
 */
export async function walkFiles(root: Root, from: string, isWanted: (file: string) => boolean): Promise<FoundFiles> {
  const files: string[] = [];
  const unread: UnreadFile[] = [];
  const entered = new Set<string>();
  const pending = [from];
  let seen = 0;
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const place = await enter(root, folder, entered);
    if (place === undefined) continue;
    if ("code" in place) {
      if (place.code === "OUTSIDE_WORKSPACE" || folder === from) unread.push(place);
      continue;
    }
    const entries = await entriesOf(root, folder, place.real, unread);
    seen += entries.length;
    if (seen > MOST_NAMES) throw tooManyFiles(root, from);
    for (const { file, isFolder } of entries) {
      if (isFolder) pending.push(file);
      else if (isWanted(file)) files.push(file);
    }
  }
  return { files: files.sort(), unread };
}

/** Undefined for a folder that is gone, or was entered by another name. */
async function enter(root: Root, folder: string, entered: Set<string>) {
  const place = folder === "" ? { real: root.real } : await locateFolder(root, folder);
  if (place === undefined || "code" in place) return place;
  if (entered.has(place.real)) return undefined;
  entered.add(place.real);
  return place;
}

interface Entry {
  readonly file: string;
  readonly isFolder: boolean;
}

async function entriesOf(root: Root, folder: string, real: string, unread: UnreadFile[]): Promise<readonly Entry[]> {
  try {
    const entries: Entry[] = [];
    for (const entry of await root.fs.promises.readdir(real, { withFileTypes: true })) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const file = folder === "" ? entry.name : `${folder}/${entry.name}`;
      entries.push({ file, isFolder: await isFolder(root, real, entry) });
    }
    return entries;
  } catch (cause) {
    unread.push(unreadable(folder, reasonOf(cause)));
    return [];
  }
}

/** Where a link leads is looked at, not yet whether it may be followed. */
async function isFolder({ fs, path }: Root, parent: string, entry: import("node:fs").Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return fs.promises.stat(path.join(parent, entry.name)).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

function tooManyFiles(root: Root, from: string): CompactError {
  return new CompactError("InvalidInput", `More than ${MOST_NAMES} files stand in ${root.absolute(from)}.`, {
    code: "TOO_MANY_FILES",
    hint: "Begin the pattern of the notes with the folder that they stand in.",
  });
}

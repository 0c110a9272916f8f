// Whether what is to be made in a folder of decisions would come to stand outside it, through a link; asked before anything
// is made.
import { CompactError } from "../../errors.ts";
import { errorCode } from "../../storage/file-failure.ts";
import type { Folder } from "./places.ts";

/** @throws StoreFailed (`LEADS_OUT`) where the way to `place`, so far as it is there, leaves the folder. */
export function refuseWayOut(folder: Folder, place: string): void {
  if (!leadsOut(folder, place)) return;
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

/** A link to nothing, or one that cannot be followed, counts as leading out. */
export function leadsOut(folder: Folder, place: string): boolean {
  const { fs, path, root } = folder;
  try {
    const way = path.relative(fs.realpathSync(root), fs.realpathSync(deepest(folder, place)));
    return way === ".." || way.startsWith(`..${path.sep}`) || path.isAbsolute(way);
  } catch {
    return true;
  }
}

/** The last part of the way that is there, be it a link to nothing or a file. */
function deepest({ fs, path, root }: Folder, place: string): string {
  const isThere = (at: string) => {
    try {
      return fs.lstatSync(at, { throwIfNoEntry: false }) !== undefined;
    } catch (error) {
      if (errorCode(error) === "ENOTDIR") return false;
      throw error;
    }
  };
  let at = place;
  while (at !== root && !isThere(at)) at = path.dirname(at);
  return at;
}

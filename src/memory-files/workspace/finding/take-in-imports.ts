// Reads the files that memory files take in, and those that these take in. Nothing outside the workspace is looked at.
import type { MemoryFile, UnreadFile } from "../../memory-file.ts";
import { locate, outside, type Place, unreadable } from "../locate.ts";
import { isWithin, nameOf, type Root } from "../open-root.ts";
import { readPlace } from "../read-place.ts";
import type { Claims } from "./claims.ts";
import { hasExtension, isTextName, listImports } from "./list-imports.ts";

/** As programs that read them follow them. */
const DEEPEST = 5;

/** In the order in which they are named, each followed by its own. What is taken in is claimed. */
export async function takeInImports(
  root: Root,
  memory: readonly MemoryFile[],
  claims: Claims,
  onUnread: (unread: UnreadFile) => void,
): Promise<readonly MemoryFile[]> {
  const imported: MemoryFile[] = [];
  const follow = async (from: MemoryFile, depth: number): Promise<void> => {
    if (depth > DEEPEST) return;
    for (const written of listImports(from)) {
      const file = await takeIn(root, from.file, written, claims, onUnread);
      if (file === undefined) continue;
      imported.push(file);
      await follow(file, depth + 1);
    }
  };
  for (const file of memory) await follow(file, 1);
  return imported;
}

async function takeIn(
  root: Root,
  from: string,
  written: string,
  claims: Claims,
  onUnread: (unread: UnreadFile) => void,
): Promise<MemoryFile | undefined> {
  if (hasExtension(written) && !isTextName(written)) return undefined;
  const place = await locateImport(root, from, written);
  const claimed = place === undefined ? undefined : claims.claim(place);
  if (claimed === undefined) return undefined;
  const read = "code" in claimed ? claimed : await readPlace(root, claimed);
  if (!("code" in read)) return read;
  // What has no ending was perhaps no path: `@name`, a folder, `@/components` in code.
  if (isTextName(written) || written.startsWith("~/")) onUnread(read);
  return undefined;
}

async function locateImport(root: Root, from: string, written: string): Promise<Place | UnreadFile> {
  const file = nameOfImport(root, from, written);
  if (file === undefined) return outside(written, `${from} takes it in from outside the workspace.`);
  return (await locate(root, file)) ?? unreadable(file, `${from} takes it in, but it is not there.`);
}

/** Relative to the file that names it. Undefined where it is outside. */
function nameOfImport(root: Root, from: string, written: string): string | undefined {
  if (written.startsWith("~")) return undefined;
  const absolute = root.path.resolve(root.path.dirname(root.absolute(from)), written);
  const file = isWithin(root, root.real, absolute) ? nameOf(root, absolute) : "";
  return file === "" ? undefined : file;
}

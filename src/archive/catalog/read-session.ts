// What stands in a session's folder, as its file system says: the truth that the catalog stands in for.
import { isoTime } from "../../time.ts";
import type { StoredFile } from "../archive-files.ts";
import { type FolderState, isCatalogued, type RecordedSession } from "./catalog-lines.ts";

/** Undefined when there is no such folder, or it is a link. */
export async function folderTime(folder: string): Promise<number | undefined> {
  const { lstat } = await import("node:fs/promises");
  const found = await lstat(folder).catch(() => undefined);
  return found?.isDirectory() === true ? found.mtimeMs : undefined;
}

/** The same of several under one root, without waiting: a thousand take some milliseconds, and far longer one by one. */
export async function folderTimes(
  root: string,
  names: readonly string[],
): Promise<readonly (readonly [string, number | undefined])[]> {
  const { lstatSync } = await import("node:fs");
  const { join } = await import("node:path");
  // Others have their turn between two calls.
  await new Promise((resolve) => setTimeout(resolve, 0));
  return names.map((name) => {
    const found = lstatSync(join(root, name), { throwIfNoEntry: false });
    return [name, found?.isDirectory() === true ? found.mtimeMs : undefined] as const;
  });
}

/** The same with the number of files. */
export async function folderState(folder: string): Promise<FolderState | undefined> {
  const { readdir } = await import("node:fs/promises");
  const changed = await folderTime(folder);
  if (changed === undefined) return undefined;
  return { changed, count: (await readdir(folder)).filter(isCatalogued).length };
}

/**
 * The session with the hashes and times that were recorded, and what was recorded and is gone. `folder` may be a link
 * that the caller knows to stay inside. Undefined when there is nothing to read.
 */
export async function readSession(
  sessionId: string,
  folder: string,
  recorded: RecordedSession | undefined,
): Promise<RecordedSession | undefined> {
  const { readdir, stat } = await import("node:fs/promises");
  // First: what changes while we read leaves a time that no longer fits, and is read again.
  const before = await stat(folder).catch(() => undefined);
  const names = await readdir(folder).catch(() => undefined);
  if (before === undefined || names === undefined) return undefined;
  const files = new Map<string, StoredFile>();
  for (const name of names.filter(isCatalogued).sort()) {
    const known = recorded?.files.get(name) ?? recorded?.lost.get(name);
    const file = await readStored(sessionId, folder, name, known);
    if (file !== undefined) files.set(name, file);
  }
  const missing = [...(recorded?.files.values() ?? []), ...(recorded?.lost.values() ?? [])];
  const lost = new Map(missing.filter(({ name }) => !files.has(name)).map((file) => [file.name, file]));
  return { session_id: sessionId, seen: { changed: before.mtimeMs, count: files.size }, files, lost };
}

async function readStored(
  session_id: string,
  folder: string,
  name: string,
  known: StoredFile | undefined,
): Promise<StoredFile | undefined> {
  const { lstat } = await import("node:fs/promises");
  const { join } = await import("node:path");
  const found = await lstat(join(folder, name)).catch(() => undefined);
  if (found?.isFile() !== true) return undefined;
  const bytes = found.size;
  return known === undefined ? { session_id, name, bytes, at: isoTime(found.mtimeMs) } : { ...known, bytes };
}

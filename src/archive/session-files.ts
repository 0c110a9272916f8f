// Named text files per session under one root, with every failure told as `ArchiveFailed`. What the files mean is left
// to fs-archive.ts.
import { errorCode, fileFailure } from "../storage/file-failure.ts";
import { findSessionFolder, listSessions, openSessionFolder } from "../storage/open-session-folder.ts";
import { writeFileAtomic } from "../storage/write-file-atomic.ts";
import { writeFileExclusive } from "../storage/write-file-exclusive.ts";
import type { FileContent } from "../storage/write-temporary.ts";
import { type Clock, isoTime } from "../time.ts";
import { stepTaken } from "./step-files.ts";

export interface SessionFiles {
  /** Returns the path. Throws `Conflict` when the name is taken. */
  create(sessionId: string, name: string, content: FileContent, what: string): Promise<string>;
  replace(sessionId: string, name: string, content: FileContent, what: string): Promise<void>;
  /** Undefined when there is no such file. */
  read(sessionId: string, name: string): Promise<{ readonly text: string; readonly path: string } | undefined>;
  /** Paths by file name; empty when the session has no folder. */
  list(sessionId: string): Promise<ReadonlyMap<string, string>>;
  sessions(): Promise<readonly string[]>;
}

export function createSessionFiles(root: string, now: Clock): SessionFiles {
  const open = (sessionId: string) => openSessionFolder(root, sessionId, isoTime(now()));
  return {
    create: (sessionId, name, content, what) => create(root, () => open(sessionId), name, content, what),
    async replace(sessionId, name, content, what) {
      let path = root;
      try {
        path = await join(await open(sessionId), name);
        await writeFileAtomic(path, content);
      } catch (error) {
        throw fileFailure("ArchiveFailed", `save the ${what}`, path, error);
      }
    },
    read: (sessionId, name) => read(root, sessionId, name),
    list: (sessionId) => list(root, sessionId),
    async sessions() {
      try {
        return await listSessions(root);
      } catch (error) {
        throw fileFailure("ArchiveFailed", "list the archive", root, error);
      }
    },
  };
}

async function create(
  root: string,
  open: () => Promise<string>,
  name: string,
  content: FileContent,
  what: string,
): Promise<string> {
  let path = root;
  let folderStands = false;
  try {
    path = await join(await open(), name);
    folderStands = true;
    await writeFileExclusive(path, content);
    return path;
  } catch (error) {
    // Before the folder stands, EEXIST means that a file is in its place.
    if (folderStands && errorCode(error) === "EEXIST") throw stepTaken(what, path, error);
    throw fileFailure("ArchiveFailed", `save the ${what}`, path, error);
  }
}

async function read(root: string, sessionId: string, name: string) {
  const { readFile } = await import("node:fs/promises");
  let path = root;
  try {
    const folder = await findSessionFolder(root, sessionId);
    if (folder === undefined) return undefined;
    path = await join(folder, name);
    return { text: await readFile(path, "utf8"), path };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw fileFailure("ArchiveFailed", "read the archive", path, error);
  }
}

async function list(root: string, sessionId: string): Promise<ReadonlyMap<string, string>> {
  const { readdir } = await import("node:fs/promises");
  const files = new Map<string, string>();
  try {
    const folder = await findSessionFolder(root, sessionId);
    if (folder === undefined) return files;
    for (const name of await readdir(folder)) files.set(name, await join(folder, name));
    return files;
  } catch (error) {
    throw fileFailure("ArchiveFailed", "read the archive", root, error);
  }
}

async function join(folder: string, name: string): Promise<string> {
  const path = await import("node:path");
  return path.join(folder, name);
}

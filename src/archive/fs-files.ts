// Files of an archive on a file system: one folder per session. Decides where things lie and that nothing is overwritten;
// safe names and whole writes are storage's, the index of all files is the catalog's.
import { errorCode, fileFailure, readPlainFile, writeFileAtomic, writeFileExclusive } from "../storage/files.ts";
import { findSessionFolder, openSessionFolder } from "../storage/open-session-folder.ts";
import { sessionFolder } from "../storage/session-folder.ts";
import { type Clock, isoTime } from "../time.ts";
import type { ArchiveFiles, StoredFile } from "./archive.ts";
import { type Catalog, createCatalog, readSession } from "./catalog.ts";
import { type MeasuredContent, measureContent } from "./content.ts";
import { stepTaken } from "./step-files.ts";

interface Place {
  readonly root: string;
  readonly now: Clock;
  readonly catalog: Catalog;
}

interface NamedFile {
  readonly sessionId: string;
  readonly name: string;
  /** For messages. */
  readonly what: string;
}

/** Folders and files are their owner's only. The catalog never fails a save: the files are the truth. */
export function createFsFiles(path: string, now: Clock): ArchiveFiles {
  const place: Place = { root: path, now, catalog: createCatalog(path) };
  return {
    adapter: "fs",
    locate: (sessionId, name) => joinPath(path, sessionFolder(sessionId), name),
    async create(sessionId, name, content, what) {
      const measured = await measureContent(content);
      const written = await create(place, { sessionId, name, what }, measured);
      await note(place, { sessionId, name, what }, measured);
      return written;
    },
    async replace(sessionId, name, content, what) {
      const measured = await measureContent(content);
      await replace(place, { sessionId, name, what }, measured);
      await note(place, { sessionId, name, what }, measured);
    },
    read: (sessionId, name) => inFolder(place, sessionId, name, (target) => readPlainFile(target)),
    async find(sessionId, name) {
      const files = await inFolder(place, sessionId, "", () => place.catalog.ofSession(sessionId));
      return files?.find((file) => file.name === name);
    },
    list: async (sessionId) =>
      (await inFolder(place, sessionId, "", async (folder): Promise<readonly StoredFile[]> => {
        const session = await readSession(sessionId, folder, undefined);
        return [...(session?.files.values() ?? [])];
      })) ?? [],
    async listAll() {
      try {
        return await place.catalog.entries();
      } catch (error) {
        throw fileFailure("ArchiveFailed", "list the archive", path, error);
      }
    },
    async remove(sessionId, name) {
      await inFolder(place, sessionId, name, async (target) => {
        const { rm } = await import("node:fs/promises");
        // Before, so that a file that went before the second line is not taken for a lost one.
        await place.catalog.forget(sessionId, name);
        await rm(target, { force: true });
        await place.catalog.forget(sessionId, name);
      });
    },
  };
}

async function create(place: Place, file: NamedFile, { content }: MeasuredContent): Promise<string> {
  let path = place.root;
  let folderStands = false;
  try {
    path = joinPath(await open(place, file.sessionId), file.name);
    folderStands = true;
    await writeFileExclusive(path, content);
    return path;
  } catch (error) {
    // Before the folder stands, EEXIST means that a file is in its place.
    if (folderStands && errorCode(error) === "EEXIST") throw stepTaken(file.what, path, error);
    throw fileFailure("ArchiveFailed", `save the ${file.what}`, path, error);
  }
}

async function replace(place: Place, file: NamedFile, { content }: MeasuredContent): Promise<void> {
  let path = place.root;
  try {
    path = joinPath(await open(place, file.sessionId), file.name);
    await writeFileAtomic(path, content);
  } catch (error) {
    throw fileFailure("ArchiveFailed", `save the ${file.what}`, path, error);
  }
}

async function note({ catalog, now }: Place, { sessionId, name }: NamedFile, measured: MeasuredContent): Promise<void> {
  await catalog.note({ session_id: sessionId, name, at: isoTime(now()), ...measured.measure() });
}

function open({ root, now }: Place, sessionId: string): Promise<string> {
  return openSessionFolder(root, sessionId, isoTime(now()));
}

/** Undefined when the session has no folder, or the file is not there. */
async function inFolder<Value>(
  { root }: Place,
  sessionId: string,
  name: string,
  run: (path: string) => Promise<Value>,
): Promise<Value | undefined> {
  let path = root;
  try {
    const folder = await findSessionFolder(root, sessionId);
    if (folder === undefined) return undefined;
    path = name === "" ? folder : joinPath(folder, name);
    return await run(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw fileFailure("ArchiveFailed", "read the archive", path, error);
  }
}

/** Every system takes a slash; a root that is written the other way keeps its look. */
function joinPath(...parts: readonly [string, ...string[]]): string {
  const [root, ...names] = parts;
  const separator = root.includes("\\") && !root.includes("/") ? "\\" : "/";
  return [root.endsWith(separator) ? root.slice(0, -1) : root, ...names].join(separator);
}

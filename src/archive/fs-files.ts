// Files of an archive on a file system: one folder per session. Decides where things lie and that nothing is overwritten;
// safe names and whole writes are storage's, the index of all files is the catalog's.
import { lazy } from "../lazy.ts";
import { errorCode, fileFailure, readPlainFile, writeFileAtomic, writeFileExclusive } from "../storage/files.ts";
import { findSessionFolder, openSessionFolder } from "../storage/open-session-folder.ts";
import { sessionFolder } from "../storage/session-folder.ts";
import { type Clock, isoTime } from "../time.ts";
import type { ArchiveFiles, ErasedFiles, StoredContent, StoredFile } from "./archive.ts";
import type { Catalog } from "./catalog.ts";
import { measureContent } from "./content.ts";
import { stepTaken } from "./step-files.ts";

interface Place {
  readonly root: string;
  readonly now: Clock;
  /** Loaded at the first use: all of it is Node's. */
  readonly catalog: () => Promise<Catalog>;
}

interface ToWrite {
  readonly sessionId: string;
  readonly name: string;
  readonly content: StoredContent;
  /** For messages. */
  readonly what: string;
  readonly isExclusive: boolean;
}

/** Folders and files are their owner's only. The catalog never fails a save: the files are the truth. */
export function createFsFiles(path: string, now: Clock): ArchiveFiles {
  const place: Place = {
    root: path,
    now,
    catalog: lazy(async () => (await import("./catalog.ts")).createCatalog(path)),
  };
  const listAll = async () => {
    try {
      return await (await place.catalog()).entries();
    } catch (error) {
      throw fileFailure("ArchiveFailed", "list the archive", path, error);
    }
  };
  return {
    adapter: "fs",
    locate: (sessionId, name) => joinPath(path, sessionFolder(sessionId), name),
    create: (sessionId, name, content, what) => write(place, { sessionId, name, content, what, isExclusive: true }),
    async replace(sessionId, name, content, what) {
      await write(place, { sessionId, name, content, what, isExclusive: false });
    },
    read: (sessionId, name) => inFolder(place, sessionId, name, (target) => readPlainFile(target)),
    async find(sessionId, name) {
      const files = await inFolder(place, sessionId, "", async () => (await place.catalog()).ofSession(sessionId));
      return files?.find((file) => file.name === name);
    },
    list: async (sessionId) =>
      (await inFolder(place, sessionId, "", async (folder): Promise<readonly StoredFile[]> => {
        const { readSession } = await import("./catalog.ts");
        const session = await readSession(sessionId, folder, undefined);
        return [...(session?.files.values() ?? [])];
      })) ?? [],
    listRecorded: async (sessionId) =>
      (await inFolder(place, sessionId, "", async () => (await place.catalog()).ofSession(sessionId))) ?? [],
    readEach: (sessionId, names) => readEach(place, sessionId, names),
    listAll,
    words: async () => (await import("./kept-words.ts")).readWords(path, await listAll()),
    async remove(sessionId, name) {
      await forgetWords(place, sessionId);
      await inFolder(place, sessionId, name, async (target) => {
        const { rm } = await import("node:fs/promises");
        const catalog = await place.catalog();
        // Before, so that a file that went before the second line is not taken for a lost one.
        await catalog.forget(sessionId, name);
        await rm(target, { force: true });
        await catalog.forget(sessionId, name);
      });
    },
    async eraseSession(sessionId, isDryRun) {
      const forget = async () => {
        await forgetWords(place, sessionId);
        await (await place.catalog()).drop(sessionId);
      };
      // Before, so that one that is stopped behind the files leaves nothing; and what others noted meanwhile.
      if (!isDryRun) await forget();
      const erased = await inFolder(place, sessionId, "", (folder) => eraseFolder(folder, isDryRun));
      if (!isDryRun) await forget();
      return erased ?? { files: 0, bytes: 0 };
    },
  };
}

/** What leaves must not stay in the index of a search. */
async function forgetWords({ root }: Place, sessionId: string): Promise<void> {
  (await import("./kept-words.ts")).forgetWords(root, sessionId);
}

/** Read in a row; then others have their turn: waiting for each would take many times as long. */
const IN_A_ROW = 64;

async function* readEach(
  place: Place,
  sessionId: string,
  names: readonly string[],
): AsyncGenerator<Uint8Array | undefined> {
  const folder = await inFolder(place, sessionId, "", async (path) => path);
  const { plainFileReader } = await import("../storage/files.ts");
  const read = await plainFileReader();
  for (const [index, name] of names.entries()) {
    if (index % IN_A_ROW === IN_A_ROW - 1) await new Promise((resolve) => setTimeout(resolve));
    const path = folder === undefined ? undefined : joinPath(folder, name);
    try {
      yield path === undefined ? undefined : read(path);
    } catch (error) {
      throw fileFailure("ArchiveFailed", "read the archive", path ?? "", error);
    }
  }
}

/** The folder itself may be a link inside the archive: then what it leads to goes, too. */
async function eraseFolder(folder: string, isDryRun: boolean): Promise<ErasedFiles> {
  const { lstat, readdir, realpath, rm } = await import("node:fs/promises");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  const sizes = await Promise.all(files.map(({ parentPath, name }) => lstat(joinPath(parentPath, name))));
  if (!isDryRun) {
    await rm(await realpath(folder), { recursive: true, force: true });
    await rm(folder, { force: true });
  }
  return { files: files.length, bytes: sizes.reduce((sum, { size }) => sum + size, 0) };
}

async function write({ root, now, catalog }: Place, file: ToWrite): Promise<string> {
  const { sessionId, name, what, isExclusive } = file;
  const { content, measure } = await measureContent(file.content);
  let path = root;
  let folderStands = false;
  try {
    path = joinPath(await openSessionFolder(root, sessionId, isoTime(now())), name);
    folderStands = true;
    await (isExclusive ? writeFileExclusive : writeFileAtomic)(path, content);
  } catch (error) {
    // Before the folder stands, EEXIST means that a file is in its place.
    if (isExclusive && folderStands && errorCode(error) === "EEXIST") throw stepTaken(what, path, error);
    throw fileFailure("ArchiveFailed", `save the ${what}`, path, error);
  }
  await (await catalog()).note({ session_id: sessionId, name, at: isoTime(now()), ...measure() });
  return path;
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

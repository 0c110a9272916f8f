// The index of an archive on a disk: `catalog.jsonl` at its root, so that many sessions are listed without a look into
// each. A session is taken at the catalog's word only while its folder is as old as the catalog says; all else is read
// from the folders, and the catalog mended.
import { lstatSync } from "node:fs";
import { lstat, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { endsWithLineBreak, errorCode, openPlainFile, writeTemporary } from "../storage/files.ts";
import { sessionIn } from "../storage/open-session-folder.ts";
import { sessionFolder } from "../storage/session-folder.ts";
import { isoTime } from "../time.ts";
import type { ArchivedStep, StoredFile } from "./archive.ts";
import {
  type CatalogLines,
  type FolderState,
  isCatalogued,
  isComplete,
  type RecordedSession,
  readLines,
  removedLine,
  wholeLine,
  wroteLine,
} from "./catalog-lines.ts";
import { stepsOf } from "./step-files.ts";
import type { LostStep } from "./verify-archive.ts";

export interface Catalog {
  /** After a file was written. Never rejects: without the line the folder itself is read. */
  note(file: StoredFile): Promise<void>;
  /** After a file was removed. Never rejects. */
  forget(sessionId: string, name: string): Promise<void>;
  /** After a session was erased: nothing of it stays in the catalog. Never rejects. */
  drop(sessionId: string): Promise<void>;
  /** All files of all sessions that are there. Throws the system's error when the root cannot be read. */
  entries(): Promise<readonly StoredFile[]>;
  /** The same of one session; empty when it has none. */
  ofSession(sessionId: string): Promise<readonly StoredFile[]>;
  /** Files that were written, were never removed by us, and are gone while their session's folder is there. */
  lost(): Promise<readonly StoredFile[]>;
}

const CATALOG_FILE = "catalog.jsonl";
/** So many changed sessions are mended by lines of their own; more by writing the catalog anew. */
const MOST_MENDED = 20;
/** Lines of single files, also those that only take back or repeat: one line a session is shorter, and read faster. */
const FEWEST_SINGLE = 64;
/** How many more, for each file that is there, before all is written anew: so what is written grows with what is noted. */
const MOST_SINGLE_A_FILE = 1 / 4;
/** Notes of this process between two looks at whether that is due. */
const NOTES_BETWEEN = 32;

interface KnownCatalog extends CatalogVersion {
  readonly lines: CatalogLines;
}

/** Writes nothing before the first `note`, or before a listing finds sessions that it does not know. */
export function createCatalog(root: string): Catalog {
  const path = join(root, CATALOG_FILE);
  let known: KnownCatalog | undefined;
  let notes = 0;

  const open = async (): Promise<KnownCatalog> => {
    const found = await readCatalog(path, known);
    if (found !== undefined) known = { ...found, lines: readLines(found.text) };
    return known as KnownCatalog;
  };
  const append = async (sessionId: string, name: string, line: (seen: FolderState) => string): Promise<void> => {
    if (!isCatalogued(name)) return;
    try {
      const folder = join(root, sessionFolder(sessionId));
      const changed = folderTime(folder);
      if (changed === undefined) return;
      await appendToCatalog(path, line({ changed, count: (await readdir(folder)).filter(isCatalogued).length }));
      if (++notes % NOTES_BETWEEN === 0) await sessions();
    } catch {
      // The folder is newer than the catalog says, so the next listing reads it.
    }
  };
  const sessions = async (): Promise<readonly RecordedSession[]> => {
    const catalog = await open();
    const found = await findSessions(root, catalog.lines);
    await mend(path, catalog, found).catch(() => undefined);
    return found.sessions;
  };
  return {
    note: (file) => append(file.session_id, file.name, (seen) => wroteLine(seen, file)),
    forget: (sessionId, name) => append(sessionId, name, (seen) => removedLine(seen, sessionId, name)),
    async drop(sessionId) {
      const catalog = await open().catch(() => undefined);
      const others = [...(catalog?.lines.sessions.values() ?? [])].filter((one) => one.session_id !== sessionId);
      if (catalog !== undefined && others.length < catalog.lines.sessions.size)
        await replaceCatalog(path, others.map(wholeLine).join(""), catalog).catch(() => undefined);
    },
    entries: async () => (await sessions()).flatMap(({ files }) => [...files.values()]),
    lost: async () => (await sessions()).flatMap(({ lost }) => [...lost.values()]),
    async ofSession(sessionId) {
      const { lines } = await open();
      const folder = sessionFolder(sessionId);
      const recorded = lines.sessions.get(folder);
      const changed = folderTime(join(root, folder));
      if (changed === undefined) return [];
      const isSound = recorded !== undefined && isStill(recorded, changed, lines);
      const session = isSound ? recorded : await readSession(sessionId, join(root, folder), recorded);
      return [...(session?.files.values() ?? [])];
    },
  };
}

/** Only what others have not changed since it was read: their lines are newer. */
async function mend(path: string, catalog: KnownCatalog, found: FoundSessions): Promise<void> {
  const { count, isDamaged } = catalog.lines;
  const { sessions, changed } = found;
  const files = sessions.reduce((sum, session) => sum + session.files.size, 0);
  const isLong = count - sessions.length > Math.max(FEWEST_SINGLE, files * MOST_SINGLE_A_FILE);
  if (isDamaged || isLong || changed.length > MOST_MENDED) {
    await replaceCatalog(path, sessions.map(wholeLine).join(""), catalog);
  } else if (changed.length > 0) {
    await appendToCatalog(path, changed.map(wholeLine).join(""), catalog);
  }
}

// Compares the folders under an archive's root with what the catalog knows of them, and reads those that differ.

interface FoundSessions {
  readonly sessions: readonly RecordedSession[];
  /** Those of them that the catalog did not know so. */
  readonly changed: readonly RecordedSession[];
}

/** Enough to keep a disk busy, few enough not to run out of open files. */
const AT_ONCE = 32;
/** Looks at a folder in a row; then others have their turn. */
const IN_A_ROW = 128;

/** Throws the system's error when the root cannot be read; empty when there is none. */
async function findSessions(root: string, lines: CatalogLines): Promise<FoundSessions> {
  const names = await foldersIn(root);
  const sessions: RecordedSession[] = [];
  const differing: string[] = [];
  for (const [index, name] of names.entries()) {
    // Others have their turn between: the looks themselves do not wait, which would take far longer.
    if (index % IN_A_ROW === 0) await setTimeout(0);
    const recorded = lines.sessions.get(name);
    if (recorded !== undefined && isStill(recorded, folderTime(join(root, name)), lines)) sessions.push(recorded);
    else differing.push(name);
  }
  const changed: RecordedSession[] = [];
  for (let start = 0; start < differing.length; start += AT_ONCE) {
    const read = await Promise.all(
      differing.slice(start, start + AT_ONCE).map(async (name) => {
        const sessionId = await sessionIn(root, name);
        return sessionId === undefined ? undefined : readSession(sessionId, join(root, name), lines.sessions.get(name));
      }),
    );
    changed.push(...read.filter((session) => session !== undefined));
  }
  return { sessions: [...sessions, ...changed], changed };
}

/** `changed`: when its folder last did. */
function isStill(recorded: RecordedSession, changed: number | undefined, { isDamaged }: CatalogLines): boolean {
  return !isDamaged && recorded.seen.changed === changed && isComplete(recorded);
}

/** With links, which `sessionIn` follows only inside the root. */
async function foldersIn(root: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(root, { withFileTypes: true });
    return entries.filter((entry) => !entry.isFile()).map(({ name }) => name);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

// What stands in a session's folder, as its file system says: the truth that the catalog stands in for.

/** Undefined when there is no such folder, or it is a link. Without waiting: a thousand take some milliseconds. */
function folderTime(folder: string): number | undefined {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true ? found.mtimeMs : undefined;
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
  // First: what changes while we read leaves a time that no longer fits, and is read again.
  const before = await stat(folder).catch(() => undefined);
  const names = await readdir(folder).catch(() => undefined);
  if (before === undefined || names === undefined) return undefined;
  const files = new Map<string, StoredFile>();
  for (const name of names.filter(isCatalogued).sort()) {
    const found = await lstat(join(folder, name)).catch(() => undefined);
    if (found?.isFile() !== true) continue;
    const known = recorded?.files.get(name) ?? recorded?.lost.get(name);
    const file = known ?? { session_id: sessionId, name, at: isoTime(found.mtimeMs) };
    files.set(name, { ...file, bytes: found.size });
  }
  const missing = [...(recorded?.files.values() ?? []), ...(recorded?.lost.values() ?? [])];
  const lost = new Map(missing.filter(({ name }) => !files.has(name)).map((file) => [file.name, file]));
  return { session_id: sessionId, seen: { changed: before.mtimeMs, count: files.size }, files, lost };
}

// The catalog's file: appended to by several processes at once, replaced as a whole by one. Never through a link, and
// never at the cost of what it is about: the archive's files are the truth, so a catalog that fails is only slow.

/** Which state of the file a text is of. */
interface CatalogVersion {
  readonly inode: number;
  readonly bytes: number;
}

interface CatalogText extends CatalogVersion {
  readonly text: string;
}

/** More is not a catalog: a million files take less. */
const MOST_BYTES = 400_000_000;
const NOTHING: CatalogText = { inode: 0, bytes: 0, text: "" };

/** Empty when there is none, or none that can be read. Given what was read before, undefined when that still stands. */
async function readCatalog(path: string, before?: CatalogVersion): Promise<CatalogText | undefined> {
  const file = await openPlainFile(path, "read").catch(() => undefined);
  if (file === undefined) return before?.inode === 0 ? undefined : NOTHING;
  try {
    const { ino: inode, size } = await file.stat();
    if (before?.inode === inode && before.bytes === size) return undefined;
    if (size > MOST_BYTES) return { inode, bytes: size, text: "too long\n" };
    const bytes = await file.readFile();
    return { inode, bytes: bytes.length, text: bytes.toString("utf8") };
  } finally {
    await file.close();
  }
}

/** One write, at the end, on a line of its own. With `after` only while the file is still as it was then. */
async function appendToCatalog(path: string, lines: string, after?: CatalogVersion): Promise<void> {
  // Once more when the file was replaced meanwhile; who replaces it looks for what came in between.
  for (let attempt = 0; attempt < 3; attempt++) {
    const file = await openPlainFile(path, "append");
    try {
      const { ino, size } = await file.stat();
      if (after !== undefined && (after.inode !== ino || after.bytes !== size)) return;
      const start = (await endsWithLineBreak(file)) ? "" : "\n";
      await file.write(Buffer.from(start + lines));
      if ((await stat(path)).ino === ino) return;
    } finally {
      await file.close();
    }
  }
}

/** Gives up when another replaced it, or when it is no file. What others appended meanwhile is kept. */
async function replaceCatalog(path: string, lines: string, read: CatalogVersion): Promise<void> {
  if (!(await isSameFile(path, read))) return;
  const old = await openPlainFile(path, "read").catch(() => undefined);
  let temporary: string | undefined;
  try {
    temporary = await writeTemporary(dirname(path), lines, 0o600);
    if (!(await isSameFile(path, read))) return;
    await rename(temporary, path);
    const later = await old?.readFile();
    if (later !== undefined && later.length > read.bytes) {
      await appendToCatalog(path, later.subarray(read.bytes).toString("utf8"));
    }
  } finally {
    await old?.close();
    if (temporary !== undefined) await rm(temporary, { force: true });
  }
}

async function isSameFile(path: string, { inode }: CatalogVersion): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found === undefined ? inode === 0 : found.isFile() && found.ino === inode;
}

// The steps of an archive on a disk that its catalog knows and that went without being removed by us: what `archive
// verify` can say of files that are not there.

/** Of one session, or of all; in the order of their sessions and steps. */
export async function findLostSteps(root: string, sessionId?: string): Promise<readonly LostStep[]> {
  const lost = await createCatalog(root).lost();
  const bySession = new Map<string, string[]>();
  for (const { session_id, name } of lost) {
    if (sessionId !== undefined && session_id !== sessionId) continue;
    bySession.set(session_id, [...(bySession.get(session_id) ?? []), name]);
  }
  const sessions = [...bySession].sort(([a], [b]) => (a < b ? -1 : 1));
  return sessions.flatMap(([session_id, names]) => {
    const steps = stepsOf(names, (name) => join(root, sessionFolder(session_id), name));
    return steps.map((step) => ({ ...step, session_id, what: whatOf(step) }));
  });
}

function whatOf({ isTranscriptLost, summary }: ArchivedStep): LostStep["what"] {
  const transcript = isTranscriptLost === true ? [] : (["transcript"] as const);
  return summary === undefined ? transcript : [...transcript, "summary"];
}

// The index of an archive on a disk: `catalog.jsonl` at its root, so that many sessions are listed without a look into
// each. A session is taken at the catalog's word only while its folder is as old as the catalog says; all else is read
// from the folders, and the catalog mended.
import { sessionFolder } from "../../storage/session-folder.ts";
import type { StoredFile } from "../archive-files.ts";
import { appendToCatalog, type CatalogVersion, readCatalog, replaceCatalog } from "./catalog-file.ts";
import {
  type CatalogLines,
  type FolderState,
  isCatalogued,
  type RecordedSession,
  readLines,
  removedLine,
  wholeLine,
  wroteLine,
} from "./catalog-lines.ts";
import { type FoundSessions, findSessions, isStill } from "./find-sessions.ts";
import { folderState, folderTime, readSession } from "./read-session.ts";

export interface Catalog {
  /** After a file was written. Never rejects: without the line the folder itself is read. */
  note(file: StoredFile): Promise<void>;
  /** After a file was removed. Never rejects. */
  forget(sessionId: string, name: string): Promise<void>;
  /** All files of all sessions that are there. Throws the system's error when the root cannot be read. */
  entries(): Promise<readonly StoredFile[]>;
  /** The same of one session; empty when it has none. */
  ofSession(sessionId: string): Promise<readonly StoredFile[]>;
  /** Files that were written, were never removed by us, and are gone while their session's folder is there. */
  lost(): Promise<readonly StoredFile[]>;
}

export const CATALOG_FILE = "catalog.jsonl";
/** So many changed sessions are mended by lines of their own; more by writing the catalog anew. */
const MOST_MENDED = 20;
const FEWEST_DEAD = 200;
/** One line for each session is read faster than one for each file. */
const MOST_LINES_A_SESSION = 5;
const FEWEST_LINES = 1000;

interface KnownCatalog extends CatalogVersion {
  readonly lines: CatalogLines;
}

/** Writes nothing before the first `note`, or before a listing finds sessions that it does not know. */
export function createCatalog(root: string): Catalog {
  let known: KnownCatalog | undefined;

  const place = async () => (await import("node:path")).join(root, CATALOG_FILE);
  const open = async (): Promise<KnownCatalog> => {
    const found = await readCatalog(await place(), known);
    const current = found === undefined ? known : { ...found, lines: readLines(found.text) };
    known = current;
    return current as KnownCatalog;
  };
  const append = async (sessionId: string, line: (seen: FolderState) => string): Promise<void> => {
    try {
      const { join } = await import("node:path");
      const seen = await folderState(join(root, sessionFolder(sessionId)));
      if (seen !== undefined) await appendToCatalog(await place(), line(seen));
    } catch {
      // The folder is newer than the catalog says, so the next listing reads it.
    }
  };
  const sessions = async (): Promise<readonly RecordedSession[]> => {
    const catalog = await open();
    const found = await findSessions(root, catalog.lines);
    await mend(await place(), catalog, found).catch(() => undefined);
    return found.sessions;
  };
  return {
    async note(file) {
      if (isCatalogued(file.name)) await append(file.session_id, (seen) => wroteLine(seen, file));
    },
    async forget(sessionId, name) {
      if (isCatalogued(name)) await append(sessionId, (seen) => removedLine(seen, sessionId, name));
    },
    entries: async () => (await sessions()).flatMap(({ files }) => [...files.values()]),
    lost: async () => (await sessions()).flatMap(({ lost }) => [...lost.values()]),
    async ofSession(sessionId) {
      const { join } = await import("node:path");
      const { lines } = await open();
      const name = sessionFolder(sessionId);
      const folder = join(root, name);
      const recorded = lines.sessions.get(name);
      const changed = await folderTime(folder);
      if (changed === undefined) return [];
      const isSound = recorded !== undefined && isStill(recorded, changed, lines);
      const session = isSound ? recorded : await readSession(sessionId, folder, recorded);
      return [...(session?.files.values() ?? [])];
    },
  };
}

/** Only what others have not changed since it was read: their lines are newer. */
async function mend(path: string, catalog: KnownCatalog, found: FoundSessions): Promise<void> {
  const { count, dead, isDamaged } = catalog.lines;
  const { sessions, changed, vanished } = found;
  const isMostlyDead = dead + vanished > Math.max(FEWEST_DEAD, count / 2);
  const isLong = count > Math.max(FEWEST_LINES, sessions.length * MOST_LINES_A_SESSION);
  if (isDamaged || isMostlyDead || isLong || changed.length > MOST_MENDED) {
    await replaceCatalog(path, sessions.map(wholeLine).join(""), catalog);
  } else if (changed.length > 0) {
    await appendToCatalog(path, changed.map(wholeLine).join(""), catalog);
  }
}

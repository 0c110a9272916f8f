// Compares the folders under an archive's root with what the catalog knows of them, and reads those that differ.
import { errorCode } from "../../storage/file-failure.ts";
import { sessionIn } from "../../storage/open-session-folder.ts";
import { type CatalogLines, isComplete, type RecordedSession } from "./catalog-lines.ts";
import { folderTimes, readSession } from "./read-session.ts";

export interface FoundSessions {
  readonly sessions: readonly RecordedSession[];
  /** Those of them that the catalog did not know so. */
  readonly changed: readonly RecordedSession[];
  /** Sessions of the catalog without a folder. */
  readonly vanished: number;
}

/** Enough to keep a disk busy, few enough not to run out of open files. */
const AT_ONCE = 32;
/** Looks at a folder in a row; then others have their turn. */
const IN_A_ROW = 128;

/** Throws the system's error when the root cannot be read; empty when there is none. */
export async function findSessions(root: string, lines: CatalogLines): Promise<FoundSessions> {
  const names = await foldersIn(root);
  const sessions: RecordedSession[] = [];
  const differing: string[] = [];
  for (let start = 0; start < names.length; start += IN_A_ROW) {
    for (const [name, changed] of await folderTimes(root, names.slice(start, start + IN_A_ROW))) {
      const recorded = lines.sessions.get(name);
      if (recorded !== undefined && isStill(recorded, changed, lines)) sessions.push(recorded);
      else differing.push(name);
    }
  }
  const changed = await readAgain(root, differing, lines);
  const present = new Set(names);
  const vanished = [...lines.sessions.keys()].filter((name) => !present.has(name)).length;
  return { sessions: [...sessions, ...changed], changed, vanished };
}

async function readAgain(root: string, names: readonly string[], lines: CatalogLines) {
  const { join } = await import("node:path");
  const look = async (name: string): Promise<RecordedSession | undefined> => {
    const sessionId = await sessionIn(root, name);
    return sessionId === undefined ? undefined : readSession(sessionId, join(root, name), lines.sessions.get(name));
  };
  const found: (RecordedSession | undefined)[] = [];
  for (let start = 0; start < names.length; start += AT_ONCE) {
    found.push(...(await Promise.all(names.slice(start, start + AT_ONCE).map(look))));
  }
  return found.filter((session) => session !== undefined);
}

/** `changed`: when its folder last did. */
export function isStill(recorded: RecordedSession, changed: number | undefined, { isDamaged }: CatalogLines): boolean {
  return !isDamaged && recorded.seen.changed === changed && isComplete(recorded);
}

/** With links, which `sessionIn` follows only inside the root. */
async function foldersIn(root: string): Promise<readonly string[]> {
  const { readdir } = await import("node:fs/promises");
  try {
    const entries = await readdir(root, { withFileTypes: true });
    return entries.filter((entry) => !entry.isFile()).map(({ name }) => name);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

// The words of each session of an archive on a disk, in `@words` beside the sessions, which is no session's folder. A file
// begins with a hash of the words and of the files that they are of, so one that is torn, or older than the session, is none.
import { lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openPlainFile, plainFileReader } from "../storage/files.ts";
import { sessionFolder } from "../storage/session-folder.ts";
import { sha256OfBytes } from "../storage/sha256.ts";
import { compareTexts, groupBy } from "../text/words.ts";
import type { SessionWords, StoredFile } from "./archive.ts";
import { keptOf, stepOf } from "./step-files.ts";

const FOLDER = "@words";
const HASH_BYTES = 64;

/** Of the sessions that these files are of. What is kept of sessions that are gone is removed. */
export async function readWords(root: string, files: readonly StoredFile[]): Promise<readonly SessionWords[]> {
  const read = await plainFileReader();
  const ofSteps = files.filter(({ name }) => stepOf(name) !== undefined || keptOf(name) !== undefined);
  const sessions = [...groupBy(ofSteps, ({ session_id }) => session_id)].sort(([a], [b]) => compareTexts(a, b));
  removeOthers(
    root,
    sessions.map(([id]) => id),
  );
  return sessions.map(([session_id, stored]) => {
    const path = pathOf(root, session_id);
    const state = stored.map(({ name, bytes, at }) => `${name} ${bytes} ${at}\n`).sort();
    const hashOf = (words: Buffer) => sha256OfBytes(Buffer.concat([Buffer.from(state.join("")), words]));
    return {
      session_id,
      read() {
        const content = Buffer.from(tryTo(() => read(path)) ?? []);
        const words = content.subarray(HASH_BYTES + 1);
        return content.toString("latin1", 0, HASH_BYTES) === hashOf(words) ? words : undefined;
      },
      async keep(words) {
        await replaceIn(join(root, FOLDER), path, [Buffer.from(`${hashOf(words)}\n`), words]).catch(() => undefined);
      },
    };
  });
}

export function forgetWords(root: string, sessionId: string): void {
  rmSync(pathOf(root, sessionId), { force: true });
}

function pathOf(root: string, sessionId: string): string {
  return join(root, FOLDER, sessionFolder(sessionId));
}

/** Not synced: what a crash tears does not have its hash. */
async function replaceIn(folder: string, path: string, pieces: readonly Buffer[]): Promise<void> {
  tryTo(() => mkdirSync(folder, { mode: 0o700 }));
  if (!lstatSync(folder).isDirectory()) return;
  const file = await openPlainFile(path, "append");
  try {
    await file.truncate();
    await file.appendFile(Buffer.concat(pieces));
  } finally {
    await file.close();
  }
}

function removeOthers(root: string, sessionIds: readonly string[]): void {
  const names = new Set(sessionIds.map(sessionFolder));
  for (const name of tryTo(() => readdirSync(join(root, FOLDER))) ?? [])
    if (!names.has(name)) tryTo(() => rmSync(join(root, FOLDER, name)));
}

function tryTo<Value>(what: () => Value): Value | undefined {
  try {
    return what();
  } catch {
    return undefined;
  }
}

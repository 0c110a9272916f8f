// The words of each session of an archive on a disk, in `@words` beside the sessions, which is no session's folder. A file
// begins with a hash of the words and of the list of files that they are of: one that is torn, or older than the session, is
// none.
import { createHash } from "node:crypto";
import { closeSync, constants, lstatSync, mkdirSync, openSync, readdirSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openPlainFile } from "../storage/files.ts";
import { sessionFolder } from "../storage/session-folder.ts";
import { compareTexts, groupBy } from "../text/words.ts";
import type { SessionWords, StoredFile } from "./archive.ts";
import { stepOf } from "./step-files.ts";

const FOLDER = "@words";
const HASH_BYTES = 64;
/** Of one session: more is not kept. */
const MOST_BYTES = 8_000_000;

/** Of the sessions that these files are of. What was kept of others is removed: they are gone. */
export function readWords(root: string, files: readonly StoredFile[]): readonly SessionWords[] {
  const folder = join(root, FOLDER);
  // Each is looked at before the next is read.
  const content = Buffer.allocUnsafe(HASH_BYTES + 1 + MOST_BYTES);
  const known = new Set<string>();
  const sessions: SessionWords[] = [];
  for (const [session_id, stored] of groupBy(files, (file) => file.session_id)) {
    if (!stored.some(({ name }) => stepOf(name) !== undefined)) continue;
    const name = sessionFolder(session_id);
    known.add(name);
    const hashOf = (words: Uint8Array) => createHash("sha256").update(stateOf(stored)).update(words).digest("hex");
    sessions.push({
      session_id,
      read() {
        const size = tryTo(() => readInto(content, join(folder, name))) ?? 0;
        const words = content.subarray(HASH_BYTES + 1, size);
        return content.toString("latin1", 0, HASH_BYTES) === hashOf(words) ? words : undefined;
      },
      async keep(words) {
        if (words.length >= MOST_BYTES) return;
        await replaceIn(folder, name, [Buffer.from(`${hashOf(words)}\n`), words]).catch(() => undefined);
      },
    });
  }
  for (const name of isFolder(folder) ? readdirSync(folder) : [])
    if (!known.has(name)) tryTo(() => removeKept(content, join(folder, name)));
  return sessions.sort((a, b) => compareTexts(a.session_id, b.session_id));
}

export function forgetWords(root: string, sessionId: string): void {
  if (isFolder(join(root, FOLDER))) rmSync(join(root, FOLDER, sessionFolder(sessionId)), { force: true });
}

/** Nothing that we did not write. */
function removeKept(content: Buffer, path: string): void {
  const size = readInto(content, path);
  if (/^[0-9a-f]{64}\n$/.test(content.toString("latin1", 0, Math.min(size, HASH_BYTES + 1)))) rmSync(path);
}

/** And no link to one. */
function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Another whenever other texts may be stored. */
function stateOf(files: readonly StoredFile[]): string {
  const texts = files.filter(({ name }) => !name.startsWith("state"));
  return texts
    .map(({ name, bytes, at }) => `${name} ${bytes} ${at}`)
    .sort()
    .join("\n");
}

function readInto(content: Buffer, path: string): number {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    return readSync(file, content);
  } finally {
    closeSync(file);
  }
}

/** Not synced: what a crash tears does not have its hash. */
async function replaceIn(folder: string, name: string, pieces: readonly Uint8Array[]): Promise<void> {
  tryTo(() => mkdirSync(folder, { mode: 0o700 }));
  if (!isFolder(folder)) return;
  const file = await openPlainFile(join(folder, name), "append");
  try {
    await file.truncate();
    await file.appendFile(Buffer.concat(pieces));
  } finally {
    await file.close();
  }
}

function tryTo<Value>(what: () => Value): Value | undefined {
  try {
    return what();
  } catch {
    return undefined;
  }
}

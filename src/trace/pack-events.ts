// Keeps a session's events.jsonl small: what it has grown to moves into a file of its own, packed, under a name that follows
// from what it holds. So a crash, or another process at the same work, costs no event. Node only.
import { statSync, unlinkSync } from "node:fs";
import { link, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { errorCode, readPlainFile, writeFileExclusive } from "../storage/files.ts";
import { sha256OfBytes } from "../storage/sha256.ts";

/** So much is written before it is packed. */
export const MOST_PLAIN_BYTES = 128_000;

/** `events-20261130062737849-1f2e3d4c.jsonl.gz`, in the order of their first events. Throws the system's error; the next call goes on. */
export async function packEvents(folder: string, file: string): Promise<void> {
  const [events, taken] = [join(folder, file), join(folder, "events-taken.jsonl")];
  // It is there when another process is at it, or was stopped.
  await link(events, taken).catch(unlessThere);
  const [{ ino }, left] = await Promise.all([stat(taken), stat(events).catch(() => undefined)]);
  if (left?.ino === ino) unlinkSync(events);
  for (;;) {
    const text = await readPlainFile(taken);
    const packed = join(folder, nameOf(text));
    await writeFileExclusive(packed, await promisify(gzip)(text, { level: 9, memLevel: 9 })).catch(unlessThere);
    if (statSync(taken).size === text.length) return unlinkSync(taken);
    // Whoever had it open has written meanwhile.
    await rm(packed);
  }
}

function nameOf(text: Uint8Array): string {
  const [, at = ""] = /"at":"([^"]{1,40})"/.exec(new TextDecoder().decode(text.subarray(0, 4096))) ?? [];
  return `events-${at.replace(/\D/g, "").padStart(17, "0")}-${sha256OfBytes(text).slice(0, 8)}.jsonl.gz`;
}

function unlessThere(error: unknown): void {
  if (errorCode(error) !== "EEXIST") throw error;
}

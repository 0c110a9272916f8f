// The bytes of a file that was located, read without waiting for anybody: what took its place since is not opened for long.
import type { FileHandle } from "node:fs/promises";
import { errorCode, fileFailure } from "../../storage/file-failure.ts";
import type { MemoryFile, UnreadFile } from "../memory-file.ts";
import { identityOf, isAbsence, locate, type Place, reasonOf, unreadable } from "./locate.ts";
import type { Root } from "./open-root.ts";
import { MOST_BYTES, readMemoryFile, tooLarge } from "./read-memory-file.ts";

/** A file, or why it is not read. @throws nothing. */
export async function readPlace(root: Root, place: Place): Promise<MemoryFile | UnreadFile> {
  return readFetched(root, place.file, await fetchPlace(root, place));
}

/** What was fetched, as lines; of a note that was fetched in advance, once its turn has come. */
export function readFetched(root: Root, file: string, fetched: Uint8Array | UnreadFile): MemoryFile | UnreadFile {
  return "code" in fetched ? fetched : readMemoryFile(file, fetched, root.sha256);
}

/**
 * The bytes of a file that was located a while ago. While it is the same file there is no need to look where its name leads
 * now. @throws nothing.
 */
export async function fetchLocated(root: Root, place: Place): Promise<Uint8Array | UnreadFile> {
  const bytes = await bytesOf(root, place, place.identity).catch(() => undefined);
  if (bytes !== undefined) return bytes;
  const now = (await locate(root, place.file)) ?? unreadable(place.file, REMOVED);
  return "code" in now ? now : fetchPlace(root, now);
}

async function fetchPlace(root: Root, place: Place): Promise<Uint8Array | UnreadFile> {
  try {
    return (await bytesOf(root, place)) ?? tooLarge(place.file);
  } catch (cause) {
    return unreadable(place.file, isAbsence(cause) ? REMOVED : reasonOf(cause));
  }
}

const REMOVED = "It was removed meanwhile.";

/** As it is now; undefined where it is gone or cannot be text any more. @throws StoreFailed for what the system refuses. */
export async function readStrictly(root: Root, file: string): Promise<MemoryFile | undefined> {
  const place = await locate(root, file);
  if (place === undefined || "code" in place) return undefined;
  try {
    const bytes = await bytesOf(root, place);
    const read = bytes === undefined ? undefined : readMemoryFile(file, bytes, root.sha256);
    return read === undefined || "code" in read ? undefined : read;
  } catch (cause) {
    if (isAbsence(cause) || ["ELOOP", "EISDIR"].includes(errorCode(cause) ?? "")) return undefined;
    throw fileFailure("StoreFailed", "read the file", place.real, cause);
  }
}

/** Undefined where it is too large, or another file than the one meant. */
async function bytesOf({ fs }: Root, { real }: Place, identity?: string): Promise<Uint8Array | undefined> {
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = fs.constants;
  const handle = await fs.promises.open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) throw Object.assign(new Error("not a file"), { code: "EISDIR" });
    if (stats.size > MOST_BYTES || (identity !== undefined && identityOf(stats) !== identity)) return undefined;
    return await allOf(handle, Number(stats.size));
  } finally {
    await handle.close();
  }
}

/** In one go where it has the size that it had, as nearly all have. */
async function allOf(handle: FileHandle, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size + 1);
  const { bytesRead } = await handle.read(bytes, 0, size + 1);
  const read = bytes.subarray(0, bytesRead);
  if (bytesRead === size) return read;
  const rest = await handle.readFile();
  const all = new Uint8Array(bytesRead + rest.length);
  all.set(read);
  all.set(rest, bytesRead);
  return all;
}

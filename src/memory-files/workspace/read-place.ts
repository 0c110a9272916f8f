// The bytes of a file that was located, read without waiting for anybody: what took its place since is not opened for long.
import { errorCode, fileFailure } from "../../storage/file-failure.ts";
import type { MemoryFile, UnreadFile } from "../memory-file.ts";
import { isAbsence, locate, type Place, reasonOf, unreadable } from "./locate.ts";
import type { Root } from "./open-root.ts";
import { MOST_BYTES, readMemoryFile, tooLarge } from "./read-memory-file.ts";

/** A file, or why it is not read. @throws nothing. */
export async function readPlace(root: Root, place: Place): Promise<MemoryFile | UnreadFile> {
  try {
    const bytes = await bytesOf(root, place);
    return bytes === undefined ? tooLarge(place.file) : readMemoryFile(place.file, bytes, root.sha256);
  } catch (cause) {
    return unreadable(place.file, isAbsence(cause) ? "It was removed meanwhile." : reasonOf(cause));
  }
}

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

/** Undefined where it is too large. */
async function bytesOf({ fs }: Root, { real }: Place): Promise<Uint8Array | undefined> {
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = fs.constants;
  const handle = await fs.promises.open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw Object.assign(new Error("not a file"), { code: "EISDIR" });
    return stats.size > MOST_BYTES ? undefined : await handle.readFile();
  } finally {
    await handle.close();
  }
}

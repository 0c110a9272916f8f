// What stands at a name of the workspace: a file that may be read, or why it may not. Links are followed as long as they
// stay inside; only regular files are ever opened.
import type { FileHandle } from "node:fs/promises";
import { errorCode, fileFailure } from "../../storage/files.ts";
import type { MemoryFile, UnreadFile } from "../workspace.ts";
import { MOST_BYTES, readMemoryFile, tooLarge } from "./read-memory-file.ts";
import { isWithin, type Root } from "./root.ts";

export interface Place {
  readonly file: string;
  readonly real: string;
  /** The same for all names of one file. */
  readonly identity: string;
  readonly size: number;
  readonly isLink: boolean;
}

/** Undefined where nothing has that name. A link to nothing is there, and cannot be read. */
export async function locate(root: Root, file: string): Promise<Place | UnreadFile | undefined> {
  const { lstat, realpath, stat } = root.fs.promises;
  try {
    const isLink = (await lstat(root.absolute(file))).isSymbolicLink();
    try {
      const real = await realpath(root.absolute(file));
      const refused = refuseReal(root, file, real);
      if (refused !== undefined) return refused;
      const stats = await stat(real, { bigint: true });
      if (!stats.isFile()) return unreadable(file, stats.isDirectory() ? "It is a folder." : "It is no regular file.");
      return placeFrom(file, real, stats, isLink);
    } catch (cause) {
      const code = errorCode(cause);
      if (isLink && code === "ENOENT") return unreadable(file, "It is a link to nothing.");
      throw cause;
    }
  } catch (cause) {
    return isAbsence(cause) ? undefined : unreadable(file, reasonOf(cause));
  }
}

/**
 * The same for a name that a folder was just listed with, given the real path of that folder: most are plain files, which
 * one look tells.
 */
export async function locateListed(root: Root, folder: string, file: string): Promise<Place | UnreadFile | undefined> {
  const real = root.path.join(folder, file.slice(file.lastIndexOf("/") + 1));
  const stats = await root.fs.promises.lstat(real, { bigint: true }).catch(() => undefined);
  const isPlain = stats?.isFile() === true && refuseReal(root, file, real) === undefined;
  return isPlain ? placeFrom(file, real, stats, false) : locate(root, file);
}

function placeFrom(file: string, real: string, stats: FileStats, isLink: boolean): Place | UnreadFile {
  if (stats.size > MOST_BYTES) return tooLarge(file);
  return { file, real, identity: identityOf(stats) ?? real, size: Number(stats.size), isLink };
}

interface FileStats {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
}

/** Undefined on network drives that number no files. */
function identityOf({ dev, ino }: Pick<FileStats, "dev" | "ino">): string | undefined {
  return ino === 0n ? undefined : `${dev}:${ino}`;
}

/** A folder of the workspace, or why it may not be looked into; undefined where there is none. */
export async function locateFolder(
  root: Root,
  file: string,
): Promise<{ readonly real: string } | UnreadFile | undefined> {
  const { lstat, realpath, stat } = root.fs.promises;
  try {
    await lstat(root.absolute(file));
  } catch (cause) {
    return isAbsence(cause) ? undefined : unreadable(file, reasonOf(cause));
  }
  try {
    const real = await realpath(root.absolute(file));
    const refused = refuseReal(root, file, real);
    if (refused !== undefined) return refused;
    return (await stat(real)).isDirectory() ? { real } : unreadable(file, "It is no folder.");
  } catch (cause) {
    return unreadable(file, errorCode(cause) === "ENOENT" ? "It is a link to nothing." : reasonOf(cause));
  }
}

export function outside(file: string, message = "It is reached by a link that leaves the workspace."): UnreadFile {
  return { file, code: "OUTSIDE_WORKSPACE", message };
}

export function unreadable(file: string, message: string): UnreadFile {
  return { file, code: "UNREADABLE", message };
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "Reading it is not allowed",
  EPERM: "Reading it is not allowed",
  ELOOP: "Its links point at each other",
  ENAMETOOLONG: "Its path is too long",
};

/** A sentence with the system's code. */
export function reasonOf(cause: unknown): string {
  const code = errorCode(cause) ?? "unknown reason";
  return `${REASONS[code] ?? "It cannot be read"} (${code}).`;
}

/** Nothing is there, or the name is none that a file can have. */
export function isAbsence(cause: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "ERR_INVALID_ARG_VALUE"].includes(errorCode(cause) ?? "");
}

function refuseReal(root: Root, file: string, real: string): UnreadFile | undefined {
  if (!isWithin(root, root.real, real)) return outside(file);
  if (isWithin(root, root.archive, real)) return unreadable(file, "It is in the archive, which is never read.");
  return undefined;
}

// One file has one name here, though links and hard links give it several: the first that claims it.

export interface Claims {
  /** The place itself, or why it is not read; undefined where this very name was claimed before. */
  claim<Found extends Place>(place: Found | UnreadFile): Found | UnreadFile | undefined;
}

export function createClaims(): Claims {
  const owners = new Map<string, string>();
  return {
    claim(place) {
      if ("code" in place) return place;
      const { file, identity } = place;
      const owner = owners.get(identity);
      if (owner === file) return undefined;
      if (owner !== undefined) return { file, code: "SAME_FILE", message: `It is the same file as ${owner}.` };
      owners.set(identity, file);
      return place;
    },
  };
}

// The bytes of a file that was located, read without waiting for anybody: what took its place since is not opened for long.

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

// Begins what takes its time before it is asked for, so that nobody waits for the disk one file after the other. A few at
// once, and no more of them than their weight allows.

interface Advance<Item> {
  /** Begun at once. */
  readonly width: number;
  /** Of those begun together, whatever their number; one is always begun. */
  readonly most?: number;
  readonly weigh?: (item: Item) => number;
}

/** Results in the order of the items. `begin` must not reject: its results may never be asked for. */
export async function* prefetch<Item, Result>(
  items: readonly Item[],
  begin: (item: Item) => Promise<Result>,
  { width, most = Number.POSITIVE_INFINITY, weigh = () => 0 }: Advance<Item>,
): AsyncGenerator<Result> {
  const begun: { readonly result: Promise<Result>; readonly weight: number }[] = [];
  let next = 0;
  let weight = 0;
  while (next < items.length || begun.length > 0) {
    while (next < items.length && begun.length < width) {
      const item = items[next] as Item;
      const own = weigh(item);
      if (begun.length > 0 && weight + own > most) break;
      begun.push({ result: begin(item), weight: own });
      weight += own;
      next += 1;
    }
    const first = begun.shift();
    if (first === undefined) return;
    const result = await first.result;
    weight -= first.weight;
    yield result;
  }
}

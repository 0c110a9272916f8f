// What stands at a name of the workspace: a file that may be read, or why it may not. Links are followed as long as they
// stay inside; only regular files are ever opened.
import { promises as fs } from "node:fs";
import { errorCode, openPlainFile } from "../../storage/files.ts";
import type { MemoryFile, Root, UnreadFile } from "../workspace.ts";
import { MOST_BYTES, readMemoryFile, tooLarge } from "./read-memory-file.ts";
import { isAbsence, isWithin } from "./root.ts";

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
  const found = await look(root, file);
  if (found === undefined || "code" in found) return found;
  const { real, stats, isLink } = found;
  if (stats.isFile()) return placeFrom(file, real, stats, isLink);
  return unreadable(file, stats.isDirectory() ? "It is a folder." : "It is no regular file.");
}

/** A folder of the workspace, or why it may not be looked into; undefined where there is none. */
export async function locateFolder(root: Root, file: string): Promise<{ real: string } | UnreadFile | undefined> {
  const found = await look(root, file);
  if (found === undefined || "code" in found) return found;
  return found.stats.isDirectory() ? { real: found.real } : unreadable(file, "It is no folder.");
}

async function look(root: Root, file: string) {
  let isLink = false;
  try {
    isLink = (await fs.lstat(root.absolute(file))).isSymbolicLink();
    const real = await fs.realpath(root.absolute(file));
    return refuseReal(root, file, real) ?? { real, isLink, stats: await fs.stat(real, { bigint: true }) };
  } catch (cause) {
    if (!isAbsence(cause)) return unreadable(file, reasonOf(cause));
    return isLink ? unreadable(file, "It is a link to nothing.") : undefined;
  }
}

interface FileStats {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
}

function placeFrom(file: string, real: string, stats: FileStats, isLink: boolean): Place | UnreadFile {
  if (stats.size > MOST_BYTES) return tooLarge(file);
  return { file, real, identity: identityOf(stats, real), size: Number(stats.size), isLink };
}

/** Network drives may number no files. */
function identityOf({ dev, ino }: FileStats, real: string): string {
  return ino === 0n ? real : `${dev}:${ino}`;
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

function refuseReal(root: Root, file: string, real: string): UnreadFile | undefined {
  if (!isWithin(root.real, real)) return outside(file);
  return isWithin(root.archive, real) ? unreadable(file, "It is in the archive, which is never read.") : undefined;
}

/** Which name each file has, by its identity: links and hard links give it several, the first that claims it counts. */
export type Claims = Map<string, string>;

/** The place itself, or why it is not read; undefined where this very name was claimed before. */
export function claim<Found extends Place>(claims: Claims, place: Found | UnreadFile): Found | UnreadFile | undefined {
  if ("code" in place) return place;
  const { file, identity } = place;
  const owner = claims.get(identity);
  if (owner === file) return undefined;
  if (owner !== undefined) return { file, code: "SAME_FILE", message: `It is the same file as ${owner}.` };
  claims.set(identity, file);
  return place;
}

const REMOVED = "It was removed meanwhile.";

/** While it is the same file that was located, nobody looks where its name leads now. @throws nothing. */
export async function readPlace(root: Root, place: Place): Promise<MemoryFile | UnreadFile> {
  const same = await bytesOf(place, place.identity).catch(() => undefined);
  return same === undefined ? readNamed(root, place.file) : readMemoryFile(place.file, same);
}

/** What stands there now. @throws nothing. */
export async function readNamed(root: Root, file: string): Promise<MemoryFile | UnreadFile> {
  const now = (await locate(root, file)) ?? unreadable(file, REMOVED);
  if ("code" in now) return now;
  try {
    const bytes = await bytesOf(now);
    return bytes === undefined ? tooLarge(file) : readMemoryFile(file, bytes);
  } catch (cause) {
    return unreadable(file, isAbsence(cause) ? REMOVED : reasonOf(cause));
  }
}

/** Undefined where it is too large, or another file than the one meant. @throws the system's error. */
async function bytesOf({ real }: Place, identity?: string): Promise<Uint8Array | undefined> {
  const handle = await openPlainFile(real, "read");
  try {
    const stats = await handle.stat({ bigint: true });
    if (stats.size > MOST_BYTES || (identity !== undefined && identityOf(stats, real) !== identity)) return undefined;
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

interface Ahead<Item> {
  /** Begun at once. */
  readonly width: number;
  /** Of those begun together, whatever their number; one is always begun. */
  readonly most?: number;
  readonly weigh?: (item: Item) => number;
}

/**
 * Results in the order of the items; some are begun before they are asked for, so that nobody waits for the disk one file after
 * the other. `begin` must not reject: its results may never be asked for.
 */
export async function* prefetch<Item, Result>(
  items: readonly Item[],
  begin: (item: Item) => Promise<Result>,
  { width, most = Number.POSITIVE_INFINITY, weigh = () => 0 }: Ahead<Item>,
): AsyncGenerator<Result> {
  const begun: Promise<Result>[] = [];
  let weight = 0;
  for (let first = 0; first < items.length; first += 1) {
    for (let next = first + begun.length; next < items.length && begun.length < width; next += 1) {
      const own = weigh(items[next] as Item);
      if (begun.length > 0 && weight + own > most) break;
      begun.push(begin(items[next] as Item));
      weight += own;
    }
    yield (await begun.shift()) as Result;
    weight -= weigh(items[first] as Item);
  }
}

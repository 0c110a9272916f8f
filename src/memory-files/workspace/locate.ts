// What stands at a name of the workspace: a file that may be read, or why it may not. Links are followed as long as they
// stay inside; only regular files are ever opened.
import { errorCode } from "../../storage/file-failure.ts";
import type { UnreadFile } from "../memory-file.ts";
import { isWithin, type Root } from "./open-root.ts";
import { MOST_BYTES, tooLarge } from "./read-memory-file.ts";

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
export function identityOf({ dev, ino }: Pick<FileStats, "dev" | "ino">): string | undefined {
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

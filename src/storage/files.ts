// Replaces a file as a whole: readers see the old or the new content, never a part. Links are followed to the real
// file, its mode is kept. A hard link is parted from its twins: replacing by rename cannot keep both. Also reads plain files,
// and says what went wrong with a file (`errorCode`, `fileFailure`).
import type { FileHandle } from "node:fs/promises";
import { CompactError, type CompactErrorKind } from "../errors.ts";

/** What a virus scanner or an open handle on Windows causes for a moment. */
const PASSING = new Set(["EPERM", "EBUSY", "EACCES"]);
const PAUSES = [10, 40, 160, 640];
const MOST_LINKS = 40;

interface WriteFileAtomicOptions {
  /** For a file that does not exist yet. Defaults to 0600: only the owner reads it. */
  readonly mode?: number;
  /** Asked right before each attempt to replace the file. What it throws is thrown on, and nothing was replaced. */
  readonly confirm?: () => void | Promise<void>;
}

/** Throws the system's error, with the old file intact and no temporary file left. */
export async function writeFileAtomic(
  path: string,
  content: FileContent,
  options: WriteFileAtomicOptions = {},
): Promise<void> {
  const { rm, stat } = await import("node:fs/promises");
  const { dirname } = await import("node:path");
  const target = await realTarget(path);
  const existing = await stat(target).catch((error: unknown) => {
    if (errorCode(error) !== "ENOENT") throw error;
  });
  const mode = existing === undefined ? (options.mode ?? 0o600) : existing.mode & 0o7777;
  const temporary = await writeTemporary(dirname(target), content, mode);
  try {
    await renameWithRetry(temporary, target, options.confirm ?? (() => undefined));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(target));
}

/** Where the links end, also when nothing stands there yet. */
async function realTarget(path: string): Promise<string> {
  const { readlink } = await import("node:fs/promises");
  const { dirname, resolve } = await import("node:path");
  let target = resolve(path);
  for (let links = 0; links < MOST_LINKS; links++) {
    const next = await readlink(target).catch(notALink);
    if (next === undefined) return target;
    target = resolve(dirname(target), next);
  }
  throw Object.assign(new Error("too many links"), { code: "ELOOP" });
}

function notALink(error: unknown): undefined {
  const code = errorCode(error);
  // Node on Windows says UNKNOWN for a plain file on some drives.
  if (code === "EINVAL" || code === "ENOENT" || code === "UNKNOWN") return undefined;
  throw error;
}

async function renameWithRetry(from: string, to: string, confirm: () => void | Promise<void>): Promise<void> {
  const { rename } = await import("node:fs/promises");
  for (const pause of PAUSES) {
    await confirm();
    try {
      return await rename(from, to);
    } catch (error) {
      if (!PASSING.has(errorCode(error) ?? "")) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  await confirm();
  await rename(from, to);
}

// Creates a file that must not exist yet, whole or not at all: of two writers one wins, and a crash leaves no half file
// under the real name.

/** Said by file systems that have no hard links. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "UNKNOWN"]);

/** Throws the system's error; its code is `EEXIST` when the name is taken, by a link too. Default mode: 0600. */
export async function writeFileExclusive(
  path: string,
  content: FileContent,
  { mode = 0o600 }: { readonly mode?: number } = {},
): Promise<void> {
  const { constants, copyFile, link, rm } = await import("node:fs/promises");
  const { dirname } = await import("node:path");
  const temporary = await writeTemporary(dirname(path), content, mode);
  try {
    // A hard link fails when the name is taken, where a rename would replace it.
    await link(temporary, path).catch(async (error: unknown) => {
      if (!NO_LINKS.has(errorCode(error) ?? "")) throw error;
      await copyFile(temporary, path, constants.COPYFILE_EXCL);
    });
  } finally {
    await rm(temporary, { force: true });
  }
  await syncFolder(dirname(path));
}

// Writes a whole file under a temporary name beside its target and syncs it, so that giving it its real name is the
// only visible step. Naming it, exclusively or by replacing, is left to the two callers.

type Piece = string | Uint8Array;

/** A text, bytes, or pieces of either that together may be longer than one string can be. */
export type FileContent = Piece | Iterable<Piece> | AsyncIterable<Piece>;

const CHUNK = 1 << 20;

const TEMPORARY_PREFIX = ".agent-compact-";
const TEMPORARY_END = ".tmp";

/** Whether a file of this name is one of ours that was never finished. */
export function isTemporary(name: string): boolean {
  const id = name.slice(TEMPORARY_PREFIX.length, -TEMPORARY_END.length);
  return name.startsWith(TEMPORARY_PREFIX) && name.endsWith(TEMPORARY_END) && /^[0-9a-f-]{36}$/.test(id);
}

/** What is older was left by a process that was killed: no file takes that long to write. */
const LEFT_AFTER_MS = 3_600_000;
/** Folders that this process has looked through. */
const swept = new Set<string>();
const MOST_SWEPT = 10_000;

/** Removes what killed processes left in a folder, at the first write there. Never rejects. */
async function sweepTemporaries(folder: string): Promise<void> {
  if (swept.has(folder) || swept.size >= MOST_SWEPT) return;
  swept.add(folder);
  const { lstat, readdir, rm } = await import("node:fs/promises");
  const { join } = await import("node:path");
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.filter(isTemporary)) {
    const path = join(folder, name);
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile() !== true || Date.now() - found.mtimeMs < LEFT_AFTER_MS) continue;
    await rm(path, { force: true }).catch(() => undefined);
  }
}

/** Returns the temporary path. Removes it again when writing fails. */
export async function writeTemporary(folder: string, content: FileContent, mode: number): Promise<string> {
  const { open, rm } = await import("node:fs/promises");
  const { join } = await import("node:path");
  await sweepTemporaries(folder);
  // Not made from the target's name: that one may already be as long as a name can be.
  const temporary = join(folder, `${TEMPORARY_PREFIX}${crypto.randomUUID()}${TEMPORARY_END}`);
  const file = await open(temporary, "wx", mode);
  try {
    for await (const chunk of chunks(content)) await file.appendFile(chunk);
    // The umask may have taken bits that the target had.
    await file.chmod(mode).catch(ignoreUnsupported);
    await file.sync();
    await file.close();
    return temporary;
  } catch (error) {
    await file.close().catch(ignoreUnsupported);
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Makes a rename or a link in the folder last through a power cut, where the system can. */
async function syncFolder(folder: string): Promise<void> {
  const { open } = await import("node:fs/promises");
  try {
    const handle = await open(folder, "r");
    await handle.sync().finally(() => handle.close());
  } catch {
    // Windows and some network drives cannot sync a folder; the file itself is synced already.
  }
}

/** Short texts are joined; bytes come in pieces of a sensible size already. */
async function* chunks(content: FileContent): AsyncGenerator<Piece> {
  if (typeof content === "string" || content instanceof Uint8Array) {
    yield content;
    return;
  }
  let pending: string[] = [];
  let size = 0;
  for await (const piece of content) {
    if (typeof piece !== "string") {
      if (size > 0) yield pending.splice(0).join("");
      size = 0;
      yield piece;
      continue;
    }
    pending.push(piece);
    size += piece.length;
    if (size < CHUNK) continue;
    yield pending.join("");
    pending = [];
    size = 0;
  }
  if (size > 0) yield pending.join("");
}

function ignoreUnsupported(): void {
  // File systems without modes refuse chmod; a second close of a broken file tells nothing new.
}

// Opens what must be a plain file in a folder that somebody else may have filled: no link, which could lead anywhere, and
// no pipe, which would keep the caller waiting for ever.

/** Throws the system's error, or one with code `NOT_A_FILE`. `append` makes the file, for its owner only. */
export async function openPlainFile(path: string, how: "read" | "append"): Promise<FileHandle> {
  const { constants, lstat, open } = await import("node:fs/promises");
  // The flags below do the same without a gap between look and act; some systems do not have them.
  const found = await lstat(path).catch(() => undefined);
  if (found?.isFile() === false) throw notAFile();
  const flags = how === "read" ? constants.O_RDONLY : constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;
  const file = await open(path, flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0), 0o600);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw notAFile();
}

/** As `openPlainFile`; also throws `NOT_A_FILE` for more than `mostBytes`. */
export async function readPlainFile(path: string, mostBytes = Number.MAX_SAFE_INTEGER): Promise<Uint8Array> {
  const file = await openPlainFile(path, "read");
  try {
    if ((await file.stat()).size > mostBytes) throw notAFile();
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** As `readPlainFile`, at once, for many small files in a row; undefined when there is none. Throws the system's error. */
export async function plainFileReader(): Promise<(path: string) => Uint8Array | undefined> {
  const { closeSync, constants, fstatSync, openSync, readFileSync } = await import("node:fs");
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  return (path) => {
    let file: number | undefined;
    try {
      file = openSync(path, flags);
      if (!fstatSync(file).isFile()) throw notAFile();
      return readFileSync(file);
    } catch (error) {
      if (errorCode(error) === "ENOENT") return undefined;
      throw error;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  };
}

/**
 * Whether the way to `place`, so far as it is there, leaves the folder `root` by a link; a link to nothing counts, as nobody
 * knows what it will lead to. @throws the system's error.
 */
export async function leadsOut(root: string, place: string): Promise<boolean> {
  const [{ lstat, realpath }, path] = await Promise.all([import("node:fs/promises"), import("node:path")]);
  const isThere = (at: string) =>
    lstat(at).then(
      () => true,
      (error) => {
        if (["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) return false;
        throw error;
      },
    );
  let at = place;
  while (at !== root && !(await isThere(at))) at = path.dirname(at);
  const real = await realpath(at).catch(() => undefined);
  if (real === undefined) return true;
  const way = path.relative(await realpath(root), real);
  return way === ".." || way.startsWith(`..${path.sep}`) || path.isAbsolute(way);
}

/** False where its last line was torn: what follows would join it. */
export async function endsWithLineBreak(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  const last = new Uint8Array(1);
  if (size > 0) await file.read(last, 0, 1, size - 1);
  return size === 0 || last[0] === 0x0a;
}

function notAFile(): Error {
  return Object.assign(new Error("a link, a pipe or something else stands where a file is due"), {
    code: "NOT_A_FILE",
  });
}

// Says in words what went wrong with a file and what to do about it. The kind is the caller's: an archive, a store.

const HINTS: Readonly<Record<string, string>> = {
  EACCES: "Give this user write permission there, or choose another folder.",
  EPERM: "Give this user write permission there, or choose another folder.",
  EROFS: "The file system is read-only: choose another folder.",
  ENOSPC: "The disk is full: free some space, or choose a folder on another disk.",
  EDQUOT: "The disk quota is used up: free some space, or choose a folder on another disk.",
  EFBIG:
    "A file there would be larger than this process or its file system may have one: raise the limit, or start a new one.",
  ENOTDIR: "A file stands where a folder is due: move it away, or choose another folder.",
  EEXIST: "A file stands where a folder is due: move it away, or choose another folder.",
  EISDIR: "A folder stands where a file is due: move it away, or choose another folder.",
  ENAMETOOLONG: "The path is too long: choose a folder nearer to the root.",
  EMFILE: "Too many files are open in this process: raise its limit, or close some.",
  ENOENT: "The folder was removed meanwhile, or is a link to nothing: check the path.",
  ELOOP: "Links point at each other: check the path.",
  NOT_A_FILE: "A link, a pipe or something else stands where a file is due: move it away.",
  OUTSIDE_ROOT: "The session's folder is a link that leaves the root: replace it by a real folder.",
};

/** `what` reads after "could not": "save the transcript". An error of ours passes through unchanged. */
export function fileFailure(kind: CompactErrorKind, what: string, path: string, cause: unknown): CompactError {
  if (CompactError.isInstance(cause)) return cause;
  const code = errorCode(cause);
  const reason = code === undefined ? "" : ` (${code})`;
  return new CompactError(kind, `could not ${what}: ${path}${reason}`, {
    hint: HINTS[code ?? ""] ?? "Check that the path can be read and written.",
    data: code === undefined ? { path } : { path, reason: code },
    cause,
  });
}

/** Node's error code (`ENOENT`), if it has one. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const code = (error as { code?: unknown }).code;
  return typeof code === "string" ? code : undefined;
}

/** What stands at a path, links followed. */
export async function kindAt(path: string): Promise<"folder" | "file" | "nothing"> {
  const { stat } = await import("node:fs/promises");
  return stat(path).then(
    (found) => (found.isDirectory() ? "folder" : "file"),
    () => "nothing",
  );
}

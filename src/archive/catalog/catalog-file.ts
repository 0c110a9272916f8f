// The catalog's file: appended to by several processes at once, replaced as a whole by one. Never through a link, and
// never at the cost of what it is about: the archive's files are the truth, so a catalog that fails is only slow.
import type { FileHandle } from "node:fs/promises";
import { writeTemporary } from "../../storage/write-temporary.ts";

/** Which state of the file a text is of. */
export interface CatalogVersion {
  readonly inode: number;
  readonly bytes: number;
}

export interface CatalogText extends CatalogVersion {
  readonly text: string;
}

/** More is not a catalog: a million files take less. */
const MOST_BYTES = 400_000_000;
const NOTHING: CatalogText = { inode: 0, bytes: 0, text: "" };

/** Empty when there is none, or none that can be read. Given what was read before, undefined when that still stands. */
export async function readCatalog(path: string, before?: CatalogVersion): Promise<CatalogText | undefined> {
  const file = await openPlain(path, "read").catch(() => undefined);
  if (file === undefined) return before?.inode === 0 ? undefined : NOTHING;
  try {
    const { ino: inode, size } = await file.stat();
    if (before?.inode === inode && before.bytes === size) return undefined;
    if (size > MOST_BYTES) return { inode, bytes: size, text: "too long\n" };
    const bytes = await file.readFile();
    return { inode, bytes: bytes.length, text: bytes.toString("utf8") };
  } finally {
    await file.close();
  }
}

/** One write, at the end, on a line of its own. With `after` only while the file is still as it was then. */
export async function appendToCatalog(path: string, lines: string, after?: CatalogVersion): Promise<void> {
  // Once more when the file was replaced meanwhile; who replaces it looks for what came in between.
  for (let attempt = 0; attempt < 3; attempt++) {
    const file = await openPlain(path, "append");
    try {
      const { ino, size } = await file.stat();
      if (after !== undefined && (after.inode !== ino || after.bytes !== size)) return;
      const start = (await endsWithLine(file, size)) ? "" : "\n";
      await file.write(Buffer.from(start + lines));
      const { stat } = await import("node:fs/promises");
      if ((await stat(path)).ino === ino) return;
    } finally {
      await file.close();
    }
  }
}

/** Gives up when another replaced it, or when it is no file. What others appended meanwhile is kept. */
export async function replaceCatalog(path: string, lines: string, read: CatalogVersion): Promise<void> {
  const { rename, rm } = await import("node:fs/promises");
  const { dirname } = await import("node:path");
  if (!(await isStill(path, read))) return;
  const old = await openPlain(path, "read").catch(() => undefined);
  let temporary: string | undefined;
  try {
    temporary = await writeTemporary(dirname(path), lines, 0o600);
    if (!(await isStill(path, read))) return;
    await rename(temporary, path);
    const later = await old?.readFile();
    if (later !== undefined && later.length > read.bytes) {
      await appendToCatalog(path, later.subarray(read.bytes).toString("utf8"));
    }
  } finally {
    await old?.close();
    if (temporary !== undefined) await rm(temporary, { force: true });
  }
}

async function isStill(path: string, { inode }: CatalogVersion): Promise<boolean> {
  const { lstat } = await import("node:fs/promises");
  const found = await lstat(path).catch(() => undefined);
  return found === undefined ? inode === 0 : found.isFile() && found.ino === inode;
}

/** Neither a link nor what would make the caller wait, as a pipe would. Throws otherwise. */
async function openPlain(path: string, how: "read" | "append"): Promise<FileHandle> {
  const { constants, lstat, open } = await import("node:fs/promises");
  const found = await lstat(path).catch(() => undefined);
  if (found?.isFile() === false) throw new Error("the catalog is not a file");
  // Some systems have no such flags.
  const careful = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const flags = how === "read" ? constants.O_RDONLY : constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;
  const file = await open(path, flags | careful, 0o600);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Error("the catalog is not a file");
}

async function endsWithLine(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, size - 1);
  return last[0] === 0x0a;
}

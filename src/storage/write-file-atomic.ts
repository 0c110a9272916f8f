// Replaces a file as a whole: readers see the old or the new content, never a part. Links are followed to the real
// file, its mode is kept. A hard link is parted from its twins: replacing by rename cannot keep both.
import { errorCode } from "./file-failure.ts";
import { type FileContent, syncFolder, writeTemporary } from "./write-temporary.ts";

/** What a virus scanner or an open handle on Windows causes for a moment. */
const PASSING = new Set(["EPERM", "EBUSY", "EACCES"]);
const PAUSES = [10, 40, 160, 640];
const MOST_LINKS = 40;

export interface WriteFileAtomicOptions {
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
  const { rm } = await import("node:fs/promises");
  const { dirname } = await import("node:path");
  const target = await realTarget(path);
  const mode = (await existingMode(target)) ?? options.mode ?? 0o600;
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

async function existingMode(target: string): Promise<number | undefined> {
  const { stat } = await import("node:fs/promises");
  try {
    return (await stat(target)).mode & 0o7777;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
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

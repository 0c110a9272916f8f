// Creates a file that must not exist yet, whole or not at all: of two writers one wins, and a crash leaves no half file
// under the real name.
import { errorCode } from "./file-failure.ts";
import { type FileContent, syncFolder, writeTemporary } from "./write-temporary.ts";

/** Said by file systems that have no hard links. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "UNKNOWN"]);

export interface WriteFileExclusiveOptions {
  /** Defaults to 0600: only the owner reads it. */
  readonly mode?: number;
}

/** Throws the system's error; its code is `EEXIST` when the name is taken, by a link too. */
export async function writeFileExclusive(
  path: string,
  content: FileContent,
  options: WriteFileExclusiveOptions = {},
): Promise<void> {
  const { rm } = await import("node:fs/promises");
  const { dirname } = await import("node:path");
  const folder = dirname(path);
  const temporary = await writeTemporary(folder, content, options.mode ?? 0o600);
  try {
    await nameExclusively(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
  await syncFolder(folder);
}

/** A hard link fails when the name is taken, where a rename would replace it. */
async function nameExclusively(temporary: string, path: string): Promise<void> {
  const { constants, copyFile, link } = await import("node:fs/promises");
  try {
    await link(temporary, path);
  } catch (error) {
    if (!NO_LINKS.has(errorCode(error) ?? "")) throw error;
    await copyFile(temporary, path, constants.COPYFILE_EXCL);
  }
}

// Opens what must be a plain file in a folder that somebody else may have filled: no link, which could lead anywhere, and
// no pipe, which would keep the caller waiting for ever.
import type { FileHandle } from "node:fs/promises";

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

function notAFile(): Error {
  return Object.assign(new Error("a link, a pipe or something else stands where a file is due"), {
    code: "NOT_A_FILE",
  });
}

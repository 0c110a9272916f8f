// The archive on a file system: one folder per session with the spec's file names.
import type { Clock } from "../time.ts";
import type { Archive } from "./archive.ts";
import type { FileArchiveOptions } from "./file-archive.ts";
import { lateArchive } from "./late-archive.ts";

export interface FsArchiveOptions extends FileArchiveOptions {
  /** The folder that holds all sessions; made when first written to. */
  readonly path: string;
  readonly now?: Clock;
}

/**
 * Archives to `{path}/{session folder}/`. Files are readable by their owner only. Every method throws `ArchiveFailed`
 * with the path and what to do, `Conflict` when a step is taken, `InvalidInput` for an empty session id.
 */
export function createFsArchive({ path, now = Date.now, ...options }: FsArchiveOptions): Archive {
  return lateArchive("fs", async () => {
    const [{ createStoredArchive }, { createFsFiles }] = await Promise.all([
      import("./stored/stored-archive.ts"),
      import("./files/fs-files.ts"),
    ]);
    return createStoredArchive(createFsFiles(path, now), options);
  });
}

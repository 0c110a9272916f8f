// The archive over files of your own: anything that keeps bytes by session and name, see archive-files.ts.
import type { Archive } from "./archive.ts";
import type { ArchiveFiles } from "./archive-files.ts";
import { lateArchive } from "./late-archive.ts";
import type { Compression } from "./packing/packing.ts";

export interface FileArchiveOptions {
  /** How transcripts are packed from now on; those that are there are read however they are. Default `none`. */
  readonly compression?: Compression;
}

/** Throws what the files throw; `MissingDependency` where the runtime cannot pack or unpack. */
export function createFileArchive(files: ArchiveFiles, options: FileArchiveOptions = {}): Archive {
  return lateArchive(files.adapter, async () => {
    const { createStoredArchive } = await import("./stored/stored-archive.ts");
    return createStoredArchive(files, options);
  });
}

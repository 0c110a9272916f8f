// The archive in memory, for browsers, workers and tests: same contract, gone with the process.
import type { Archive } from "./archive.ts";
import { createFileArchive } from "./file-archive.ts";
import { createMemoryFiles } from "./files/in-memory-files.ts";

/** Throws what the file archive throws, but for the failures of a disk. */
export function createMemoryArchive(): Archive {
  return createFileArchive(createMemoryFiles(Date.now));
}

// The archive in memory, for browsers, workers and tests: same contract, gone with the process.
import type { Archive } from "./archive.ts";
import { lateArchive } from "./late-archive.ts";

/** Throws what the file archive throws, but for the failures of a disk. */
export function createMemoryArchive(): Archive {
  return lateArchive("memory", async () => {
    const [{ createStoredArchive }, { createMemoryFiles }] = await Promise.all([
      import("./stored/stored-archive.ts"),
      import("./files/in-memory-files.ts"),
    ]);
    return createStoredArchive(createMemoryFiles(Date.now));
  });
}

// Compares a step's files with the hashes that were recorded when they were written.
import type { ChangedFile } from "../archive.ts";
import type { ArchiveFiles } from "../archive-files.ts";
import { summaryFile, transcriptFiles } from "../step-files.ts";

/** Files without a recorded hash, or that are gone, are no changed ones. */
export async function changedFiles(
  files: ArchiveFiles,
  sessionId: string,
  step: number,
  compared?: () => void,
): Promise<readonly ChangedFile[]> {
  const changed: ChangedFile[] = [];
  for (const name of [...transcriptFiles(step), summaryFile(step)]) {
    const recorded = (await files.find(sessionId, name))?.sha256;
    if (recorded === undefined) continue;
    const bytes = await files.read(sessionId, name);
    if (bytes === undefined) continue;
    compared?.();
    if ((await hashOf(bytes)) === recorded) continue;
    const what = name === summaryFile(step) ? "summary" : "transcript";
    changed.push({ what, location: files.locate(sessionId, name) });
  }
  return changed;
}

async function hashOf(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

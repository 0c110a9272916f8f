// One transcript, whichever way it is packed: a step has one, although each way gives the file another name.
import type { ArchiveFiles, StoredContent } from "../archive-files.ts";
import { COMPRESSIONS, type Compression } from "../packing/packing.ts";
import { stepTaken, transcriptFile, transcriptFiles } from "../step-files.ts";

/**
 * Returns where it is. Throws `Conflict` also when another process, set up otherwise, took the step under another name:
 * each looks after it has written, so two never both stay.
 */
export async function createTranscript(
  files: ArchiveFiles,
  sessionId: string,
  { step, compression }: { readonly step: number; readonly compression: Compression },
  content: StoredContent,
): Promise<string> {
  const own = transcriptFile(step, compression);
  const location = await files.create(sessionId, own, content, "transcript");
  const others = transcriptFiles(step).filter((name) => name !== own);
  const taken = (await files.list(sessionId)).find(({ name }) => others.includes(name));
  if (taken === undefined) return location;
  await files.remove(sessionId, own);
  throw stepTaken("transcript", files.locate(sessionId, taken.name));
}

/** `first`: how it is most likely packed. Undefined when the step has none. */
export async function readTranscriptFile(
  files: ArchiveFiles,
  sessionId: string,
  step: number,
  first: Compression,
): Promise<{ readonly bytes: Uint8Array; readonly location: string } | undefined> {
  for (const compression of [first, ...COMPRESSIONS.filter((other) => other !== first)]) {
    const name = transcriptFile(step, compression);
    const bytes = await files.read(sessionId, name);
    if (bytes !== undefined) return { bytes, location: files.locate(sessionId, name) };
  }
  return undefined;
}

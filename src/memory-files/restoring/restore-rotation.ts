// A rotated note comes back whole. What was written below its preview since is written below the note.
import { join } from "../applying/splice.ts";
import { markOf, writeNew } from "../journal/archive-files.ts";
import { type FileNow, readNow } from "../journal/file-bytes.ts";
import type { JournalRotation } from "../journal/journal.ts";
import { readMemoryFile } from "../workspace/read-memory-file.ts";
import { refuseOtherEncoding } from "./restore-edit.ts";
import {
  archivedBytes,
  noteChange,
  type RestoreOutcome,
  type RestoringRun,
  refuseRestore,
  writeRestored,
} from "./restoring-run.ts";

export async function restoreRotation(
  restoring: RestoringRun,
  run: number,
  change: JournalRotation,
): Promise<RestoreOutcome> {
  const { root } = restoring;
  const now = await readNow(root, change.file);
  if (change.state === "restored" && now?.sha256 !== change.after.sha256) return { how: "already" };
  if (now?.sha256 === change.before.sha256) {
    await noteChange(restoring, run, { ...change, state: "restored" });
    return { how: "already" };
  }
  const original = await archivedBytes(root, change.archive);
  if (now === undefined) {
    // The preview was removed: nothing stands in the way of the note.
    await writeNew(root, { file: change.file, ...original });
    await noteChange(restoring, run, { ...change, state: "restored" });
    return { how: "exact" };
  }
  const written = writtenBelow(now, change);
  const content = written.length === 0 ? original.content : below(original.content, written, change);
  await writeRestored(restoring, run, change, { now, content });
  return { how: written.length === 0 ? "exact" : "merged" };
}

function writtenBelow({ content }: FileNow, { after, archive, file }: JournalRotation): Uint8Array {
  if (markOf(content.subarray(0, after.bytes)).sha256 === after.sha256) return content.subarray(after.bytes);
  throw refuseRestore(
    "CHANGED_SINCE",
    `${file} is not the preview any more that the rotation left; the whole note is in ${archive.file}.`,
  );
}

function below(original: Uint8Array, written: Uint8Array, change: JournalRotation): Uint8Array {
  // What cannot be read by itself is in the same encoding as anything.
  const read = readMemoryFile(change.file, written);
  if (!("code" in read)) refuseOtherEncoding(read, original, change);
  const last = original.at(-1);
  const isEnded = last === undefined || last === 0x0a || last === 0x0d;
  const { lineEnd } = lineEndOf(original, change.file);
  return join([original, isEnded ? new Uint8Array() : new TextEncoder().encode(lineEnd), written]);
}

function lineEndOf(original: Uint8Array, file: string): { readonly lineEnd: string } {
  const read = readMemoryFile(file, original);
  return "code" in read ? { lineEnd: "\n" } : read;
}

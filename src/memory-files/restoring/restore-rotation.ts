// A rotated note comes back whole. What was written below its preview since is written below the note.
import { join } from "../applying/splice.ts";
import { markOf, writeNew } from "../journal/archive-files.ts";
import { type FileNow, readNow } from "../journal/file-bytes.ts";
import type { JournalRotation } from "../journal/journal.ts";
import { readMemoryFile } from "../workspace/read-memory-file.ts";
import { refuseOtherEncoding } from "./restore-edit.ts";
import {
  alreadyBack,
  archivedBytes,
  type PreparedRestore,
  type RestoringRun,
  refuseRestore,
  replacing,
} from "./restoring-run.ts";

export async function restoreRotation(restoring: RestoringRun, change: JournalRotation): Promise<PreparedRestore> {
  const { root } = restoring;
  const now = await readNow(root, change.file);
  if (change.state === "restored" && now?.sha256 !== change.after.sha256) return alreadyBack();
  if (now?.sha256 === change.before.sha256) return alreadyBack({ ...change, state: "restored" });
  const original = await archivedBytes(root, change.archive);
  if (now === undefined) return writing(restoring, change, original);
  const written = writtenBelow(now, change);
  const content = written.length === 0 ? original.content : below(original.content, written, change);
  return replacing(restoring, change, { now, content, outcome: { how: written.length === 0 ? "exact" : "merged" } });
}

/** The preview was removed: nothing stands in the way of the note. */
function writing(
  { root, lock }: RestoringRun,
  change: JournalRotation,
  original: { readonly content: Uint8Array; readonly mode: number },
): PreparedRestore {
  return {
    done: { ...change, state: "restored" },
    bytes: original.content.length,
    async write() {
      lock.check();
      await writeNew(root, { file: change.file, ...original });
      return { how: "exact" };
    },
  };
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

// Lines that left a file come back: exactly where it is as the change left it, else where their surroundings stand.
import { putBack } from "../applying/splice.ts";
import { markOf } from "../journal/archive-files.ts";
import { type FileNow, readNow } from "../journal/file-bytes.ts";
import type { JournalEdit } from "../journal/journal.ts";
import type { MemoryFile } from "../memory-file.ts";
import { readMemoryFile } from "../workspace/read-memory-file.ts";
import { type Merged, mergeBack } from "./merge-back.ts";
import {
  alreadyBack,
  archivedBytes,
  type PreparedRestore,
  type RestoringRun,
  refuseRestore,
  replacing,
} from "./restoring-run.ts";

export async function restoreEdit(restoring: RestoringRun, change: JournalEdit): Promise<PreparedRestore> {
  const { file, before, after, archive } = change;
  const now = await readNow(restoring.root, file);
  if (change.state === "restored" && now?.sha256 !== after.sha256) return alreadyBack();
  if (now === undefined) throw refuseRestore("CHANGED_SINCE", `${file} is gone; what left it is in ${archive.file}.`);
  if (now.sha256 === before.sha256) return alreadyBack({ ...change, state: "restored" });
  const { content: removed } = await archivedBytes(restoring.root, archive);
  const exact = now.sha256 === after.sha256 ? exactly(now, removed, change) : undefined;
  if (exact !== undefined) {
    return replacing(restoring, fresh(change), { now, content: exact, outcome: { how: "exact" } });
  }
  const read = readable(now, change);
  refuseOtherEncoding(read, removed, change);
  return replacingMerged(restoring, change, { now, merged: mergeBack(read, change, removed) });
}

/** Undefined where the journal does not fit its own archive. */
function exactly({ content }: FileNow, removed: Uint8Array, { ranges, before }: JournalEdit): Uint8Array | undefined {
  const cuts = ranges.map(({ byte_from, byte_to, inserted }) => ({ byte_from, byte_to, insert: inserted }));
  const whole = putBack(content, removed, cuts);
  return whole !== undefined && markOf(whole).sha256 === before.sha256 ? whole : undefined;
}

/** The file is as the change left it once more, whatever came back before. */
function fresh(change: JournalEdit): JournalEdit {
  return { ...change, ranges: change.ranges.map(({ restored: _, ...range }) => range) };
}

function replacingMerged(
  restoring: RestoringRun,
  change: JournalEdit,
  { now, merged }: { readonly now: FileNow; readonly merged: Merged },
): PreparedRestore {
  const due = change.ranges.filter(({ restored }) => !restored).length;
  const missing = due - merged.back.length;
  const left =
    missing === 0
      ? undefined
      : `${change.file} was changed since: the place of ${missing} of ${due} parts is gone; ${change.archive.file} keeps them.`;
  if (merged.back.length === 0) throw refuseRestore("CHANGED_SINCE", left ?? "");
  const isThere = markOf(merged.content).sha256 === now.sha256;
  const how = isThere ? "already" : merged.atEnd > 0 ? "at_end" : "merged";
  const outcome = { how, ...(left === undefined ? {} : { left }) } as const;
  return replacing(restoring, change, { now, content: merged.content, back: merged.back, outcome });
}

function readable({ content }: FileNow, { file, archive }: JournalEdit): MemoryFile {
  const read = readMemoryFile(file, content);
  if (!("code" in read)) return read;
  throw refuseRestore(
    "CHANGED_SINCE",
    `${file} is no text that can be read any more; ${archive.file} keeps what left it.`,
  );
}

/** Two encodings in one file could be read by nobody. */
export function refuseOtherEncoding(
  now: Pick<MemoryFile, "bytes" | "encoding">,
  back: Uint8Array,
  { file, archive, encoding }: Pick<JournalEdit, "file" | "archive" | "encoding">,
): void {
  if (now.encoding === encoding || isAscii(back) || isAscii(now.bytes)) return;
  throw refuseRestore("CHANGED_SINCE", `${file} has another encoding by now; ${archive.file} keeps what left it.`);
}

function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80);
}

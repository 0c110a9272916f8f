// The notes of a digest come back, each under its name and only where nothing else has it by now. The digest goes, unless it
// was edited.
import { errorCode } from "../../storage/file-failure.ts";
import { isThere, type NewFile, writeNew } from "../journal/archive-files.ts";
import { hashNow, readNow } from "../journal/file-bytes.ts";
import type { JournalDigest } from "../journal/journal.ts";
import { refuseWayOut } from "../journal/names.ts";
import { refuseReadOnly } from "../journal/read-only.ts";
import { alreadyBack, archivedBytes, type PreparedRestore, type RestoringRun, refuseRestore } from "./restoring-run.ts";

/** @throws Conflict (`CHANGED_SINCE`, `ARCHIVE_MISSING`, `READ_ONLY`). */
export async function restoreDigest(restoring: RestoringRun, change: JournalDigest): Promise<PreparedRestore> {
  const { root, lock } = restoring;
  const missing = await notesToWrite(restoring, change);
  const digest = await readNow(root, change.file).catch(() => undefined);
  const isOurs = digest?.sha256 === change.after.sha256;
  if (missing.length === 0 && !isOurs) {
    return alreadyBack(change.state === "restored" ? undefined : { ...change, state: "restored" });
  }
  if (change.state === "restored" && !isOurs) return alreadyBack();
  if (isOurs) refuseReadOnly(change.file, digest.mode);
  return {
    intended: { ...change, restoring: { from: digest?.sha256 ?? null, to: change.after.sha256 } },
    done: { ...change, restoring: undefined, state: "restored" },
    bytes: missing.reduce((sum, { content }) => sum + content.length, 0),
    async write() {
      lock.check();
      for (const note of missing) await writeNote(restoring, note);
      lock.check();
      return { how: (await removeDigest(restoring, change)) ? "exact" : "merged" };
    },
  };
}

/** All of them are looked at before the first is written. */
async function notesToWrite({ root }: RestoringRun, { notes }: JournalDigest): Promise<readonly NewFile[]> {
  const missing: NewFile[] = [];
  for (const { file, archive, sha256, bytes } of notes) {
    await refuseWayOut(root, file);
    if (await isThere(root, file)) {
      if ((await hashNow(root, file)) === sha256) continue;
      throw refuseRestore("CHANGED_SINCE", `${file} is there again with other text; ${archive} keeps the old note.`);
    }
    missing.push({ file, ...(await archivedBytes(root, { file: archive, sha256, bytes })) });
  }
  return missing;
}

async function writeNote({ root }: RestoringRun, note: NewFile): Promise<void> {
  try {
    await writeNew(root, note);
  } catch (cause) {
    if (errorCode(cause) !== "EEXIST") throw cause;
    throw refuseRestore("CHANGED_SINCE", `${note.file} was written by another program just now; try again.`);
  }
}

/** False where it was edited, and stays. */
async function removeDigest({ root }: RestoringRun, { file, after }: JournalDigest): Promise<boolean> {
  const now = await readNow(root, file).catch(() => undefined);
  if (now === undefined) return !(await isThere(root, file));
  if (now.sha256 !== after.sha256 || now.isLink) return false;
  await root.fs.promises.rm(root.absolute(file));
  return true;
}

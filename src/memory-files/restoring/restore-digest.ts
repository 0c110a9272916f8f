// The notes of a digest come back, each under its name and only where nothing else has it by now. The digest goes, unless it
// was edited.
import { errorCode } from "../../storage/file-failure.ts";
import { isThere, type NewFile, writeNew } from "../journal/archive-files.ts";
import { hashNow, readNow } from "../journal/file-bytes.ts";
import type { JournalDigest } from "../journal/journal.ts";
import { refuseWayOut } from "../journal/names.ts";
import { archivedBytes, noteChange, type RestoreOutcome, type RestoringRun, refuseRestore } from "./restoring-run.ts";

export async function restoreDigest(
  restoring: RestoringRun,
  run: number,
  change: JournalDigest,
): Promise<RestoreOutcome> {
  const { root, lock } = restoring;
  const missing = await notesToWrite(restoring, change);
  const digest = await hashNow(root, change.file);
  const isOurs = digest === change.after.sha256;
  if (missing.length === 0 && !isOurs) {
    if (change.state !== "restored") await noteChange(restoring, run, { ...change, state: "restored" });
    return { how: "already" };
  }
  if (change.state === "restored" && !isOurs) return { how: "already" };
  await noteChange(restoring, run, { ...change, restoring: { from: digest ?? null, to: change.after.sha256 } });
  lock.check();
  for (const note of missing) await writeNote(restoring, note);
  lock.check();
  const isKept = !(await removeDigest(restoring, change));
  await noteChange(restoring, run, { ...change, restoring: undefined, state: "restored" });
  return { how: isKept ? "merged" : "exact" };
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

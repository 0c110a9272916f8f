// A digest of a run that died. The digest itself is the point of no return: with it the rest is done, without it nothing is.
import type { SettledChange } from "../report.ts";
import type { Root } from "../workspace/open-root.ts";
import { isThere, readArchived } from "./archive-files.ts";
import { hashNow } from "./file-bytes.ts";
import type { JournalDigest } from "./journal.ts";

export async function settleDigest(root: Root, change: JournalDigest): Promise<SettledChange["state"]> {
  if ((await hashNow(root, change.file)) === change.after.sha256) return removeNotes(root, change);
  const areThere = await Promise.all(change.notes.map(({ file }) => isThere(root, file)));
  // Something of that name that is not the digest may be one that was edited: then its notes are still wanted.
  return areThere.every(Boolean) && !(await isThere(root, change.file)) ? "undone" : "unclear";
}

/** Only notes that are as they were digested, and whose copy is whole. */
async function removeNotes(root: Root, { notes }: JournalDigest): Promise<SettledChange["state"]> {
  let areGone = true;
  for (const { file, archive, sha256, bytes } of notes) {
    if (!(await isThere(root, file))) continue;
    const isCopied = (await readArchived(root, { file: archive, sha256, bytes })) !== undefined;
    if (isCopied && (await hashNow(root, file)) === sha256) await root.fs.promises.rm(root.absolute(file));
    else areGone = false;
  }
  return areGone ? "done" : "unclear";
}

// Which digests of earlier runs stand in a workspace: they are no notes any more, but somebody who looks for the notes wants to
// know what became of them.
import { openRoot } from "../workspace/open-root.ts";
import { isThere } from "./archive-files.ts";
import { readJournal } from "./journal-files.ts";

export interface DigestMade {
  readonly file: string;
  /** Notes that it was made of. */
  readonly notes: number;
}

/** Oldest first. Nothing where the journal cannot be read: whoever restores is told. */
export async function digestsMade(folder: string): Promise<readonly DigestMade[]> {
  try {
    const root = await openRoot(folder);
    const { entries } = await readJournal(root);
    const made = new Map<string, DigestMade>();
    for (const change of entries.flatMap(({ changes }) => changes)) {
      if (change.kind !== "digest" || change.state !== "applied") continue;
      if (await isThere(root, change.file)) made.set(change.file, { file: change.file, notes: change.notes.length });
    }
    return [...made.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
  } catch {
    return [];
  }
}

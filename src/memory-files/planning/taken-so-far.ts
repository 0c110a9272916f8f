// How much earlier runs took from each file, so that many small runs together take no more than one may. Reads the journal,
// and writes nothing.
import { fileFailure } from "../../storage/file-failure.ts";
import type { JournalChange, JournalEdit } from "../journal/journal.ts";
import { readJournal } from "../journal/journal-files.ts";
import { openRoot } from "../workspace/open-root.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Bytes by file name, 0 where nothing was taken. */
export type TakenSoFar = (file: string) => number;

/**
 * Of repeated lines and of sections that the memory holds, less what was put back. What moves is a matter of the limit of the
 * file, and what is rotated is not edited again. `hashes`: SHA-256 of the files as they are.
 * @throws StoreFailed.
 */
export async function readTaken(
  { root }: Pick<Workspace, "root">,
  hashes: ReadonlyMap<string, string>,
): Promise<TakenSoFar> {
  const taken = new Map<string, number>();
  for (const change of (await readEntries(root)).flatMap(({ changes }) => changes)) {
    if (!isLimited(change) || !isMade(change, hashes)) continue;
    const bytes = change.ranges.reduce(
      (sum, { restored, byte_from, byte_to }) => sum + (restored === true ? 0 : byte_to - byte_from),
      0,
    );
    taken.set(change.file, (taken.get(change.file) ?? 0) + bytes);
  }
  return (file) => taken.get(file) ?? 0;
}

async function readEntries(folder: string) {
  const root = await openRoot(folder);
  try {
    return (await readJournal(root)).entries;
  } catch (cause) {
    throw fileFailure("StoreFailed", "read the journal", root.real, cause);
  }
}

function isLimited(change: JournalChange): change is JournalEdit {
  return change.kind === "remove_sections" || change.kind === "tidy";
}

/** Of a run that died it is not known, unless the file is as it was before. */
function isMade({ state, file, before }: JournalEdit, hashes: ReadonlyMap<string, string>): boolean {
  if (state === "intended") return hashes.get(file) !== before.sha256;
  return state !== "restored";
}

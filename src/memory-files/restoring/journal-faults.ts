// Runs of the journal that nobody can restore, because their file cannot be read: a list of changes cannot name what it does
// not know.
import { fileFailure } from "../../storage/file-failure.ts";
import { journalFile, readJournal } from "../journal/journal-files.ts";
import { openRoot } from "../workspace/open-root.ts";

export interface JournalFault {
  /** Number of the run. */
  readonly run: number;
  /** Its file, from the workspace. */
  readonly file: string;
  readonly code: "INVALID_JOURNAL";
  /** One sentence. */
  readonly message: string;
}

/**
 * Oldest first; empty where all of the journal can be read. `root` is the absolute path of the workspace. Reads only.
 * @throws NotFound (`WORKSPACE_NOT_FOUND`), InvalidInput (`OUTSIDE_WORKSPACE`, `INVALID_ROOT`), StoreFailed.
 */
export async function journalFaults(root: string): Promise<readonly JournalFault[]> {
  const place = await openRoot(root);
  try {
    return (await readJournal(place)).unreadable.map(faultOf);
  } catch (cause) {
    throw fileFailure("StoreFailed", "read the journal", place.real, cause);
  }
}

export function faultOf(run: number): JournalFault {
  const file = journalFile(run);
  const message = `${file} cannot be read, so nothing of that run is known.`;
  return { run, file, code: "INVALID_JOURNAL", message };
}

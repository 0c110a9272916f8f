// What of a workspace was changed and can be restored, for lists. Reads the journal only, and writes nothing.
import { fileFailure } from "../../storage/file-failure.ts";
import { archivesOf, type JournalChange } from "../journal/journal.ts";
import { readJournal } from "../journal/journal-files.ts";
import type { ArchivedChange } from "../report.ts";
import { openRoot } from "../workspace/open-root.ts";
import { newestFirst } from "./select-changes.ts";

/**
 * Newest first. `root` is the absolute path of the workspace.
 * @throws NotFound (`WORKSPACE_NOT_FOUND`), InvalidInput (`OUTSIDE_WORKSPACE`), StoreFailed.
 */
export async function listArchivedChanges(root: string): Promise<readonly ArchivedChange[]> {
  const place = await openRoot(root);
  try {
    const { entries } = await readJournal(place);
    return newestFirst(entries).map(({ entry, change, id }) => ({
      id,
      at: entry.at,
      kind: change.kind,
      file: change.file,
      what: change.what,
      archived: archivesOf(change).map(({ file }) => file),
      state: stateOf(change),
    }));
  } catch (cause) {
    throw fileFailure("StoreFailed", "read the journal", place.real, cause);
  }
}

/** Of a run that is under way, or died, nobody can say yet. */
function stateOf({ state }: JournalChange): ArchivedChange["state"] {
  return state === "intended" ? "unclear" : state;
}

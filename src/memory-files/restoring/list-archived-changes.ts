// What of a workspace was changed and can be restored, for lists. Reads the journal only, and writes nothing.
import { fileFailure } from "../../storage/file-failure.ts";
import { isThere } from "../journal/archive-files.ts";
import { archivesOf, type JournalChange } from "../journal/journal.ts";
import { readJournal } from "../journal/journal-files.ts";
import type { ArchivedChange } from "../report.ts";
import { openRoot, type Root } from "../workspace/open-root.ts";
import { newestFirst } from "./select-changes.ts";

/**
 * Newest first. `root` is the absolute path of the workspace.
 * @throws NotFound (`WORKSPACE_NOT_FOUND`), InvalidInput (`OUTSIDE_WORKSPACE`), StoreFailed.
 */
export async function listArchivedChanges(root: string): Promise<readonly ArchivedChange[]> {
  const place = await openRoot(root);
  try {
    const { entries } = await readJournal(place);
    const listed: ArchivedChange[] = [];
    for (const { entry, change, id } of newestFirst(entries)) {
      const { kind, file, what } = change;
      const archived = archivesOf(change).map((each) => each.file);
      const missing = change.state === "restored" ? [] : await missingOf(place, archived);
      listed.push({
        ...{ id, at: entry.at, kind, file, what, archived, state: stateOf(change) },
        ...(missing.length === 0 ? {} : { missing }),
      });
    }
    return listed;
  } catch (cause) {
    throw fileFailure("StoreFailed", "read the journal", place.real, cause);
  }
}

async function missingOf(root: Root, archived: readonly string[]): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const file of archived) if (!(await isThere(root, file))) missing.push(file);
  return missing;
}

/** Of a run that is under way, or died, nobody can say yet. */
function stateOf({ state }: JournalChange): ArchivedChange["state"] {
  return state === "intended" ? "unclear" : state;
}

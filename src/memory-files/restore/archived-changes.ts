// Which changes of the journal are meant: by id, by run, or all. Newest first, since each was made on what the one before it
// left.
import { CompactError } from "../../errors.ts";
import { fileFailure } from "../../storage/files.ts";
import { archivesOf, idOf, type JournalChange, type JournalEntry } from "../journal/journal.ts";
import { type Journal, readJournal } from "../journal/journal-files.ts";
import type { ArchivedChange } from "../report.ts";
import { isThere, openRoot } from "../workspace/root.ts";
import type { Root } from "../workspace.ts";

export type Wanted = { readonly ids: readonly string[] } | { readonly all: true };

export interface Selected {
  readonly changes: readonly { readonly run: number; readonly change: JournalChange }[];
  /** Runs that were asked for and cannot be read. */
  readonly unreadable: readonly number[];
}

/** @throws NotFound (`UNKNOWN_CHANGE`) that names the nearest ids. */
export function selectChanges({ entries, unreadable }: Journal, wanted: Wanted): Selected {
  const all = newestFirst(entries);
  if ("all" in wanted) return { changes: all, unreadable };
  const ids = new Set(wanted.ids.map((id) => id.trim()));
  const known = new Set([...all.flatMap(({ id, run }) => [id, `${run}`]), ...unreadable.map(String)]);
  const unknown = [...ids].find((id) => !known.has(id) && !unreadable.includes(runOf(id)));
  if (unknown !== undefined) throw notFound(unknown, all);
  return {
    changes: all.filter(({ id, run }) => ids.has(id) || ids.has(`${run}`)),
    unreadable: unreadable.filter((run) => [...ids].some((id) => runOf(id) === run)),
  };
}

interface Known {
  readonly id: string;
  readonly run: number;
  readonly at: string;
  readonly change: JournalChange;
}

function newestFirst(entries: readonly JournalEntry[]): readonly Known[] {
  return entries
    .flatMap(({ run, at, changes }) => changes.map((change) => ({ run, at, change, id: idOf({ run }, change) })))
    .reverse();
}

const MOST_NAMED = 5;

function notFound(id: string, known: readonly Known[]): CompactError {
  const run = runOf(id);
  const distance = (each: Known) => (Number.isNaN(run) ? 0 : Math.abs(each.run - run));
  const nearest = [...known].sort((a, b) => distance(a) - distance(b)).slice(0, MOST_NAMED);
  const hint =
    nearest.length === 0
      ? "Nothing was archived in this workspace yet."
      : `Known are ${nearest.map((each) => each.id).join(", ")}${known.length > nearest.length ? " and others" : ""}; a run alone, as ${nearest[0]?.run}, means all of its changes.`;
  return new CompactError("NotFound", `no change ${id.slice(0, 40)} in the journal`, {
    code: "UNKNOWN_CHANGE",
    hint,
    data: { id, known: nearest.map((each) => each.id) },
  });
}

function runOf(id: string): number {
  return /^\d{1,9}(?:\.\d{1,9})?$/.test(id) ? Number(id.split(".")[0]) : Number.NaN;
}

/**
 * What of a workspace was changed and can be restored, for lists; newest first. Reads the journal only. `root` is the absolute
 * path of the workspace.
 * @throws NotFound (`WORKSPACE_NOT_FOUND`), InvalidInput (`OUTSIDE_WORKSPACE`), StoreFailed.
 */
export async function listArchivedChanges(root: string): Promise<readonly ArchivedChange[]> {
  const place = await openRoot(root);
  const { entries } = await readJournal(place);
  return Promise.all(newestFirst(entries).map((each) => describe(place, each))).catch((cause) => {
    throw fileFailure("StoreFailed", "look into the archive", place.real, cause);
  });
}

async function describe(root: Root, { at, change, id }: Known): Promise<ArchivedChange> {
  const { kind, file, what } = change;
  const archived = archivesOf(change).map((each) => each.file);
  const missing: string[] = [];
  if (change.state !== "restored") for (const name of archived) if (!(await isThere(root, name))) missing.push(name);
  // Of a run that is under way, or died, nobody can say yet.
  const state = change.state === "intended" ? "unclear" : change.state;
  return { id, at, kind, file, what, archived, state, ...(missing.length === 0 ? {} : { missing }) };
}

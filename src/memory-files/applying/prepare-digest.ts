// Notes of a month become one digest: each is copied to the archive as it is.
import { freeName, isThere, markOf, type NewFile } from "../journal/archive-files.ts";
import { isDigestName, isOutsideArchive, refuseWayOut } from "../journal/names.ts";
import type { PlannedDigest } from "../plan.ts";
import { ARCHIVE_FOLDER } from "../workspace/workspace.ts";
import type { EditContext } from "./prepare-edit.ts";
import type { PreparedDigest } from "./prepared-change.ts";
import { refuse, stale } from "./refusal.ts";

/** @throws Conflict (`STALE_PLAN`), InvalidInput (`INVALID_CHANGE`, `OUTSIDE_WORKSPACE`). */
export async function prepareDigest(change: PlannedDigest, context: EditContext): Promise<PreparedDigest> {
  const { root } = context.survey;
  const { file, id, kind } = change;
  if (!isOutsideArchive(file) || !isDigestName(file, change.notes)) {
    throw refuse("INVALID_CHANGE", `${file} is no name for a digest of these notes.`);
  }
  await refuseWayOut(root, file);
  if (await isThere(root, file)) throw refuse("STALE_PLAN", `${file} is there already.`);
  const archives: NewFile[] = [];
  for (const note of change.notes) archives.push(await copyOf(note, change.month, context));
  const content = new TextEncoder().encode(change.text);
  return {
    planned: change,
    noted: {
      change: id,
      kind,
      file,
      what: change.notes,
      state: "intended",
      after: markOf(content),
      notes: archives.map((archive, index) => ({
        file: change.notes[index] ?? "",
        archive: archive.file,
        ...markOf(archive.content),
      })),
    },
    archives,
    content,
    mode: archives.reduce((mode, archive) => mode & archive.mode, 0o666) | 0o600,
  };
}

async function copyOf(note: string, month: string, { survey, taken }: EditContext): Promise<NewFile> {
  const found = await survey.fileOf(note);
  if (found === undefined) throw stale(note);
  // Removing it would leave what it leads to, and restoring it could not make the link again.
  if (found.isLink) throw refuse("INVALID_CHANGE", `${note} is a link; the notes of a digest are real files.`);
  const name = `${ARCHIVE_FOLDER}/${month}/${note.slice(note.lastIndexOf("/") + 1)}`;
  const file = await freeName(survey.root, name, taken);
  taken.add(file.toLowerCase());
  return { file, content: found.content, mode: found.mode };
}

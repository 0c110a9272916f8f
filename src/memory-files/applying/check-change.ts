// Whether a planned change may still be made: every file that it touches or rests on is what it was, its file is one that such
// a change is for, and nobody is writing it.
import { isInUse } from "../analysis/in-use.ts";
import { hashNow } from "../journal/file-bytes.ts";
import { isOutsideArchive } from "../journal/names.ts";
import { refuseReadOnly } from "../journal/read-only.ts";
import type { PlannedChange } from "../plan.ts";
import { refuse, stale } from "./refusal.ts";
import type { Survey } from "./survey.ts";

/** @throws Conflict (`STALE_PLAN`, `IN_USE`, `READ_ONLY`) or InvalidInput (`INVALID_CHANGE`, or why a file may not be read). */
export async function checkChange(change: PlannedChange, survey: Survey): Promise<void> {
  const touched = change.kind === "digest" ? change.notes : [change.file];
  for (const file of touched) await checkFile(change, file, survey);
  for (const [file, sha256] of Object.entries(change.rests_on)) {
    if (survey.roleOf(file) === undefined) throw stale(file);
    if ((await survey.fileOf(file))?.sha256 !== sha256) throw stale(file);
  }
  for (const file of touched) {
    refuseReadOnly(file, (await survey.fileOf(file))?.mode ?? 0o200);
    if (isInUse(survey.dateOf(file), survey.now)) throw refuse("IN_USE", `${file} is a note of today or later.`);
  }
}

async function checkFile({ kind, rests_on }: PlannedChange, file: string, survey: Survey): Promise<void> {
  if (!Object.hasOwn(rests_on, file)) throw refuse("INVALID_CHANGE", `The plan does not say what ${file} held.`);
  if (!isOutsideArchive(file)) throw refuse("INVALID_CHANGE", `${file} is no name that a change can be noted for.`);
  const role = survey.roleOf(file);
  if (role === undefined) {
    // Gone, or unreadable by now: what it held is not there any more.
    if ((await hashNow(survey.root, file)) !== rests_on[file]) throw stale(file);
    throw refuse("INVALID_CHANGE", `${file} is no memory file or note of this workspace.`);
  }
  const due = kind === "tidy" || kind === "move_sections" ? "memory" : "note";
  if (role !== due) {
    throw refuse("INVALID_CHANGE", `${file} is ${WORDS[role]}, and a change of this kind is for ${WORDS[due]}.`);
  }
}

const WORDS = { memory: "a memory file", imported: "an imported file, which is never edited", note: "a note" } as const;

// A note too large: the whole of it is copied to the archive, a preview stays.
import { freeName, markOf } from "../journal/archive-files.ts";
import { isInArchive } from "../journal/names.ts";
import type { PlannedRotation } from "../plan.ts";
import type { EditContext } from "./prepare-edit.ts";
import type { PreparedEdit } from "./prepared-change.ts";
import { refuse } from "./refusal.ts";
import { rotationStub } from "./rotation-stub.ts";
import type { SurveyedFile } from "./survey.ts";

/** @throws InvalidInput (`INVALID_CHANGE`). */
export async function prepareRotation(
  change: PlannedRotation,
  { read, content: bytes, mode, real }: SurveyedFile,
  { survey, taken }: EditContext,
): Promise<PreparedEdit> {
  const { file, id, kind } = change;
  if (!isInArchive(change.archive)) throw refuse("INVALID_CHANGE", `${file} cannot be archived under that name.`);
  const archive = await freeName(survey.root, change.archive, taken);
  taken.add(archive.toLowerCase());
  const content = new TextEncoder().encode(rotationStub(read, archive));
  if (content.length >= bytes.length) throw refuse("INVALID_CHANGE", `${file} is smaller than what would stay of it.`);
  const before = markOf(bytes);
  return {
    planned: change,
    noted: {
      change: id,
      kind,
      file,
      what: [`the whole note, ${bytes.length.toLocaleString("en-US")} bytes`],
      state: "intended",
      before,
      encoding: read.encoding,
      after: markOf(content),
      archive: { file: archive, ...before },
    },
    archives: [{ file: archive, content: bytes, mode }],
    content,
    real,
  };
}

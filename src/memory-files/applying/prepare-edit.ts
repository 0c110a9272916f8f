// Ranges of a file leave it: checks them against the file, and works out what stays, what is archived, and what stands around
// each place. A file that this run has changed before is cut by the same original positions.
import { freeName, markOf } from "../journal/archive-files.ts";
import type { JournalRange } from "../journal/journal.ts";
import { removedFolder } from "../journal/journal-files.ts";
import { isInArchive } from "../journal/names.ts";
import type { MemoryFile } from "../memory-file.ts";
import type { PlannedEdit } from "../plan.ts";
import { contextsOf } from "./context-lines.ts";
import type { PreparedEdit } from "./prepared-change.ts";
import { refuse } from "./refusal.ts";
import { areWholeLines, type Cut, removedBytes, shift, without } from "./splice.ts";
import type { Survey, SurveyedFile } from "./survey.ts";

export interface EditContext {
  readonly survey: Survey;
  readonly run: number;
  /** Names in the archive that changes of this run take, in lower case. */
  readonly taken: Set<string>;
  /** What changes of this run cut out of the file before. */
  readonly earlier: readonly Cut[];
}

type NamedCut = Cut & { readonly heading?: string | undefined };

export interface EditResult {
  readonly prepared: PreparedEdit;
  readonly cuts: readonly Cut[];
}

/** @throws InvalidInput (`INVALID_CHANGE`). */
export async function prepareEdit(change: PlannedEdit, found: SurveyedFile, context: EditContext): Promise<EditResult> {
  const { read, content: bytes, mode } = found;
  checkRanges(change, read, context.earlier);
  const file = await archiveName(change, context);
  const cuts = change.ranges.map((range) => cutOf(range, change.moved_to, file));
  const made = [...context.earlier, ...cuts].sort((a, b) => a.byte_from - b.byte_from);
  const before = markOf(without(bytes, context.earlier));
  const content = without(bytes, made);
  const after = markOf(content);
  if (after.sha256 === before.sha256) throw refuse("INVALID_CHANGE", `The change would leave ${change.file} as it is.`);
  const removed = removedBytes(bytes, cuts);
  const noted = {
    change: change.id,
    kind: change.kind,
    file: change.file,
    what: whatLeft(change),
    state: "intended",
    before,
    after,
    encoding: read.encoding,
    archive: { file, ...markOf(removed) },
    ranges: journalRanges(read, cuts, made, context.earlier),
  } as const;
  const archives = [{ file, content: removed, mode }];
  return { prepared: { planned: change, noted, archives, content, real: found.real }, cuts };
}

function checkRanges(change: PlannedEdit, read: MemoryFile, earlier: readonly Cut[]): void {
  const { ranges, file } = change;
  if (ranges.length === 0) throw refuse("INVALID_CHANGE", `What it takes from ${file} moves with its section.`);
  const isOrdered = ranges.every(({ byte_from }, index) => (ranges[index - 1]?.byte_to ?? 0) <= byte_from);
  if (!isOrdered || !areWholeLines(read, ranges)) {
    throw refuse("INVALID_CHANGE", `A range of the change is not whole lines of ${file}.`);
  }
  const doesOverlap = ranges.some((range) =>
    earlier.some((cut) => range.byte_from < cut.byte_to && cut.byte_from < range.byte_to),
  );
  if (doesOverlap) throw refuse("INVALID_CHANGE", `Another change of the plan takes the same lines of ${file}.`);
  for (const { insert, byte_to } of ranges) {
    if (insert === undefined) continue;
    if (read.encoding !== "utf-8") throw refuse("INVALID_CHANGE", `Nothing is put into ${file}, which is not UTF-8.`);
    const isWhole = /[\r\n]$/.test(insert) || byte_to === read.bytes.length || insert === "";
    if (!isWhole) throw refuse("INVALID_CHANGE", `What is to be put into ${file} does not end its line.`);
  }
}

/** Of bytes that left by an edit: under the run, unless they go to a file that people read. */
async function archiveName({ id, file, moved_to }: PlannedEdit, { survey, run, taken }: EditContext): Promise<string> {
  const wanted = moved_to ?? `${removedFolder(run)}/${id}-${shortName(file)}`;
  if (!isInArchive(wanted)) throw refuse("INVALID_CHANGE", `${file} cannot be archived under that name.`);
  const name = await freeName(survey.root, wanted, taken);
  taken.add(name.toLowerCase());
  return name;
}

const LONGEST_NAME = 60;

/** Room for the number before it, whatever length the system allows. */
function shortName(file: string): string {
  return [...file.slice(file.lastIndexOf("/") + 1)].slice(-LONGEST_NAME).join("");
}

/** A pointer names the file that there will be. */
function cutOf({ byte_from, byte_to, heading, insert }: NamedCut, wanted: string | undefined, name: string): NamedCut {
  const written = wanted === undefined || wanted === name ? insert : insert?.replaceAll(wanted, name);
  return { byte_from, byte_to, heading, insert: written === "" ? undefined : written };
}

/** Where they stand in the file as this change finds it. */
function journalRanges(
  read: MemoryFile,
  cuts: readonly NamedCut[],
  made: readonly Cut[],
  earlier: readonly Cut[],
): readonly JournalRange[] {
  const contexts = contextsOf(read, cuts, made);
  return cuts.map(({ byte_from, byte_to, heading, insert }, index) => ({
    byte_from: shift(byte_from, earlier),
    byte_to: shift(byte_from, earlier) + byte_to - byte_from,
    ...(heading === undefined ? {} : { heading }),
    ...(insert === undefined ? {} : { inserted: insert }),
    before: contexts[index]?.before ?? [],
    after: contexts[index]?.after ?? [],
  }));
}

function whatLeft({ kind, ranges }: PlannedEdit): readonly string[] {
  if (kind !== "tidy") return ranges.map(({ heading, line_from }) => heading ?? `line ${line_from}`);
  const lines = ranges.reduce((sum, { line_from, line_to }) => sum + line_to - line_from + 1, 0);
  return [`${lines} ${lines === 1 ? "line" : "lines"}`];
}

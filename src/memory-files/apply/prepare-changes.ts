// Checks all changes of a run before the first is made, and works each out on the files as they are now. One that cannot be
// made is refused by itself.
import { stalePlan } from "../../engine/staleness.ts";
import { figure } from "../../text/figures.ts";
import { isInUse } from "../dates.ts";
import { freeName, markOf, type NewFile } from "../journal/archive-files.ts";
import type { JournalRange } from "../journal/journal.ts";
import { removedFolder } from "../journal/journal-files.ts";
import { rotationStub } from "../plan/pointers.ts";
import type { PlannedChange, PlannedDigest, PlannedEdit, PlannedRange, PlannedRotation } from "../plan.ts";
import { isFatal, type RefusedChange, refuse, refusedChange, stale } from "../report.ts";
import { areWholeLines, type Cut, contextsOf, removedBytes, shift, without } from "../splice.ts";
import {
  type FileNow,
  hashNow,
  isDigestName,
  isInArchive,
  isOutsideArchive,
  readNow,
  refuseReadOnly,
  refuseWayOut,
} from "../workspace/guards.ts";
import { readMemoryFile } from "../workspace/read-memory-file.ts";
import { baseName, isThere } from "../workspace/root.ts";
import { ARCHIVE_FOLDER, type MemoryFile, type Root, type Workspace } from "../workspace.ts";
import type { PreparedChange, PreparedDigest, PreparedEdit } from "./run-changes.ts";

export interface Prepared {
  readonly prepared: readonly PreparedChange[];
  readonly refused: readonly RefusedChange[];
}

/** Notes first: their removals rest on the memory as it was when the plan was made. */
export function inOrder(changes: readonly PlannedChange[]): readonly PlannedChange[] {
  const isOfMemory = ({ kind }: PlannedChange) => kind === "tidy" || kind === "move_sections";
  return [...changes.filter((change) => !isOfMemory(change)), ...changes.filter(isOfMemory)];
}

export async function prepareChanges(given: readonly PlannedChange[], survey: Survey, run: number): Promise<Prepared> {
  const changes = given.map((change) => withoutMoved(change, given));
  const prepared: PreparedChange[] = [];
  const refused: RefusedChange[] = [];
  const taken = new Set<string>();
  const cuts = new Map<string, readonly Cut[]>();
  for (const change of changes) {
    try {
      await checkChange(change, survey);
      prepared.push(await prepareChange(change, cuts, { survey, run, taken }));
    } catch (cause) {
      if (isFatal(cause)) throw cause;
      refused.push(refusedChange(change, cause));
    }
  }
  return { prepared, refused };
}

/** Lines of a tidying that move with their section: a person may ask for both, though the plan proposed but one. */
function withoutMoved(change: PlannedChange, all: readonly PlannedChange[]): PlannedChange {
  if (change.kind !== "tidy") return change;
  const moved = all.flatMap((each) => (each.kind === "move_sections" && each.file === change.file ? each.ranges : []));
  const isMoved = (range: PlannedRange) =>
    moved.some(({ byte_from, byte_to }) => byte_from <= range.byte_from && range.byte_to <= byte_to);
  return { ...change, ranges: change.ranges.filter((range) => !isMoved(range)) };
}

/** Several edits of one file are made one on top of the other; anything else has its files for itself. */
async function prepareChange(
  change: PlannedChange,
  cuts: Map<string, readonly Cut[]>,
  context: EditContext,
): Promise<PreparedChange> {
  const files = change.kind === "digest" ? [change.file, ...change.notes] : [change.file];
  const isWhole = change.kind === "digest" || change.kind === "rotate";
  const taken = files.find((file) => (isWhole ? cuts.has(file) : cuts.get(file)?.length === 0));
  if (taken !== undefined) throw refuse("INVALID_CHANGE", `Another change of the plan is for ${taken} already.`);
  if (change.kind === "digest") {
    const digest = await prepareDigest(change, context);
    for (const file of files) cuts.set(file, []);
    return digest;
  }
  const found = await fileOf(context.survey, change.file);
  if (found === undefined) throw stale(change.file);
  const earlier = cuts.get(change.file) ?? [];
  const [prepared, made] =
    change.kind === "rotate"
      ? [await prepareRotation(change, found, context), []]
      : await prepareEdit(change, found, earlier, context);
  cuts.set(change.file, made);
  return prepared;
}

// Whether a planned change may still be made: every file that it touches or rests on is what it was, its file is one that such
// a change is for, and nobody is writing it.

/** @throws Conflict (`STALE_PLAN`, `IN_USE`, `READ_ONLY`) or InvalidInput (`INVALID_CHANGE`, or why a file may not be read). */
async function checkChange(change: PlannedChange, survey: Survey): Promise<void> {
  const touched = change.kind === "digest" ? change.notes : [change.file];
  for (const file of touched) await checkFile(change, file, survey);
  for (const [file, sha256] of Object.entries(change.rests_on)) {
    if (!survey.roles.has(file) || (await fileOf(survey, file))?.sha256 !== sha256) throw stale(file);
  }
  for (const file of touched) {
    refuseReadOnly(file, (await fileOf(survey, file))?.mode ?? 0o200);
    if (isInUse(survey.dates.get(file), survey.now)) throw refuse("IN_USE", `${file} is a note of today or later.`);
  }
}

async function checkFile({ kind, rests_on }: PlannedChange, file: string, survey: Survey): Promise<void> {
  if (!isOutsideArchive(file)) throw refuse("INVALID_CHANGE", `${file} is no name that a change can be noted for.`);
  const role = survey.roles.get(file);
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

interface SurveyedFile extends FileNow {
  readonly read: MemoryFile;
}

/** The files of a workspace as a run finds them: each is read once, before anything of it is changed. */
interface Survey {
  readonly root: Root;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Of the files of this workspace, and of its imports. */
  readonly roles: ReadonlyMap<string, keyof typeof WORDS>;
  /** Of notes. */
  readonly dates: ReadonlyMap<string, string | undefined>;
  readonly files: Map<string, Promise<SurveyedFile | undefined>>;
}

export function createSurvey(root: Workspace, now: number): Survey {
  const { memory, imported, notes } = root;
  const roles = new Map<string, keyof typeof WORDS>();
  for (const { file } of imported) roles.set(file, "imported");
  for (const { file } of notes) roles.set(file, "note");
  for (const { file } of memory) roles.set(file, "memory");
  return { root, now, roles, dates: new Map(notes.map(({ file, date }) => [file, date])), files: new Map() };
}

/** Undefined where it is gone or no text any more. @throws what reading throws. */
function fileOf({ root, files }: Survey, file: string): Promise<SurveyedFile | undefined> {
  const read = files.get(file) ?? readSurveyed(root, file);
  files.set(file, read);
  return read;
}

async function readSurveyed(root: Root, file: string): Promise<SurveyedFile | undefined> {
  const found = await readNow(root, file);
  if (found === undefined) return undefined;
  const read = readMemoryFile(file, found.content);
  return "code" in read ? undefined : { ...found, read };
}

// Ranges of a file leave it: checks them against the file, and works out what stays, what is archived, and what stands around
// each place. A file that this run has changed before is cut by the same original positions.

interface EditContext {
  readonly survey: Survey;
  readonly run: number;
  /** Names in the archive that changes of this run take, in lower case. */
  readonly taken: Set<string>;
}

type NamedCut = Cut & { readonly heading?: string | undefined };

/** With all that leaves the file once it is made; `earlier`: what changes of this run cut out before. @throws InvalidInput (`INVALID_CHANGE`). */
async function prepareEdit(
  change: PlannedEdit,
  { read, content: bytes, mode, real }: SurveyedFile,
  earlier: readonly Cut[],
  context: EditContext,
): Promise<[PreparedEdit, readonly Cut[]]> {
  const { id, kind, moved_to } = change;
  checkRanges(change, read, earlier);
  // Of bytes that left by an edit: under the run, unless they go to a file that people read.
  const file = await archiveName(
    change.file,
    moved_to ?? `${removedFolder(context.run)}/${id}-${shortName(change.file)}`,
    context,
  );
  const cuts = change.ranges.map((range) => cutOf(range, moved_to, file));
  const made = [...earlier, ...cuts].sort((a, b) => a.byte_from - b.byte_from);
  const before = markOf(without(bytes, earlier));
  const content = without(bytes, made);
  const after = markOf(content);
  if (after.sha256 === before.sha256) throw refuse("INVALID_CHANGE", `The change would leave ${change.file} as it is.`);
  const removed = removedBytes(bytes, cuts);
  const noted = {
    change: id,
    kind,
    file: change.file,
    what: whatLeft(change),
    state: "intended",
    before,
    after,
    encoding: read.encoding,
    archive: { file, ...markOf(removed) },
    ranges: journalRanges(read, cuts, made, earlier),
  } as const;
  return [{ planned: change, noted, archives: [{ file, content: removed, mode }], content, real }, made];
}

function checkRanges(change: PlannedEdit, read: MemoryFile, earlier: readonly Cut[]): void {
  const { ranges, file } = change;
  if (ranges.length === 0) throw refuse("INVALID_CHANGE", `What it takes from ${file} moves with its section.`);
  if (!areWholeLines(read, ranges))
    throw refuse("INVALID_CHANGE", `A range of the change is not whole lines of ${file}.`);
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

/** A free one. */
async function archiveName(file: string, wanted: string, { survey, taken }: EditContext): Promise<string> {
  if (!isInArchive(wanted)) throw refuse("INVALID_CHANGE", `${file} cannot be archived under that name.`);
  const name = await freeName(survey.root, wanted, taken);
  taken.add(name.toLowerCase());
  return name;
}

const LONGEST_NAME = 60;

/** Room for the number before it, whatever length the system allows. */
function shortName(file: string): string {
  return [...baseName(file)].slice(-LONGEST_NAME).join("");
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

// A note too large: the whole of it is copied to the archive, a preview stays.

/** @throws InvalidInput (`INVALID_CHANGE`). */
async function prepareRotation(
  change: PlannedRotation,
  { read, content: bytes, mode, real }: SurveyedFile,
  context: EditContext,
): Promise<PreparedEdit> {
  const { file, id, kind } = change;
  const archive = await archiveName(file, change.archive, context);
  const content = new TextEncoder().encode(rotationStub(read, archive));
  if (content.length >= bytes.length) throw refuse("INVALID_CHANGE", `${file} is smaller than what would stay of it.`);
  const before = markOf(bytes);
  return {
    planned: change,
    noted: {
      change: id,
      kind,
      file,
      what: [`the whole note, ${figure(bytes.length)} bytes`],
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

// Notes of a month become one digest: each is copied to the archive as it is.

/** @throws Conflict (`STALE_PLAN`), InvalidInput (`INVALID_CHANGE`, `OUTSIDE_WORKSPACE`). */
async function prepareDigest(change: PlannedDigest, context: EditContext): Promise<PreparedDigest> {
  const { root } = context.survey;
  const { file, id, kind } = change;
  if (!isOutsideArchive(file) || !isDigestName(file, change.notes)) {
    throw refuse("INVALID_CHANGE", `${file} is no name for a digest of these notes.`);
  }
  await refuseWayOut(root, file);
  if (await isThere(root, file)) throw stalePlan(`${file} is there already.`);
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

async function copyOf(note: string, month: string, context: EditContext): Promise<NewFile> {
  const found = await fileOf(context.survey, note);
  if (found === undefined) throw stale(note);
  // Removing it would leave what it leads to, and restoring it could not make the link again.
  if (found.isLink) throw refuse("INVALID_CHANGE", `${note} is a link; the notes of a digest are real files.`);
  const file = await archiveName(note, `${ARCHIVE_FOLDER}/${month}/${baseName(note)}`, context);
  return { file, content: found.content, mode: found.mode };
}

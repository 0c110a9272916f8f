// What each run changed in a workspace, as it is kept beside the archive: enough to tell after a crash what was done, and to
// put back what left, also into a file that was edited since. Checked when it comes back from disk: names stay inside the
// workspace, what is to be removed stays inside the archive, ranges lie in the file they are of.
import * as z from "zod";
import { readTime } from "../../time.ts";
import { isDigestName, isInArchive, isOutsideArchive } from "../workspace/guards.ts";
import { ARCHIVE_FOLDER } from "../workspace.ts";

/** One file a run, `0003.json`. */
export const JOURNAL_FOLDER = `${ARCHIVE_FOLDER}/journal`;
/** The bytes that edits took away: a folder a run. */
export const REMOVED_FOLDER = `${ARCHIVE_FOLDER}/removed`;

const count = z.number().int().nonnegative();
const number = z.number().int().positive();
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const liveFile = z.string().refine(isOutsideArchive);
const archiveFile = z.string().refine(isInArchive);
const mark = z.object({ sha256: hash, bytes: count }).readonly();
const archived = z.object({ file: archiveFile, sha256: hash, bytes: count }).readonly();
const lines = z.array(z.string()).max(3).readonly();

/** Where lines left a file, and what stands around that place since. */
const range = z
  .object({
    /** In the file as it was before the change. */
    byte_from: count,
    byte_to: count,
    /** Of a section. */
    heading: z.string().optional(),
    /** Lines that came in its place, with their ends. */
    inserted: z.string().optional(),
    /** Up to three lines above it, in the file after the change; fewer at the beginning of the file. */
    before: lines,
    /** Up to three lines below it, below what was inserted; fewer at the end of the file. */
    after: lines,
    /** It is back, though others of its change are not. */
    restored: z.literal(true).optional(),
  })
  .readonly();

const base = {
  /** Of the plan. With the number of the run, the id that restore takes. */
  change: number,
  file: liveFile,
  /** One line each, for a person. */
  what: z.array(z.string()).readonly(),
  /** What the file is once the change is made. */
  after: mark,
  /** `intended`: not known to be made. */
  state: z.enum(["intended", "applied", "unclear", "restored"]),
  /** A restore is under way: the file had the one content and shall have the other. */
  restoring: z
    .object({ from: hash.nullable(), to: hash, ranges: z.array(count).readonly().optional() })
    .readonly()
    .optional(),
};

/** Of one file. `archive` holds the bytes of all ranges, one after the other; of a rotation, the note. */
const ofOneFile = { ...base, before: mark, encoding: z.enum(["utf-8", "gbk"]), archive: archived };

const edit = z
  .object({
    ...ofOneFile,
    kind: z.enum(["remove_sections", "tidy", "move_sections"]),
    /** In order. */
    ranges: z.array(range).min(1).readonly(),
  })
  .readonly()
  .refine(({ ranges, before }) => isInOrder(ranges, before.bytes))
  .refine(
    ({ ranges, archive }) => ranges.reduce((sum, each) => sum + each.byte_to - each.byte_from, 0) === archive.bytes,
  );

const rotation = z.object({ ...ofOneFile, kind: z.literal("rotate") }).readonly();

/** Notes, each with its copy. */
const note = z.object({ file: liveFile, archive: archiveFile, sha256: hash, bytes: count }).readonly();

const digest = z
  .object({ ...base, kind: z.literal("digest"), notes: z.array(note).min(1).readonly() })
  .readonly()
  .refine((change) =>
    isDigestName(
      change.file,
      change.notes.map(({ file }) => file),
    ),
  );

const entry = z
  .object({
    version: z.literal(1),
    run: number,
    /** ISO 8601. */
    at: z.string().refine((written) => readTime(written) !== undefined),
    /** `applying`: under way, or ended in the middle. */
    state: z.enum(["applying", "applied"]),
    /** In the order in which they are made. */
    changes: z.array(z.discriminatedUnion("kind", [edit, rotation, digest])).readonly(),
  })
  .readonly()
  .refine(({ changes }) => new Set(changes.map(({ change }) => change)).size === changes.length);

export type FileMark = z.infer<typeof mark>;
export type ArchivedFile = z.infer<typeof archived>;
export type JournalRange = z.infer<typeof range>;
export type JournalEdit = z.infer<typeof edit>;
export type JournalRotation = z.infer<typeof rotation>;
export type JournalDigest = z.infer<typeof digest>;
export type JournalEntry = z.infer<typeof entry>;
export type JournalChange = JournalEntry["changes"][number];

/** Undefined where it is no journal of that run. */
export function readEntry(text: string, run: number): JournalEntry | undefined {
  try {
    const read = entry.safeParse(JSON.parse(text));
    return read.success && read.data.run === run ? read.data : undefined;
  } catch {
    return undefined;
  }
}

function isInOrder(ranges: readonly JournalRange[], bytes: number): boolean {
  let end = 0;
  for (const { byte_from, byte_to } of ranges) {
    if (byte_from < end || byte_to <= byte_from || byte_to > bytes) return false;
    end = byte_to;
  }
  return true;
}

export function idOf({ run }: Pick<JournalEntry, "run">, { change }: Pick<JournalChange, "change">): string {
  return `${run}.${change}`;
}

/** Of the workspace: its own, and the notes of a digest. */
export function filesOf(change: JournalChange): readonly string[] {
  return change.kind === "digest" ? [change.file, ...change.notes.map(({ file }) => file)] : [change.file];
}

export function archivesOf(change: JournalChange): readonly ArchivedFile[] {
  if (change.kind !== "digest") return [change.archive];
  return change.notes.map(({ archive, sha256, bytes }) => ({ file: archive, sha256, bytes }));
}

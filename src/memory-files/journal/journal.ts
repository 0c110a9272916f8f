// What each run changed in a workspace, as it is kept beside the archive: enough to tell after a crash what was done, and to
// put back what left, also into a file that was edited since.
import * as z from "zod";
import { readTime } from "../../time.ts";
import { isDigestName, isInArchive, isOutsideArchive } from "../workspace/guards.ts";
import { ARCHIVE_FOLDER, type Encoding } from "../workspace.ts";

/** One file a run, `0003.json`. */
export const JOURNAL_FOLDER = `${ARCHIVE_FOLDER}/journal`;
/** The bytes that edits took away: a folder a run. */
export const REMOVED_FOLDER = `${ARCHIVE_FOLDER}/removed`;

export interface FileMark {
  /** 64 hex digits. */
  readonly sha256: string;
  readonly bytes: number;
}

/** A file of the archive. */
export interface ArchivedFile extends FileMark {
  readonly file: string;
}

/** Where lines left a file, and what stands around that place since. */
export interface JournalRange {
  /** In the file as it was before the change. */
  readonly byte_from: number;
  readonly byte_to: number;
  /** Of a section. */
  readonly heading?: string | undefined;
  /** Lines that came in its place, with their ends. */
  readonly inserted?: string | undefined;
  /** Up to three lines above it, in the file after the change; fewer at the beginning of the file. */
  readonly before: readonly string[];
  /** Up to three lines below it, below what was inserted; fewer at the end of the file. */
  readonly after: readonly string[];
  /** It is back, though others of its change are not. */
  readonly restored?: true | undefined;
}

interface JournalChangeBase {
  /** Of the plan. With the number of the run, the id that restore takes. */
  readonly change: number;
  readonly file: string;
  /** One line each, for a person. */
  readonly what: readonly string[];
  /** What the file is once the change is made. */
  readonly after: FileMark;
  /** `intended`: not known to be made. */
  readonly state: "intended" | "applied" | "unclear" | "restored";
  /** A restore is under way: the file had the one content and shall have the other. */
  readonly restoring?:
    | { readonly from: string | null; readonly to: string; readonly ranges?: readonly number[] | undefined }
    | undefined;
}

export interface JournalEdit extends JournalChangeBase {
  readonly kind: "remove_sections" | "tidy" | "move_sections";
  readonly before: FileMark;
  readonly encoding: Encoding;
  /** The bytes of all ranges, one after the other. */
  readonly archive: ArchivedFile;
  /** In order. */
  readonly ranges: readonly JournalRange[];
}

export interface JournalRotation extends JournalChangeBase {
  readonly kind: "rotate";
  readonly before: FileMark;
  readonly encoding: Encoding;
  /** The note, byte for byte. */
  readonly archive: ArchivedFile;
}

export interface JournalDigest extends JournalChangeBase {
  readonly kind: "digest";
  /** Each with its copy. */
  readonly notes: readonly (ArchivedFile & { readonly archive: string })[];
}

export type JournalChange = JournalEdit | JournalRotation | JournalDigest;

export interface JournalEntry {
  readonly version: 1;
  readonly run: number;
  /** ISO 8601. */
  readonly at: string;
  /** `applying`: under way, or ended in the middle. */
  readonly state: "applying" | "applied";
  /** In the order in which they are made. */
  readonly changes: readonly JournalChange[];
}

export function idOf({ run }: Pick<JournalEntry, "run">, { change }: Pick<JournalChange, "change">): string {
  return `${run}.${change}`;
}

export function archivesOf(change: JournalChange): readonly ArchivedFile[] {
  if (change.kind !== "digest") return [change.archive];
  return change.notes.map(({ archive, sha256, bytes }) => ({ file: archive, sha256, bytes }));
}

// Checks a journal that comes back from disk: names stay inside the workspace, what is to be removed stays inside the archive,
// ranges lie in the file they are of.

const count = z.number().int().nonnegative();
const number = z.number().int().positive();
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const liveFile = z.string().refine(isOutsideArchive);
const archiveFile = z.string().refine(isInArchive);
const encoding = z.enum(["utf-8", "gbk"]);
const mark = z.object({ sha256: hash, bytes: count }).readonly();
const archived = z.object({ file: archiveFile, sha256: hash, bytes: count }).readonly();
const lines = z.array(z.string()).max(3).readonly();

const base = {
  change: number,
  file: liveFile,
  what: z.array(z.string()).readonly(),
  after: mark,
  state: z.enum(["intended", "applied", "unclear", "restored"]),
  restoring: z
    .object({ from: hash.nullable(), to: hash, ranges: z.array(count).readonly().optional() })
    .readonly()
    .optional(),
};

const range = z
  .object({
    byte_from: count,
    byte_to: count,
    heading: z.string().optional(),
    inserted: z.string().optional(),
    before: lines,
    after: lines,
    restored: z.literal(true).optional(),
  })
  .readonly();

const edit = z
  .object({
    ...base,
    kind: z.enum(["remove_sections", "tidy", "move_sections"]),
    before: mark,
    encoding,
    archive: archived,
    ranges: z.array(range).min(1).readonly(),
  })
  .readonly()
  .refine(({ ranges, before }) => isInOrder(ranges, before.bytes))
  .refine(({ ranges, archive }) => sum(ranges.map((each) => each.byte_to - each.byte_from)) === archive.bytes);

const rotation = z.object({ ...base, kind: z.literal("rotate"), before: mark, encoding, archive: archived }).readonly();

const note = z.object({ file: liveFile, archive: archiveFile, sha256: hash, bytes: count }).readonly();

const digest = z
  .object({ ...base, kind: z.literal("digest"), notes: z.array(note).min(1).readonly() })
  .readonly()
  .refine(({ file, notes }) =>
    isDigestName(
      file,
      notes.map((each) => each.file),
    ),
  );

const entry = z
  .object({
    version: z.literal(1),
    run: number,
    at: z.string().refine((written) => readTime(written) !== undefined),
    state: z.enum(["applying", "applied"]),
    changes: z.array(z.discriminatedUnion("kind", [edit, rotation, digest])).readonly(),
  })
  .readonly()
  .refine(({ changes }) => new Set(changes.map(({ change }) => change)).size === changes.length);

/** Undefined where it is no journal of that run. */
export function readEntry(text: string, run: number): JournalEntry | undefined {
  try {
    const read = entry.safeParse(JSON.parse(text));
    return read.success && read.data.run === run ? read.data : undefined;
  } catch {
    return undefined;
  }
}

function isInOrder(ranges: readonly z.infer<typeof range>[], bytes: number): boolean {
  let end = 0;
  for (const { byte_from, byte_to } of ranges) {
    if (byte_from < end || byte_to <= byte_from || byte_to > bytes) return false;
    end = byte_to;
  }
  return true;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

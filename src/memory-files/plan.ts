// The plan of a compaction of memory files: plain data that names every byte it will touch and why, that a person can
// read, and that is checked when it comes back from a file. What only the workspace can tell, apply checks.
import * as z from "zod";
import { planFile, planHeader } from "../engine/plan-file.ts";
import { readTime } from "../time.ts";
import { ARCHIVE_FOLDER } from "./workspace.ts";

const count = z.number().int().nonnegative();
const lineNumber = z.number().int().positive();
const month = z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const text = z.string().refine((value) => value.isWellFormed());

/** From the workspace and inside it: no plan may name a file elsewhere. */
const file = z.string().refine(isInside, "is no file name from the workspace, parted by /");
const liveFile = file.refine((name) => !isArchived(name), `is below ${ARCHIVE_FOLDER}, where nothing is edited`);
const archiveFile = file.refine(isArchived, `is not below ${ARCHIVE_FOLDER}`);

/** In a file, end exclusive, whole lines. */
const rangeSchema = z
  .object({
    byte_from: count,
    byte_to: count,
    /** Counted from 1, inclusive. */
    line_from: lineNumber,
    line_to: lineNumber,
    /** What stands there, at most 120 characters. */
    preview: z.string(),
    /** Of a section: its heading. */
    heading: z.string().exactOptional(),
    /** What comes in its place. Absent: nothing. */
    insert: text.exactOptional(),
  })
  .readonly()
  .refine(({ byte_from, byte_to }) => byte_from < byte_to, { path: ["byte_to"], message: "is not behind byte_from" })
  .refine(({ line_from, line_to }) => line_from <= line_to, { path: ["line_to"], message: "is before line_from" });

const placeSchema = z.object({ file, heading: z.string(), line_from: lineNumber }).readonly();

const base = {
  /** Counted from 1, of the plan. */
  id: z.number().int().positive(),
  /** False: proposed, and passed over by apply. A person may set it to true, or false; nothing else of a plan may be edited. */
  apply: z.boolean(),
  /** One sentence: why. */
  reason: z.string(),
  bytes_before: count,
  bytes_after: count,
  tokens_before: count,
  tokens_after: count,
  /** Hash of every file it touches or rests on, by its name. Another content: the change is refused as stale. */
  rests_on: z.record(file, hash).readonly(),
};

// Ranges of one file leave it:
// - remove_sections: sections of a note that the memory holds
// - tidy: repeated lines, blank runs and series of a memory file (aggressive)
// - move_sections: sections of the memory go to an archive file, a pointer stays

const editSchema = z
  .object({
    ...base,
    kind: z.enum(["remove_sections", "tidy", "move_sections"]),
    file: liveFile,
    /** In order, apart from each other. */
    ranges: z.array(rangeSchema).min(1).readonly(),
    /** `remove_sections`: per range, which place of the memory holds it. */
    held_by: z.array(placeSchema).readonly().exactOptional(),
    /** `move_sections`: file that takes them, from the workspace. A taken name gets a number at apply. */
    moved_to: archiveFile.exactOptional(),
  })
  .readonly()
  .refine(({ ranges }) => ranges.every(isBehindTheLast), { path: ["ranges"], message: "are not in order, or overlap" })
  .refine(({ rests_on, file: own }) => Object.hasOwn(rests_on, own), { path: ["rests_on"], message: "lacks the file" })
  .refine(({ kind, moved_to }) => (kind === "move_sections") === (moved_to !== undefined), {
    path: ["moved_to"],
    message: "belongs to sections that are moved, and to no other change",
  });

/** A note too large leaves a preview. */
const rotationSchema = z
  .object({
    ...base,
    kind: z.literal("rotate"),
    file: liveFile,
    /** Byte copy of the note, from the workspace. A taken name gets a number at apply. */
    archive: archiveFile,
  })
  .readonly()
  .refine(({ rests_on, file: own }) => Object.hasOwn(rests_on, own), { path: ["rests_on"], message: "lacks the file" });

/** The notes of a month become one digest. */
const digestSchema = z
  .object({
    ...base,
    kind: z.literal("digest"),
    /** `2031-02`. */
    month,
    /** The digest, from the workspace. It must not be there yet. */
    file: liveFile,
    text,
    source: z.enum(["extractive", "model", "model+ledger"]),
    /** Notes that go to the archive, oldest first. */
    notes: z.array(liveFile).min(1).readonly(),
  })
  .readonly()
  .refine(({ notes, file: own }) => isDistinct([own, ...notes]), { path: ["notes"], message: "name one file twice" })
  .refine(({ notes, rests_on }) => notes.every((note) => Object.hasOwn(rests_on, note)), {
    path: ["rests_on"],
    message: "lacks a note of the digest",
  });

/** What could be done but is not planned, and why. */
const heldSchema = z
  .object({
    file: z.string(),
    section: z.string().exactOptional(),
    /**
     * A `HeldReason`, `more_than_half`, `still_over_limit`, `not_utf8`, `not_beneficial`, `moves`, `link_target`,
     * `joins_the_rest`, `undated`, `changed`, `digest_available`, `digest_exists`, `same_date`.
     */
    code: z.string(),
    message: z.string(),
  })
  .readonly();

const changeSchema = z.discriminatedUnion("kind", [editSchema, rotationSchema, digestSchema]);

const planSchema = z
  .object({
    ...planHeader("memory_files"),
    created_at: z.string().refine((written) => readTime(written) !== undefined, "is no time"),
    /** Real path of the workspace that it is of. */
    workspace: z.string().min(1),
    options: z
      .object({
        aggressive: z.boolean(),
        max_memory_kb: z.number().positive(),
        memory_file: z.string().exactOptional(),
        notes_glob: z.string().exactOptional(),
      })
      .readonly(),
    changes: z.array(changeSchema).readonly(),
    held: z.array(heldSchema).readonly(),
    /** Of the main memory file, as on disk, and as it will be after the changes that are to be applied. */
    memory_size_before: count,
    memory_size_after: count,
    /** Over the limit after them; 0 at or below it. */
    over_limit_bytes: count,
    /** Of the changes that are to be applied. */
    totals: z
      .object({
        changes: count,
        files: count,
        bytes_before: count,
        bytes_after: count,
        tokens_before: count,
        tokens_after: count,
      })
      .readonly(),
  })
  .readonly()
  .refine(({ changes }) => isDistinct(changes.map(({ id }) => id)), {
    path: ["changes"],
    message: "have one id twice",
  });

export type MemoryFilesPlan = z.infer<typeof planSchema>;
export type PlannedChange = z.infer<typeof changeSchema>;
export type ChangeKind = PlannedChange["kind"];
export type PlannedEdit = z.infer<typeof editSchema>;
export type PlannedRotation = z.infer<typeof rotationSchema>;
export type PlannedDigest = z.infer<typeof digestSchema>;
export type PlannedRange = z.infer<typeof rangeSchema>;

export function linesText({ line_from, line_to }: Pick<PlannedRange, "line_from" | "line_to">): string {
  return line_from === line_to ? `line ${line_from}` : `lines ${line_from}-${line_to}`;
}
export type HeldChange = z.infer<typeof heldSchema>;

/** Whose events they are: there are no sessions. */
export const MEMORY_FILES = { part: "memory_files", sessionId: "memory-files" } as const;

/**
 * `apply` of a change may be edited; the figures that depend on it need not fit then. What a plan does not know is left out
 * when it is read.
 */
export const { seal: sealPlan, read: readPlan } = planFile<MemoryFilesPlan>({
  part: "memory_files",
  schema: planSchema,
  editable: {
    what: "`apply` of a change",
    without: ({ memory_size_after, over_limit_bytes, totals, ...rest }) => ({
      ...rest,
      changes: rest.changes.map((change) => ({ ...change, apply: null })),
    }),
  },
});

function isInside(name: string): boolean {
  const hasOddCharacter = /[\\\p{Cc}]|^[A-Za-z]:/u.test(name) || !name.isWellFormed();
  return !hasOddCharacter && name.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

function isArchived(name: string): boolean {
  return name.startsWith(`${ARCHIVE_FOLDER}/`);
}

function isBehindTheLast(
  { byte_from, line_from }: z.infer<typeof rangeSchema>,
  index: number,
  ranges: readonly z.infer<typeof rangeSchema>[],
): boolean {
  const last = ranges[index - 1];
  return last === undefined || (last.byte_to <= byte_from && last.line_to < line_from);
}

function isDistinct(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

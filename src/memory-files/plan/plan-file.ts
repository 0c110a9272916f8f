// Seals a plan, and checks one that comes back from a file. What only the workspace can tell, apply checks: this is what the
// data says of itself.
import * as z from "zod";
import { planFile, planHeader } from "../../engine/plan-file.ts";
import { readTime } from "../../time.ts";
import type { MemoryFilesPlan } from "../plan.ts";
import { ARCHIVE_FOLDER } from "../workspace.ts";

const count = z.number().int().nonnegative();
const lineNumber = z.number().int().positive();
const month = z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const text = z.string().refine((value) => value.isWellFormed());

/** From the workspace and inside it: no plan may name a file elsewhere. */
const file = z.string().refine(isInside, "is no file name from the workspace, parted by /");
const liveFile = file.refine((name) => !isArchived(name), `is below ${ARCHIVE_FOLDER}, where nothing is edited`);
const archiveFile = file.refine(isArchived, `is not below ${ARCHIVE_FOLDER}`);

const rangeSchema = z
  .object({
    byte_from: count,
    byte_to: count,
    line_from: lineNumber,
    line_to: lineNumber,
    preview: z.string(),
    heading: z.string().exactOptional(),
    insert: text.exactOptional(),
  })
  .readonly()
  .refine(({ byte_from, byte_to }) => byte_from < byte_to, { path: ["byte_to"], message: "is not behind byte_from" })
  .refine(({ line_from, line_to }) => line_from <= line_to, { path: ["line_to"], message: "is before line_from" });

const placeSchema = z.object({ file, heading: z.string(), line_from: lineNumber }).readonly();

const base = {
  id: z.number().int().positive(),
  apply: z.boolean(),
  reason: z.string(),
  bytes_before: count,
  bytes_after: count,
  tokens_before: count,
  tokens_after: count,
  rests_on: z.record(file, hash).readonly(),
};

const editSchema = z
  .object({
    ...base,
    kind: z.enum(["remove_sections", "tidy", "move_sections"]),
    file: liveFile,
    ranges: z.array(rangeSchema).min(1).readonly(),
    held_by: z.array(placeSchema).readonly().exactOptional(),
    moved_to: archiveFile.exactOptional(),
  })
  .readonly()
  .refine(({ ranges }) => ranges.every(isBehindTheLast), { path: ["ranges"], message: "are not in order, or overlap" })
  .refine(({ rests_on, file: own }) => Object.hasOwn(rests_on, own), { path: ["rests_on"], message: "lacks the file" })
  .refine(({ kind, moved_to }) => (kind === "move_sections") === (moved_to !== undefined), {
    path: ["moved_to"],
    message: "belongs to sections that are moved, and to no other change",
  });

const rotationSchema = z
  .object({ ...base, kind: z.literal("rotate"), file: liveFile, archive: archiveFile })
  .readonly()
  .refine(({ rests_on, file: own }) => Object.hasOwn(rests_on, own), { path: ["rests_on"], message: "lacks the file" });

const digestSchema = z
  .object({
    ...base,
    kind: z.literal("digest"),
    month,
    file: liveFile,
    text,
    source: z.enum(["extractive", "model", "model+ledger"]),
    notes: z.array(liveFile).min(1).readonly(),
  })
  .readonly()
  .refine(({ notes, file: own }) => isDistinct([own, ...notes]), { path: ["notes"], message: "name one file twice" })
  .refine(({ notes, rests_on }) => notes.every((note) => Object.hasOwn(rests_on, note)), {
    path: ["rests_on"],
    message: "lacks a note of the digest",
  });

const planSchema = z
  .object({
    ...planHeader("memory_files"),
    created_at: z.string().refine((written) => readTime(written) !== undefined, "is no time"),
    workspace: z.string().min(1),
    options: z
      .object({
        aggressive: z.boolean(),
        max_memory_kb: z.number().positive(),
        memory_file: z.string().exactOptional(),
        notes_glob: z.string().exactOptional(),
      })
      .readonly(),
    changes: z.array(z.discriminatedUnion("kind", [editSchema, rotationSchema, digestSchema])).readonly(),
    held: z
      .array(
        z
          .object({ file: z.string(), section: z.string().exactOptional(), code: z.string(), message: z.string() })
          .readonly(),
      )
      .readonly(),
    memory_size_before: count,
    memory_size_after: count,
    over_limit_bytes: count,
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
  }) satisfies z.ZodType<MemoryFilesPlan>;

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

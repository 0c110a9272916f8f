// Checks a plan that comes back from a file. What only the workspace can tell, apply checks: this is what the data says of
// itself, the checksum against edits included.
import * as z from "zod";
import { CompactError } from "../../errors.ts";
import { sha256 } from "../../storage/sha256.ts";
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
    version: z.literal(1),
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
    checksum: hash,
  })
  .readonly()
  .refine(({ changes }) => isDistinct(changes.map(({ id }) => id)), {
    path: ["changes"],
    message: "have one id twice",
  }) satisfies z.ZodType<MemoryFilesPlan>;

/**
 * The plan in a value that came from outside; what it does not know is left out.
 * @throws InvalidInput (`INVALID_PLAN`) that names the field at fault, or says that more was edited than `apply`.
 */
export function readPlan(value: unknown): MemoryFilesPlan {
  const read = planSchema.safeParse(value);
  if (!read.success) throw refusal(`The plan cannot be read: ${faultOf(value, read.error.issues[0])}.`);
  if (read.data.checksum !== checksumOf(read.data)) {
    throw refusal("The plan was edited: only `apply` of a change may be.");
  }
  return read.data;
}

function refusal(message: string): CompactError {
  const hint = "Make the plan again, and change nothing in it but `apply`.";
  return new CompactError("InvalidInput", message, { code: "INVALID_PLAN", hint });
}

/** In words of our own: whoever reads it has a file before them, and knows no schema. */
function faultOf(value: unknown, issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined || issue.path.length === 0) return "it is not an object with the fields of a plan";
  const field = issue.path.map(String).join(".");
  if (issue.code === "invalid_key") return `${field} is no file name from the workspace, parted by /`;
  const found = issue.path.reduce<unknown>(
    (inner, step) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, step) : undefined),
    value,
  );
  if (issue.code === "custom" && issue.message !== "Invalid input") return `${field} ${issue.message}`;
  return found === undefined ? `${field} is missing` : `${field} is not what a plan has there`;
}

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

// What tells a plan that was edited from one that was reviewed. No secret: it is against slips, and changes that nobody
// planned, not against whoever can compute it anew.

/** A plan before it is sealed. */
type UnsealedPlan = Omit<MemoryFilesPlan, "checksum">;

/** The plan with its checksum. */
export function sealPlan(plan: UnsealedPlan): MemoryFilesPlan {
  return { ...plan, checksum: checksumOf(plan) };
}

/**
 * 64 hex digits. Of all but what a person may change, `apply` of a change, the figures that depend on it, and the checksum
 * itself. The order of fields does not matter.
 */
function checksumOf(plan: UnsealedPlan): string {
  const { memory_size_after, over_limit_bytes, totals, ...rest } = plan;
  const changes = plan.changes.map((change) => ({ ...change, apply: null }));
  return sha256(JSON.stringify({ ...rest, checksum: undefined, changes }, inOrder));
}

/** Entries instead of objects, since fields whose names are numbers would be put first. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return { entries: entries.sort(([a], [b]) => (a < b ? -1 : 1)).flat() };
}

// Checks a journal that comes back from disk: names stay inside the workspace, what is to be removed stays inside the archive,
// ranges lie in the file they are of.
import * as z from "zod";
import { readTime } from "../../time.ts";
import type { JournalEntry } from "./journal.ts";
import { isDigestName, isInArchive, isOutsideArchive } from "./names.ts";

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

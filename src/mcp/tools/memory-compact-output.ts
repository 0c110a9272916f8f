// The structured form of what `memory_compact` answers: the fields of the spec under their names, each change by name, and
// how much of each list there is.
import * as z from "zod";
import * as parameters from "../parameters.ts";

const place = { line_from: z.int(), line_to: z.int() };
const sizes = { bytes_before: z.int(), bytes_after: z.int(), tokens_before: z.int(), tokens_after: z.int() };

const plannedOutput = z.object({
  id: z.int(),
  kind: z.string(),
  apply: z.boolean().describe("False: only proposed; also names what switches it on"),
  also: z.string().optional(),
  file: z.string(),
  reason: z.string(),
  what: z.array(z.string()).describe("Headings or lines that leave, with their place; notes of a digest"),
  left_out: z.int().optional().describe("Entries of what that are not shown"),
  ...sizes,
  archive: z.string().optional().describe("Where what leaves is kept"),
});

const issueOutput = z.object({
  file: z.string(),
  section: z.string(),
  similarity: z.number(),
  shared_tokens: z.int(),
  section_tokens: z.int(),
  severity: z.enum(["high", "medium"]).optional().describe("Absent: contained in the memory, but not similar to it"),
  recommendation: z.string().optional(),
  containment: z.number(),
  novel_tokens: z.array(z.string()),
  differs_in: z
    .string()
    .optional()
    .describe("Kind of what it says otherwise: negation, number, date, name, order, ..."),
  removable: z.boolean(),
  held_because: z.string().optional(),
  ...place,
});

const sectionOutput = z.object({
  file: z.string(),
  heading: z.string(),
  lines: z.int(),
  tokens: z.int(),
  tokens_exact: z.int(),
  preview: z.string(),
  bloated: z.boolean(),
  stays_because: z
    .string()
    .optional()
    .describe("Why moving would take others: lasting (not kept by day), recent, open, rule, ..."),
  ...place,
});

const nearOutput = z.object({
  file: z.string(),
  lines: z.array(z.int()).describe("The one and the other"),
  similarity: z.number(),
  differs_in: z.string(),
  only: z.array(z.array(z.string())).describe("Words that only the one has, only the other"),
});

const keptOutput = z.object({
  file: z.string(),
  section: z.string().optional(),
  code: z.string(),
  message: z.string(),
});

const possibleOutput = z.object({ also: z.string(), message: z.string() });

const noteOutput = z.object({
  file: z.string(),
  bytes: z.int(),
  tokens_exact: z.int(),
  due_for_rotation: z.boolean(),
});

const duplicateOutput = z.object({
  file: z.string(),
  text: z.string(),
  occurrences: z.int(),
  lines: z.array(z.int()),
});

const unreadOutput = z.object({ file: z.string(), code: z.string(), message: z.string() });

const appliedOutput = z.object({
  id: z.string().describe("For memory_restore"),
  kind: z.string(),
  file: z.string(),
  what: z.array(z.string()),
  archived: z.array(z.string()).describe("Where what left is kept, from the workspace"),
  left_out: z.int().optional().describe("Entries of what or archived that are not shown"),
  ...sizes,
});

const refusedOutput = z.object({
  change: z.int(),
  kind: z.string(),
  file: z.string(),
  code: z.string(),
  message: z.string(),
});

export const recoveredOutput = z.object({ id: z.string(), file: z.string(), state: z.string() });

const secretOutput = z.object({ file: z.string(), line: z.int(), rule: z.string() });

/** Lists of an answer, in the order in which they are given. */
export const listOutputs = {
  applied: z.array(appliedOutput).optional().describe("What was changed"),
  refused: z.array(refusedOutput).optional().describe("What was not, its file being as it was"),
  settled: z.array(recoveredOutput).optional().describe("What a run that died had begun"),
  changes: z.array(plannedOutput).optional().describe("The plan; after an apply, what was only proposed"),
  claude_memory: z
    .array(z.object({ message: z.string() }))
    .optional()
    .describe("Of a memory that Claude Code keeps"),
  cross_file_issues: z.array(issueOutput).optional().describe("Sections of notes like the memory; the highest first"),
  contained_sections: z.array(issueOutput).optional().describe("Sections whose words the memory holds"),
  sections: z.array(sectionOutput).optional().describe("Of the memory, the largest first"),
  large_notes: z.array(noteOutput).optional().describe("Above 8 KB, the largest first"),
  duplicate_lines: z.array(duplicateOutput).optional(),
  near_lines: z
    .array(nearOutput)
    .optional()
    .describe("Lines of two sections that say nearly the same: for you to merge"),
  held: z.array(keptOutput).optional().describe("What could go but stays, and why"),
  possible: z.array(possibleOutput).optional().describe("Not worked out yet; also switches it on"),
  unread: z.array(unreadOutput).optional().describe("Files left alone"),
};

export type ListName = keyof typeof listOutputs;

/** All but the lists. */
export const figuresOutput = z.object({
  dry_run: z.boolean(),
  workspace: z.string(),
  memory_file: z.string().nullable(),
  memory_size: z.int().describe("Bytes of the memory file before the changes, as in all figures of the analysis"),
  memory_characters: z.int(),
  memory_tokens: z.int().describe("Estimate"),
  memory_tokens_exact: z.int(),
  memory_size_before: z.int(),
  memory_size_after: z.int().describe("On disk; in a dry run what it would be"),
  max_memory_kb: z.number(),
  over_limit_bytes: z.int().describe("0 at or below the limit"),
  high_severity_count: z.int(),
  internal_duplicates: z.int(),
  rotated: z.boolean(),
  rotated_count: z.int(),
  run: z.int().nullable().optional(),
  plan_hash: z
    .string()
    .optional()
    .describe("Of a dry run: send it with dry_run: false, and nothing else is carried out"),
  totals: z
    .object({ changes: z.int(), files: z.int(), ...sizes })
    .describe("Of the changes that are to be applied, or were"),
  counts: z.record(z.string(), z.int()).describe("All there are of each list, and of notes"),
  secrets: z.array(secretOutput).optional().describe("First places of values that look like secrets; they stay"),
  left_out: z.int().optional().describe("After an apply: entries that had no room; memory_restore lists the changes"),
  next_cursor: parameters.nextCursor.optional(),
});

export const compactOutput = figuresOutput.extend(listOutputs);

export type CompactOutput = z.infer<typeof compactOutput>;

// The plan of a compaction without an agent: plain data that names every row it will touch and why, that a person can
// read, and that is checked when it comes back from a file.
import * as z from "zod";
import { planFile, planHeader } from "../../engine/plan-file.ts";
import { fingerprintOf } from "../../engine/staleness.ts";
import type { Trace } from "../../trace/emit.ts";
import { DEFAULT_SESSION, type Observation } from "../observation.ts";

const id = z.number().int().positive();
const count = z.number().int().nonnegative();
const fingerprintSchema = z.object({ id, updated_at: z.string(), hash: z.string().regex(/^[0-9a-f]{16}$/) }).readonly();

const shared = {
  /** The rows that will leave the live memory. */
  ids: z.array(id).min(1).readonly(),
  project: z.string().nullable(),
  scope: z.string(),
  namespace: z.string().nullable(),
  /** One sentence for a person. */
  reason: z.string(),
  tokens_before: count,
  tokens_after: count,
  /** Of every row the group rests on, the kept one included. */
  rows: z.array(fingerprintSchema).readonly(),
};

const duplicatesSchema = z.object({ kind: z.literal("near_duplicates"), kept: id, ...shared }).readonly();

const topicSchema = z
  .object({
    kind: z.literal("topic"),
    /** What the topic keys share. */
    family: z.string(),
    summary: z
      .object({
        title: z.string().min(1),
        content: z.string().min(1),
        source: z.enum(["extractive", "model", "model+ledger"]),
      })
      .readonly(),
    ...shared,
  })
  .readonly();

const groupSchema = z
  .discriminatedUnion("kind", [duplicatesSchema, topicSchema])
  .refine((group) => new Set(group.ids).size === group.ids.length, { path: ["ids"], message: "name one row twice" })
  .refine((group) => group.kind === "topic" || !group.ids.includes(group.kept), {
    path: ["ids"],
    message: "name the row that is kept",
  })
  .refine((group) => holdsExactly(group.rows, group.kind === "topic" ? group.ids : [...group.ids, group.kept]), {
    path: ["rows"],
    message: "are not those of ids and kept",
  });

const planSchema = z
  .object({
    ...planHeader("observations"),
    created_at: z.string(),
    filter: z
      .object({
        older_than_days: z.number().positive(),
        project: z.string().optional(),
        scope: z.string().optional(),
        namespace: z.string().optional(),
        type: z.string().optional(),
        session_id: z.string().optional(),
        topic: z.string().optional(),
      })
      .readonly(),
    groups: z.array(groupSchema).readonly(),
    /** What stays, and why. */
    left: z
      .object({
        /** Updated within the window. */
        living: count,
        /** Summaries of earlier compactions. */
        summaries: count,
        /** Preferences, policies, rules. */
        standing: count.optional(),
        /** Rows with a time that cannot be read. */
        unreadable: count,
        /** Topics whose summary would be as long as what it replaces. */
        not_beneficial: z.array(z.object({ family: z.string(), ids: z.array(id).readonly() }).readonly()).readonly(),
        /** Stale rows in no group. */
        ungrouped: count,
        /** Pairs that look alike and differ in a fact. */
        look_alikes: z
          .object({
            count,
            pairs: z.array(z.object({ ids: z.array(id).readonly(), differ_in: z.string() }).readonly()).readonly(),
          })
          .readonly(),
      })
      .readonly(),
    totals: z.object({ groups: count, rows: count, tokens_before: count, tokens_after: count }).readonly(),
  })
  .readonly();

export type CompactionPlan = z.infer<typeof planSchema>;
export type PlannedGroup = z.infer<typeof groupSchema>;
export type PlannedDuplicates = z.infer<typeof duplicatesSchema>;
export type PlannedTopic = z.infer<typeof topicSchema>;

export const { seal: sealPlan, read: readPlan } = planFile<CompactionPlan>({
  part: "observations",
  schema: planSchema,
});

/** Of every operation on stale rows. */
export interface CompactionOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly trace?: Pick<Trace, "emit"> | undefined;
}

/** Whose events they are where no session is named. */
export const OBSERVATIONS = { part: "observations", sessionId: DEFAULT_SESSION } as const;

function holdsExactly(rows: readonly { readonly id: number }[], ids: readonly number[]): boolean {
  const known = new Set(rows.map((row) => row.id));
  return rows.length === ids.length && ids.every((wanted) => known.has(wanted));
}

// What a plan remembers of a row, so that apply sees any change since: of its text, its place or its times.

interface RowFingerprint {
  readonly id: number;
  readonly updated_at: string;
  /** First 16 hex digits of a SHA-256 over all that the row says and where it belongs. */
  readonly hash: string;
}

export function fingerprint(row: Observation): RowFingerprint {
  const { title, content, type, topic_key, project, scope, namespace } = row;
  const hash = fingerprintOf([title, content, type, topic_key, project, scope, namespace]).slice(0, 16);
  return { id: row.id, updated_at: row.updated_at, hash };
}

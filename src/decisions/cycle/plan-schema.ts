// The plan of a cycle: plain data that names every decision whose level changes and why, that a person can read, and that
// is checked when it comes back from a file.
import * as z from "zod";
import { CompactError } from "../../errors.ts";
import { readTime } from "../../time.ts";
import { LEVELS } from "../decision.ts";
import type { ServedPolicy } from "../serving/served.ts";

const count = z.number().int().nonnegative();
const level = z.enum(LEVELS);
const hash = z.string().min(1);
const priority = z.number().min(0).max(1);

const itemSchema = z
  .object({
    id: z.string().min(1),
    category: z.string(),
    agent: z.string(),
    /** Of the last cycle; full where it had none. */
    from: level,
    to: level,
    /** One sentence for a person; never quotes the decision. */
    why: z.string(),
    /** Of the record it was planned from. */
    hash,
    /** What comes first: 0 to 1. */
    priority,
  })
  .readonly();

const rewriteSchema = z
  .object({ id: z.string().min(1), level: z.enum(["summary", "digest"]), hash, priority })
  .readonly();

const policySchema = z.custom<ServedPolicy>((value) => typeof value === "object" && value !== null);

const planSchema = z
  .object({
    version: z.literal(1),
    /** Levels are those of this time. */
    created_at: z.string().refine((written) => readTime(written) !== undefined, "must be a time"),
    filter: z.object({ category: z.string().optional(), agent: z.string().optional() }).readonly(),
    policies: z.array(policySchema).readonly(),
    /** Id of the last cycle's run; null before the first. */
    last_run: z.string().nullable(),
    /** Highest priority first, then by id. */
    items: z.array(itemSchema).readonly(),
    /** `full->summary`: how many. */
    counts: z.record(z.string(), count).readonly(),
    /** Decisions that keep their level and have no text made of the record as it is now. */
    rewrites: z.array(rewriteSchema).readonly(),
    /** All decisions of the filter, by the level they are due. */
    survey: z.object({ total: count, preserved: count, levels: z.record(level, count).readonly() }).readonly(),
  })
  .readonly()
  .refine(({ items, rewrites }) => isDistinct([...items, ...rewrites].map(({ id }) => id)), {
    message: "one decision stands in it twice",
  });

export type DecisionCompactionPlan = z.infer<typeof planSchema>;
export type PlannedChange = z.infer<typeof itemSchema>;
export type PlannedRewrite = z.infer<typeof rewriteSchema>;

/** Throws `InvalidInput` (`INVALID_PLAN`) that names the field at fault. */
export function readPlan(value: unknown): DecisionCompactionPlan {
  const read = planSchema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new CompactError("InvalidInput", `The plan cannot be read: ${faultOf(value, issue)}.`, {
    code: "INVALID_PLAN",
    hint: "Make the plan again, and change nothing in it.",
  });
}

/** In words of our own: whoever reads it has a file before them, and knows no schema. */
function faultOf(value: unknown, issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined || issue.path.length === 0) {
    return issue?.code === "custom" ? issue.message : "it is not an object with the fields of a plan";
  }
  const field = issue.path.map(String).join(".");
  const found = issue.path.reduce<unknown>(
    (inner, step) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, step) : undefined),
    value,
  );
  return found === undefined ? `${field} is missing` : `${field} is not what a plan has there`;
}

function isDistinct(ids: readonly string[]): boolean {
  return new Set(ids).size === ids.length;
}

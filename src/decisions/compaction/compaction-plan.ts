// The plan of a cycle: plain data that names every decision whose level changes and why, that a person can read. Checked when
// it comes back from a file, and again against the log before it is applied.
import * as z from "zod";
import { planFile, planHeader } from "../../engine/plan-file.ts";
import { checkPolicy, fingerprintOf, staleInputs, stalePlan } from "../../engine/staleness.ts";
import { readTime } from "../../time.ts";
import { LEVELS } from "../decision.ts";
import { type CycleRun, type DecisionReader, type DecisionWriter, inBatches, type LevelView } from "../decision-log.ts";
import { levelOf } from "../levels.ts";
import { readFilter } from "../serving/page-request.ts";
import { type ServedPolicy, servePolicy } from "../serving/served.ts";

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
    ...planHeader("decisions"),
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
  .refine(
    ({ items, rewrites }) =>
      new Set([...items, ...rewrites].map(({ id }) => id)).size === items.length + rewrites.length,
    {
      message: "one decision stands in it twice",
    },
  );

export type DecisionCompactionPlan = z.infer<typeof planSchema>;
export type PlannedChange = z.infer<typeof itemSchema>;
export type PlannedRewrite = z.infer<typeof rewriteSchema>;

export const { seal: sealPlan, read: readPlan } = planFile<DecisionCompactionPlan>({
  part: "decisions",
  schema: planSchema,
});

/** Where the events of decision logs belong: there are no sessions. */
export const DECISIONS = { part: "decisions", sessionId: "decisions" } as const;

// Whether a plan still holds: its policies govern, no record of it changed, none has another level than planned, no other
// cycle ran since.

const UNDONE = "No level was set";

/** `view` is of the time of the plan: that time passes makes no plan stale. @throws Conflict (`STALE_PLAN`). */
export async function checkPlan(log: DecisionReader, plan: DecisionCompactionPlan, view: LevelView): Promise<void> {
  checkPolicy(UNDONE, fingerprintOf(plan.policies), fingerprintOf(view.policies.map(servePolicy)));
  if ((await lastRun(log)) !== plan.last_run) throw stalePlan(`${UNDONE}: another cycle ran since the plan was made.`);
  const changed = [...(await changedItems(log, plan, view)), ...(await changedRewrites(log, plan, view))];
  if (changed.length > 0) throw staleInputs(UNDONE, "decision", changed);
}

/** The log counts them again, which is cheaper than reading every record: this stands inside the write of a cycle. */
async function changedItems(
  log: DecisionReader,
  { items, filter }: DecisionCompactionPlan,
  view: LevelView,
): Promise<readonly string[]> {
  if (items.length === 0) return [];
  const due = new Map((await log.levelChanges(view, readFilter(filter))).map((change) => [change.id, change]));
  const isAsPlanned = ({ id, from, to, hash }: PlannedChange) => {
    const now = due.get(id);
    return now?.from === from && now.to === to && now.hash === hash;
  };
  return items.filter((item) => !isAsPlanned(item)).map(({ id }) => id);
}

async function changedRewrites(
  log: DecisionReader,
  { rewrites }: DecisionCompactionPlan,
  view: LevelView,
): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const batch of inBatches(rewrites)) {
    const found = await log.decisions(batch.map(({ id }) => id));
    const byId = new Map(found.map((decision) => [decision.id, decision]));
    for (const { id, hash, level } of batch) {
      const decision = byId.get(id);
      const isAsPlanned = decision?.hash === hash && levelOf(view.policies, decision, view.now) === level;
      if (!isAsPlanned) changed.push(id);
    }
  }
  return changed;
}

// Which cycle ran last: what a plan is good for. The runs themselves are sorted by their times, and clocks are set back.

const LAST_RUN_KEY = "last_run";

/** Null before the first. */
export async function lastRun(log: Pick<DecisionReader, "state">): Promise<string | null> {
  const id = await log.state(LAST_RUN_KEY);
  return typeof id === "string" ? id : null;
}

export async function addRun(log: Pick<DecisionWriter, "addRun" | "setState">, run: CycleRun): Promise<void> {
  await log.addRun(run);
  await log.setState(LAST_RUN_KEY, run.id);
}

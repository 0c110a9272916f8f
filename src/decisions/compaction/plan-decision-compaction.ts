// Plans a cycle: which decisions have another level than after the last one, and of which a text must be written anew.
// Reads only; what a level is is in levels.ts, what is done about it in apply-decision-compaction.ts.
import * as z from "zod";
import { attempt, emitDone } from "../../engine/attempt.ts";
import { planFile, planHeader } from "../../engine/plan-file.ts";
import { checkPolicy, fingerprintOf, staleInputs, stalePlan } from "../../engine/staleness.ts";
import { groupBy } from "../../text/words.ts";
import { isoTime, readTime } from "../../time.ts";
import type { Times } from "../../trace/emit.ts";
import { type Decision, LEVELS, REVIEWED } from "../decision.ts";
import {
  type CycleRun,
  type DecisionLog,
  type DecisionOptions,
  type DecisionReader,
  type DecisionText,
  type DecisionWriter,
  inBatches,
  type LevelChange,
  type LeveledDecision,
  type LevelView,
  type PageQuery,
  pagesOf,
} from "../decision-log.ts";
import { agedFrom, type DecisionPolicy, isPreservedUnder, levelOf, type Policies, policyFor } from "../levels.ts";
import { type PageRequest, readFilter } from "../serving/page-request.ts";
import { type ServedPolicy, servePolicy } from "../serving/served.ts";
import { confidenceRange } from "../statistics.ts";
import type { TextWriter } from "../texts/text-writer.ts";

/** Which decisions a cycle is about; absent or blank: all. */
export type CycleFilter = Pick<PageRequest, "category" | "agent">;

interface PlanOptions extends DecisionOptions {
  /** By whom texts will be written: those that it has not written yet are planned. Absent: any text of a record will do. */
  readonly texts?: Pick<TextWriter, "strategy" | "model"> | undefined;
}

/**
 * Plain data for `applyDecisionCompaction`; nothing is written.
 *
 * What comes first is decided by `priority`, from 0 to 1: the lowest confidence component of a decision times (1 - the
 * distance to its highest). A decision whose components are low or far apart is less settled and is compacted later, so
 * texts are written in this order too. A decision with one confidence has it as its priority, one without any 0.5.
 * @throws NotFound where there is no log; StoreFailed.
 */
export function planDecisionCompaction(
  log: DecisionLog,
  request: CycleFilter,
  options: PlanOptions,
): Promise<DecisionCompactionPlan> {
  return attempt(DECISIONS, options, (elapsed) => makePlan(log, request, options, elapsed));
}

/** Tells what it planned, but no failure: for those who tell their own. */
export async function makePlan(
  log: DecisionLog,
  request: CycleFilter,
  options: PlanOptions,
  elapsed: () => Times,
): Promise<DecisionCompactionPlan> {
  const { policies, now, texts } = options;
  const filter = readFilter(request);
  const view = { policies, now };
  const plan = await log.read(async (reader): Promise<DecisionCompactionPlan> => {
    const changes = await reader.levelChanges(view, filter);
    const why = await explainChanges(reader, changes, policies);
    const changing = new Set(changes.map(({ id }) => id));
    return sealPlan({
      created_at: isoTime(now),
      filter,
      policies: policies.map(servePolicy),
      last_run: await lastRun(reader),
      items: changes
        .map(({ confidence, ...change }, index) => ({
          ...change,
          why: why[index] ?? "",
          priority: priorityOf(confidence),
        }))
        .sort(byPriority),
      counts: countMoves(changes),
      rewrites: await findRewrites(reader, { filter, view }, changing, texts),
      survey: await reader.survey({ filter, view }),
    });
  });
  const { items, rewrites, survey } = plan;
  const { total, preserved, levels } = survey;
  const counts = { total, preserved, changes: items.length, rewrites: rewrites.length, ...levels };
  emitDone("compact.plan", DECISIONS, { ids: items.map(({ id }) => id), counts }, options, elapsed());
  return plan;
}

/** By `full->summary` and the like, sorted. */
function countMoves(changes: readonly LevelChange[]): Readonly<Record<string, number>> {
  const moves = [...groupBy(changes, ({ from, to }) => `${from}->${to}`)].map(
    ([move, { length }]) => [move, length] as const,
  );
  return Object.fromEntries(moves.sort(([a], [b]) => (a < b ? -1 : 1)));
}

// Why a decision's level changes, in one sentence for whoever reads the plan.

/** In the order of `changes`. Records are looked at only where standing, not age, may be the reason. */
async function explainChanges(
  log: Pick<DecisionReader, "decisions">,
  changes: readonly LevelChange[],
  policies: Policies,
): Promise<readonly string[]> {
  const whole = new Map<string, Decision>();
  const ids = changes.filter(({ to }) => to === "full").map(({ id }) => id);
  for (const batch of inBatches(ids)) {
    for (const decision of await log.decisions(batch)) whole.set(decision.id, decision);
  }
  return changes.map((change) => {
    const policy = policyFor(policies, change);
    const decision = whole.get(change.id);
    // Its own mark, whatever the policy says.
    if (policy.isEnabled && decision?.isPreserved === true) return "Preserved.";
    const why = change.to === "full" ? whyFull(policy, decision) : whyShorter(policy, change);
    return `${why} (policy "${policy.name}").`;
  });
}

function whyShorter({ thresholds, ageBasis }: DecisionPolicy, { to }: LevelChange): string {
  const { full, summary, digest } = thresholds;
  const since = ageBasis === "review" ? "the review" : "the decision";
  if (to === "summary") return `Reviewed, ${full} to ${summary} days since ${since}`;
  if (to === "digest") return `Reviewed, ${summary} to ${digest} days since ${since}`;
  return `Reviewed, ${digest} days or more since ${since}`;
}

function whyFull(policy: DecisionPolicy, decision: Decision | undefined): string {
  if (decision === undefined || !policy.isEnabled) return "Everything stays full";
  if (isPreservedUnder(policy, decision)) return "Preserved for its stakes or a tag";
  if (decision.status !== REVIEWED) return "Not reviewed";
  const at = agedFrom(policy, decision);
  return at === undefined ? "Without a readable date" : `Less than ${policy.thresholds.full} days old`;
}

// Decisions that keep the level of a summary or digest, but have no text made of the record as it is now: it was changed
// since, or another model or strategy writes from now on.

async function findRewrites(
  log: Pick<DecisionReader, "page" | "texts">,
  { filter, view }: Pick<PageQuery, "filter" | "view">,
  /** Ids whose texts are planned already. */
  changing: ReadonlySet<string>,
  writer: PlanOptions["texts"],
): Promise<readonly PlannedRewrite[]> {
  const found: PlannedRewrite[] = [];
  for await (const page of pagesOf(log, { filter, view, levels: ["summary", "digest"] })) {
    const staying = page.filter(({ decision }) => !changing.has(decision.id));
    const ids = staying.map(({ decision }) => decision.id);
    const written = await writtenTexts(log, ids, writer);
    found.push(...staying.filter((item) => !written.has(textKey(item.decision.id, item.level))).map(plannedRewrite));
  }
  return found.sort(byPriority);
}

/** Keys of the texts that these decisions have from this writer; without one, from any. */
export async function writtenTexts(
  log: Pick<DecisionReader, "texts">,
  ids: readonly string[],
  writer: PlanOptions["texts"],
): Promise<ReadonlySet<string>> {
  const texts = ids.length === 0 ? [] : await log.texts(ids);
  const isOfWriter = ({ strategy, model }: DecisionText) =>
    writer === undefined || (strategy === writer.strategy && model === writer.model);
  return new Set(texts.filter(isOfWriter).map(({ id, level }) => textKey(id, level)));
}

export function textKey(id: string, level: string): string {
  return `${level} ${id}`;
}

function plannedRewrite({ decision, level }: LeveledDecision): PlannedRewrite {
  const priority = priorityOf(confidenceRange(decision));
  return { id: decision.id, level: level === "summary" ? "summary" : "digest", hash: decision.hash, priority };
}

// What a cycle turns to first. Confidence components say how settled a decision is: where one of its reasons is weak, or
// its reasons are far apart, it may be looked at again, so it is compacted later.

/** Of a decision that says nothing about its confidence: neither early nor late. */
const UNKNOWN_CONFIDENCE = 0.5;

/**
 * `least * (1 - spread)`: the lowest component, made smaller by how far the highest is above it; 0 to 1. A decision with a
 * lone confidence of 0.9 has 0.9; with components of 0.9 and 0.5 it has 0.5 * (1 - 0.4) = 0.3; one without any has 0.5.
 */
function priorityOf(confidence: LevelChange["confidence"]): number {
  if (confidence === undefined) return UNKNOWN_CONFIDENCE;
  const { least, spread } = confidence;
  return Math.min(1, Math.max(0, least * (1 - spread)));
}

/** Highest first, equals by id. */
export function byPriority(
  a: { readonly priority: number; readonly id: string },
  b: { readonly priority: number; readonly id: string },
): number {
  return b.priority - a.priority || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

// The plan of a cycle: plain data that names every decision whose level changes and why, that a person can read. Checked when
// it comes back from a file, and again against the log before it is applied.

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
type PlannedRewrite = z.infer<typeof rewriteSchema>;

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
async function lastRun(log: Pick<DecisionReader, "state">): Promise<string | null> {
  const id = await log.state(LAST_RUN_KEY);
  return typeof id === "string" ? id : null;
}

export async function addRun(log: Pick<DecisionWriter, "addRun" | "setState">, run: CycleRun): Promise<void> {
  await log.addRun(run);
  await log.setState(LAST_RUN_KEY, run.id);
}

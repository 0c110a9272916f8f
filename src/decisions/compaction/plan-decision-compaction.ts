// Plans a cycle: which decisions have another level than after the last one, and of which a text must be written anew.
// Reads only; what a level is is in levels.ts, what is done about it in apply-decision-compaction.ts.
import { attempt, emitDone } from "../../engine/attempt.ts";
import { groupBy } from "../../text/words.ts";
import { isoTime } from "../../time.ts";
import type { Times } from "../../trace/emit.ts";
import { type Decision, REVIEWED } from "../decision.ts";
import {
  type DecisionLog,
  type DecisionOptions,
  type DecisionReader,
  type DecisionText,
  inBatches,
  type LevelChange,
  type LeveledDecision,
  type PageQuery,
  pagesOf,
} from "../decision-log.ts";
import { agedFrom, type DecisionPolicy, isPreservedUnder, type Policies, policyFor } from "../levels.ts";
import { type PageRequest, readFilter } from "../serving/page-request.ts";
import { servePolicy } from "../serving/served.ts";
import { confidenceRange } from "../statistics.ts";
import type { TextWriter } from "../texts/text-writer.ts";
import { DECISIONS, type DecisionCompactionPlan, lastRun, type PlannedRewrite, sealPlan } from "./compaction-plan.ts";

export type { DecisionCompactionPlan } from "./compaction-plan.ts";

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

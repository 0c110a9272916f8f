// Plans a cycle: which decisions have another level than after the last one, and of which a text must be written anew.
// Reads only; what a level is stands in levels/, what is done about it in apply-decision-compaction.ts.
import { isoTime } from "../time.ts";
import { startWatch, type Times } from "../trace/watch.ts";
import { type CycleOptions, clockOf } from "./cycle/cycle-options.ts";
import { explainChanges } from "./cycle/explain-changes.ts";
import { findRewrites } from "./cycle/find-rewrites.ts";
import { lastRun } from "./cycle/last-run.ts";
import type { DecisionCompactionPlan } from "./cycle/plan-schema.ts";
import { byPriority, priorityOf } from "./cycle/priority.ts";
import { DECISIONS_SESSION, MOST_TOLD, tellingFailure } from "./cycle/tell-failure.ts";
import type { DecisionLog, LevelChange } from "./decision-log.ts";
import type { DecisionOptions } from "./decision-options.ts";
import { type PageRequest, readFilter } from "./serving/read-request.ts";
import { servePolicy } from "./serving/serve-policy.ts";
import type { TextWriter } from "./texts/text-writer.ts";

export type { DecisionCompactionPlan } from "./cycle/plan-schema.ts";

/** Which decisions a cycle is about; absent or blank: all. */
export type CycleFilter = Pick<PageRequest, "category" | "agent">;

export interface PlanOptions extends DecisionOptions {
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
  return tellingFailure(options, () => makePlan(log, request, options));
}

/** Tells what it planned, but no failure: for those who tell their own. */
export async function makePlan(
  log: DecisionLog,
  request: CycleFilter,
  options: PlanOptions & Pick<CycleOptions, "clock">,
): Promise<DecisionCompactionPlan> {
  const watch = startWatch(clockOf(options));
  const { policies, now, texts } = options;
  const filter = readFilter(request);
  const view = { policies, now };
  const plan = await log.read(async (reader): Promise<DecisionCompactionPlan> => {
    const changes = await reader.levelChanges(view, filter);
    const why = await explainChanges(reader, changes, policies);
    const changing = new Set(changes.map(({ id }) => id));
    return {
      version: 1,
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
      rewrites: await findRewrites(reader, { filter, view, changing, writer: texts }),
      survey: await reader.survey({ filter, view }),
    };
  });
  tell(plan, watch(), options);
  return plan;
}

/** By `full->summary` and the like, sorted. */
function countMoves(changes: readonly LevelChange[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { from, to } of changes) counts.set(`${from}->${to}`, (counts.get(`${from}->${to}`) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function tell(
  { items, rewrites, survey }: DecisionCompactionPlan,
  times: Times,
  { trace }: Pick<DecisionOptions, "trace">,
): void {
  trace?.emit({
    event: "compact.plan",
    part: "decisions",
    session_id: DECISIONS_SESSION,
    ids: items.slice(0, MOST_TOLD).map(({ id }) => id),
    counts: {
      total: survey.total,
      preserved: survey.preserved,
      changes: items.length,
      rewrites: rewrites.length,
      ...survey.levels,
    },
    ...times,
  });
}

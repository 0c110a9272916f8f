// One cycle over a decision log: looks at every decision, writes the texts that are due, notes who stands where. What
// clients are served does not wait for it; it gives them better texts, and tells what changed.
import { CompactError } from "../errors.ts";
import { settle } from "./apply-decision-compaction.ts";
import { type CycleOptions, clockOf } from "./cycle/cycle-options.ts";
import { type Lease, underLease } from "./cycle/lease.ts";
import type { DecisionCompactionPlan } from "./cycle/plan-schema.ts";
import { tellingFailure } from "./cycle/tell-failure.ts";
import { addTexts, NO_TEXTS, writeTexts } from "./cycle/write-texts.ts";
import type { Level } from "./decision.ts";
import type { CycleRun, DecisionLog, LevelCounts } from "./decision-log.ts";
import { type CycleFilter, makePlan } from "./plan-decision-compaction.ts";
import { serveFaults } from "./serving/serve-page.ts";
import type { ServedDecisions } from "./serving/served.ts";

export interface CycleRequest extends CycleFilter {
  /** True: says what a cycle would change, and writes nothing at all. Default false. */
  readonly dryRun?: boolean | undefined;
  /** Who asks, as the run notes it: `schedule`, `cli`, an agent. Default `request`. */
  readonly trigger?: string | undefined;
}

export interface CycleResult extends Pick<ServedDecisions, "errors" | "errorsTotal"> {
  /** Decisions looked at, full ones included. */
  readonly compacted: number;
  /** By their mark or by their policy. */
  readonly preserved: number;
  readonly levels: LevelCounts;
  readonly dryRun: boolean;
  /** At most 100, in the order of their priority. */
  readonly changed: readonly { readonly id: string; readonly from: Level; readonly to: Level }[];
  /** All of them. */
  readonly changedTotal: number;
  /** Absent for a dry run. */
  readonly run?: CycleRun;
}

/** Changes that a result names. */
const MOST_CHANGES = 100;

/** How often a cycle plans anew because records changed while texts were written. */
const MOST_PLANS = 5;

/**
 * One cycle runs at a time, across processes; one that crashed holds up others until its lease expires. Records may be
 * written meanwhile: the cycle then plans again, and keeps the texts that it has.
 * @throws Conflict (`CYCLE_RUNNING`); Conflict (`STALE_PLAN`) when records were changed again and again; the reason of an
 * aborted `signal`; NotFound where there is no log; StoreFailed.
 */
export function compactDecisions(log: DecisionLog, request: CycleRequest, options: CycleOptions): Promise<CycleResult> {
  return tellingFailure(options.trace, async () => {
    if (request.dryRun === true) return resultOf(log, await makePlan(log, request, options));
    return underLease(log, clockOf(options), (lease) => runCycle(log, request, lease, options));
  });
}

async function runCycle(
  log: DecisionLog,
  request: CycleRequest,
  lease: Lease,
  given: CycleOptions,
): Promise<CycleResult> {
  const options = { ...given, clock: clockOf(given), trigger: request.trigger };
  const started = options.clock();
  let texts = NO_TEXTS;
  for (let plans = 1; ; plans++) {
    const plan = await makePlan(log, request, options);
    texts = addTexts(texts, await writeTexts(log, plan, lease, options));
    options.signal?.throwIfAborted();
    try {
      return await resultOf(log, plan, await settle(log, plan, { lease, options, started, texts }));
    } catch (error) {
      if (plans >= MOST_PLANS || !CompactError.isInstance(error) || error.code !== "STALE_PLAN") throw error;
    }
  }
}

async function resultOf(log: DecisionLog, plan: DecisionCompactionPlan, run?: CycleRun): Promise<CycleResult> {
  const { total, preserved, levels } = run ?? plan.survey;
  return {
    compacted: total,
    preserved,
    levels,
    dryRun: run === undefined,
    changed: plan.items.slice(0, MOST_CHANGES).map(({ id, from, to }) => ({ id, from, to })),
    changedTotal: plan.items.length,
    ...(run === undefined ? {} : { run }),
    ...(await log.read(serveFaults)),
  };
}

// One cycle over a decision log: looks at every decision, writes the texts that are due, notes who stands where. What
// clients are served does not wait for it; it gives them better texts, and tells what changed.
import { attempt } from "../../engine/attempt.ts";
import { CompactError } from "../../errors.ts";
import { startWatch, type Times } from "../../trace/emit.ts";
import type { Level } from "../decision.ts";
import type { CycleRun, DecisionLog, LevelCounts } from "../decision-log.ts";
import { serveFaults } from "../serving/query-decisions.ts";
import type { ServedDecisions } from "../serving/served.ts";
import {
  addTexts,
  commitPlan,
  type DecisionCompactionReport,
  NO_TEXTS,
  runCycle,
  writeTexts,
} from "./apply-decision-compaction.ts";
import type { CycleOptions } from "./cycle-lease.ts";
import { judgeWordings } from "./judge-wordings.ts";
import { type CycleFilter, DECISIONS, type DecisionCompactionPlan, makePlan } from "./plan-decision-compaction.ts";

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
  /** For a person: the model failed again and again, so the rest of the texts was left to code. */
  readonly warning?: string;
}

/** Changes that a result names. */
const MOST_CHANGES = 100;

/** How often a cycle plans anew because records changed while texts were written. */
const MOST_PLANS = 5;

/** A cycle that was carried out: by which plan, and what came of it. */
export interface CarriedOutCycle {
  readonly plan: DecisionCompactionPlan;
  readonly report: DecisionCompactionReport;
}

interface CarryOutOptions extends CycleOptions {
  /** Told of each plan before its texts are written: the first, and those made anew because records changed meanwhile. */
  readonly onPlan?: ((plan: DecisionCompactionPlan) => void) | undefined;
}

/**
 * One cycle runs at a time, across processes; one that crashed holds up others until its lease expires. Records may be
 * written meanwhile: the cycle then plans again, and keeps the texts that it has.
 * @throws Conflict (`CYCLE_RUNNING`); Conflict (`STALE_PLAN`) when records were changed again and again; the reason of an
 * aborted `signal`; NotFound where there is no log; StoreFailed.
 */
export function compactDecisions(log: DecisionLog, request: CycleRequest, options: CycleOptions): Promise<CycleResult> {
  return attempt(DECISIONS, options, async (elapsed) => {
    if (request.dryRun === true) return cycleResult(log, await makePlan(log, request, options, elapsed));
    const { plan, report } = await planUntilCommitted(log, request, options, elapsed);
    return cycleResult(log, plan, report);
  });
}

/** The cycle of `compactDecisions`, with its plan. `dryRun` is not looked at. Throws the same. */
export function carryOutCycle(
  log: DecisionLog,
  request: CycleRequest,
  options: CarryOutOptions,
): Promise<CarriedOutCycle> {
  return attempt(DECISIONS, options, (elapsed) => planUntilCommitted(log, request, options, elapsed));
}

function planUntilCommitted(
  log: DecisionLog,
  request: CycleRequest,
  given: CarryOutOptions,
  elapsed: () => Times,
): Promise<CarriedOutCycle> {
  return runCycle({ log, options: { ...given, trigger: request.trigger }, elapsed }, async (cycle) => {
    let texts = NO_TEXTS;
    for (let plans = 1; ; plans++) {
      const plan = await makePlan(log, request, cycle.options, startWatch(cycle.options.clock));
      given.onPlan?.(plan);
      texts = addTexts(texts, await writeTexts(cycle, plan));
      await judgeWordings(cycle);
      try {
        return { plan, report: await commitPlan(cycle, plan, texts) };
      } catch (error) {
        if (plans >= MOST_PLANS || !CompactError.isInstance(error) || error.code !== "STALE_PLAN") throw error;
      }
    }
  });
}

/** What a cycle answers: of a plan alone, what it would change; with its report, what it did. */
export async function cycleResult(
  log: DecisionLog,
  plan: DecisionCompactionPlan,
  report?: DecisionCompactionReport,
): Promise<CycleResult> {
  const { run, warning } = report ?? {};
  const { total, preserved, levels } = run ?? plan.survey;
  return {
    compacted: total,
    preserved,
    levels,
    dryRun: run === undefined,
    changed: plan.items.slice(0, MOST_CHANGES).map(({ id, from, to }) => ({ id, from, to })),
    changedTotal: plan.items.length,
    ...(run === undefined ? {} : { run }),
    ...(warning === undefined ? {} : { warning }),
    ...(await log.read(serveFaults)),
  };
}

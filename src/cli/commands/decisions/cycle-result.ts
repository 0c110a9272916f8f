// The result of `decisions compact` for a script: what `cstp.compact` answers, whichever way the cycle was run. A dry run is
// besides the plan that --plan takes.
import type { DecisionCompactionReport } from "../../../decisions/apply-decision-compaction.ts";
import type { CycleResult } from "../../../decisions/compact-decisions.ts";
import type { DecisionCompactionPlan } from "../../../decisions/cycle/plan-schema.ts";

export type Faults = Pick<CycleResult, "errors" | "errorsTotal">;

const MOST_CHANGES = 100;

export function dryResult(plan: DecisionCompactionPlan, faults: Faults): CycleResult & DecisionCompactionPlan {
  return { ...resultOf(plan, plan.survey, true), ...faults, ...plan };
}

export function doneResult(
  plan: DecisionCompactionPlan,
  { run, texts, warning }: DecisionCompactionReport,
  faults: Faults,
): CycleResult & Pick<DecisionCompactionReport, "texts"> {
  return { ...resultOf(plan, run, false), run, texts, ...(warning === undefined ? {} : { warning }), ...faults };
}

function resultOf(
  { items }: DecisionCompactionPlan,
  { total, preserved, levels }: DecisionCompactionPlan["survey"],
  dryRun: boolean,
): CycleResult {
  const changed = items.slice(0, MOST_CHANGES).map(({ id, from, to }) => ({ id, from, to }));
  return { compacted: total, preserved, levels, dryRun, changed, changedTotal: items.length };
}

// The latest state of plans and to-do lists that tools keep; where none does, of the check list that the assistant wrote.
import type { Stepwise } from "../../tokens/turns/stepwise.ts";
import { readExecutions } from "../calls/executions.ts";
import type { FactMessage } from "../fact-message.ts";
import type { PlanFact } from "../ledger.ts";
import { saidCheckLists } from "../plans/check-lists.ts";
import { taskPlan } from "../plans/task-tools.ts";
import { toolPlans } from "../plans/tool-plans.ts";

export { mergePlans } from "../plans/merge-plans.ts";

/** `stateTools`: names of further tools whose latest call or result is the state of something. */
export function* extractPlansStepwise(
  messages: readonly FactMessage[],
  stateTools: readonly string[] = [],
): Stepwise<readonly PlanFact[]> {
  const executions = readExecutions(messages);
  const tasks = taskPlan(executions);
  yield;
  const kept = [...toolPlans(executions, stateTools), ...(tasks === undefined ? [] : [tasks])];
  // What a tool keeps is the state; a list that is written out besides only repeats it.
  return kept.length > 0 ? kept : saidCheckLists(messages);
}

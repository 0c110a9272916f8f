// The latest state of plans and to-do lists: those that tools keep, and the steps that the assistant announced.
import { runThrough, type Stepwise } from "../../tokens/turns/stepwise.ts";
import { type Execution, readExecutions } from "../calls/executions.ts";
import { isProbe } from "../commands/command-text.ts";
import type { FactMessage } from "../fact-message.ts";
import { cite, type PlanFact } from "../ledger.ts";
import { AnnouncedPlans } from "../plans/announced-plan.ts";
import { saidCheckLists } from "../plans/check-lists.ts";
import { findStepLists, stepOf } from "../plans/step-lists.ts";
import { findMentions, saysAllDone } from "../plans/step-mentions.ts";
import { taskPlan } from "../plans/task-tools.ts";
import { toolPlans } from "../plans/tool-plans.ts";
import { commandOf } from "./commands.ts";
import { doneOperations } from "./files.ts";

export { mergePlans } from "../plans/merge-plans.ts";

/** `stateTools`: names of further tools whose latest call or result is the state of something. */
export function extractPlans(
  messages: readonly FactMessage[],
  stateTools: readonly string[] = [],
): readonly PlanFact[] {
  return runThrough(extractPlansStepwise(messages, stateTools));
}

export function* extractPlansStepwise(
  messages: readonly FactMessage[],
  stateTools: readonly string[] = [],
): Stepwise<readonly PlanFact[]> {
  const executions = readExecutions(messages);
  const tasks = taskPlan(executions);
  const kept = [...toolPlans(executions, stateTools), ...(tasks === undefined ? [] : [tasks])];
  yield;
  // What a tool keeps is the state; a list that is written out besides only repeats it.
  const written = kept.length > 0 ? [] : saidCheckLists(messages);
  yield;
  return [...kept, ...written, ...(yield* announcedPlans(messages, executions, kept))];
}

function* announcedPlans(
  messages: readonly FactMessage[],
  executions: readonly Execution[],
  kept: readonly PlanFact[],
): Stepwise<readonly PlanFact[]> {
  const plans = new AnnouncedPlans();
  const worked = new Set(executions.filter(isWork).map(({ source, resultSource }) => cite(resultSource ?? source)));
  for (const message of messages) {
    readSpoken(message, plans);
    for (const { name, input } of message.calls) {
      if (!/plan/i.test(name) || typeof input?.plan !== "string") continue;
      for (const list of findStepLists(input.plan, true)) plans.announce(list, message.source);
    }
    if (worked.has(cite(message.source))) plans.work(message.source);
    yield;
  }
  return plans.facts(kept);
}

function readSpoken({ spoken, source }: FactMessage, plans: AnnouncedPlans): void {
  if (spoken.some(({ author }) => author === "user")) plans.userSpoke();
  for (const { author, text } of spoken) {
    if (author !== "user" && author !== "assistant") continue;
    // What is said of steps before a new list is about the old one.
    const lists = author === "assistant" && /\d/.test(text) ? findStepLists(text, false) : [];
    for (const list of lists) plans.announce(list, source);
    if (author === "assistant" && lists.length === 0) nameSteps(text, plans, source);
    for (const mention of findMentions(text)) plans.mention(mention, source, author === "user");
    if (saysAllDone(text)) plans.allDone(source);
  }
}

/** "Phase 2: backfill the rows", alone on its line. */
function nameSteps(text: string, plans: AnnouncedPlans, source: FactMessage["source"]): void {
  if (!/\b(?:phase|stage|milestone|step) \d/i.test(text)) return;
  for (const line of text.split("\n", 400)) {
    const step = stepOf(line);
    if (step?.isLabelled === true && step.text.includes(":")) plans.name(step, source);
  }
}

/** Something was changed or run, not only looked at. */
function isWork(execution: Execution): boolean {
  if (execution.result === undefined || execution.result.isError) return false;
  const command = commandOf(execution.call);
  if (command !== undefined && !isProbe(command)) return true;
  return doneOperations(execution).some(({ operation }) => operation !== "read");
}

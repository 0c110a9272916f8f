// Carries plans over a round. The newest state of a tool stands for all before it; tasks kept by id are brought up to
// date one by one, because a later round names only those that changed.
import type { PlanFact } from "../ledger.ts";
import { TASK_LIST } from "./task-tools.ts";
import { listName } from "./tool-plans.ts";

type Item = PlanFact["items"][number];

export function mergePlans(earlier: readonly PlanFact[], later: readonly PlanFact[]): readonly PlanFact[] {
  const plans = [...earlier];
  for (const plan of later) {
    const at = plans.findIndex(({ from }) => from === plan.from || listName(from) === listName(plan.from));
    const known = plans[at];
    if (known === undefined) plans.push(plan);
    else plans[at] = plan.from === TASK_LIST ? { ...plan, items: overlaid(known.items, plan.items) } : plan;
  }
  return plans;
}

function overlaid(known: readonly Item[], changes: readonly Item[]): readonly Item[] {
  const items = [...known];
  for (const change of changes) {
    const at = items.findIndex(({ text }) => itemKey(text) === itemKey(change.text));
    const before = items[at];
    if (before === undefined) items.push(change);
    else items[at] = { ...change, text: isBare(change.text) ? before.text : change.text };
  }
  return items;
}

/** The id that a task's text opens with. */
function itemKey(text: string): string {
  return /^#[\w-]{1,60}/.exec(text)?.[0] ?? text;
}

/** A task of an earlier round, known by its id alone. */
function isBare(text: string): boolean {
  return /^#[\w-]{1,60}$/.test(text);
}

// Carries plans over a round. The newest state of a tool stands for all before it; tasks kept by id and announced
// steps are brought up to date one by one, because a later round names only those that changed.
import type { PlanFact } from "../ledger.ts";
import { ANNOUNCED, sameStep, stepKey } from "./announced-plan.ts";
import { TASK_LIST } from "./task-tools.ts";
import { listName } from "./tool-plans.ts";

type Item = PlanFact["items"][number];

export function mergePlans(earlier: readonly PlanFact[], later: readonly PlanFact[]): readonly PlanFact[] {
  const plans = [...earlier];
  for (const plan of later) {
    const at = plans.findIndex((known) => isSamePlan(known, plan));
    const known = plans[at];
    if (known === undefined) {
      if (plan.from !== ANNOUNCED || plan.items.some(({ text }) => !isBare(text))) plans.push(plan);
    } else plans[at] = plan.from === TASK_LIST || plan.from === ANNOUNCED ? updated(known, plan) : plan;
  }
  return plans;
}

function isSamePlan(known: PlanFact, plan: PlanFact): boolean {
  if (known.from === ANNOUNCED) return plan.from === ANNOUNCED && trackOfPlan(known) === trackOfPlan(plan);
  return known.from === plan.from || listName(known.from) === listName(plan.from);
}

function trackOfPlan({ items }: PlanFact): string | undefined {
  return stepKey(items[0]?.text ?? "")?.split(" ")[0];
}

/** A step without words on what it is about: known from a list of an earlier round, or not at all. */
function isBare(text: string): boolean {
  return /^(?:[A-Za-z]{1,12} \d{1,3}|#[\w-]{1,60})$/.test(text);
}

function updated(known: PlanFact, plan: PlanFact): PlanFact {
  const isNewList = plan.from === ANNOUNCED && plan.items.filter(({ text }) => !isBare(text)).length > 1;
  const items = isNewList ? plan.items.map((item) => carried(known.items, item)) : overlaid(known.items, plan.items);
  return { ...plan, items };
}

/** A list that is announced anew keeps what is known of its steps. */
function carried(known: readonly Item[], item: Item): Item {
  const before = known.find(({ text }) => sameStep(text, item.text));
  return before !== undefined && item.status === "not_started" ? { ...before, text: item.text } : item;
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

function itemKey(text: string): string {
  return /^#[\w-]{1,60}/.exec(text)?.[0] ?? stepKey(text) ?? text;
}

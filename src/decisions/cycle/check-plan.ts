// Whether a plan still holds: no record of it changed, none has another level than planned, no other cycle ran since.
import { CompactError } from "../../errors.ts";
import type { StoredDecision } from "../decision.ts";
import type { DecisionReader, LevelView } from "../decision-log.ts";
import { levelOf } from "../levels/level.ts";
import { readFilter } from "../serving/read-request.ts";
import { inBatches } from "./in-batches.ts";
import { lastRun } from "./last-run.ts";
import type { DecisionCompactionPlan, PlannedRewrite } from "./plan-schema.ts";

/** Ids that an error names. */
const NAMED = 20;

/** `view` is of the time of the plan: that time passes makes no plan stale. @throws Conflict (`STALE_PLAN`). */
export async function checkPlan(log: DecisionReader, plan: DecisionCompactionPlan, view: LevelView): Promise<void> {
  if ((await lastRun(log)) !== plan.last_run) throw stale("another cycle ran since the plan was made", []);
  const changed = [...(await changedItems(log, plan, view)), ...(await changedRewrites(log, plan, view))];
  if (changed.length === 0) return;
  const named = changed.slice(0, NAMED).join(", ");
  const more = changed.length > NAMED ? ` and ${changed.length - NAMED} more` : "";
  const what = changed.length === 1 ? `decision ${named} has` : `decisions ${named}${more} have`;
  throw stale(`${what} changed since the plan was made`, changed);
}

/** The log counts them again, which is cheaper than reading every record: this stands inside the write of a cycle. */
async function changedItems(
  log: DecisionReader,
  { items, filter }: DecisionCompactionPlan,
  view: LevelView,
): Promise<readonly string[]> {
  if (items.length === 0) return [];
  const due = new Map((await log.levelChanges(view, readFilter(filter))).map((change) => [change.id, change]));
  const changed = items.filter(({ id, from, to, hash }) => {
    const now = due.get(id);
    return now === undefined || now.from !== from || now.to !== to || now.hash !== hash;
  });
  return changed.map(({ id }) => id);
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
    changed.push(...batch.filter((item) => !isAsPlanned(item, byId.get(item.id), view)).map(({ id }) => id));
  }
  return changed;
}

function isAsPlanned(
  { hash, level }: PlannedRewrite,
  decision: StoredDecision | undefined,
  { policies, now }: LevelView,
): boolean {
  return decision !== undefined && decision.hash === hash && levelOf(policies, decision, now) === level;
}

function stale(why: string, ids: readonly string[]): CompactError {
  return new CompactError("Conflict", `No level was set: ${why}.`, {
    code: "STALE_PLAN",
    hint: "Make the plan again.",
    data: ids.length === 0 ? {} : { ids: ids.slice(0, NAMED), count: ids.length },
  });
}

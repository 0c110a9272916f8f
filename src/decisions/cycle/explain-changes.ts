// Why a decision's level changes, in one sentence for whoever reads the plan.
import { type Decision, REVIEWED } from "../decision.ts";
import type { DecisionReader, LevelChange } from "../decision-log.ts";
import { isKept } from "../levels/level.ts";
import { type DecisionPolicy, type Policies, policyFor } from "../levels/policy.ts";
import { inBatches } from "./in-batches.ts";

/** In the order of `changes`. Records are looked at only where standing, not age, may be the reason. */
export async function explainChanges(
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
  if (isKept(policy, decision)) return "Preserved for its stakes or a tag";
  if (decision.status !== REVIEWED) return "Not reviewed";
  const at = policy.ageBasis === "review" ? decision.reviewedAt : decision.decidedAt;
  return at === undefined ? "Without a readable date" : `Less than ${policy.thresholds.full} days old`;
}

// How much of a decision is shown: standing first, then age. A store that works levels out by itself (SQL) must agree with
// this file to the millisecond; one suite holds both against each other.
import { DAY_MS } from "../../time.ts";
import { type Decision, type Level, REVIEWED } from "../decision.ts";
import { type DecisionPolicy, type Policies, policyFor } from "./policy.ts";

type Standing = Pick<Decision, "status" | "isPreserved" | "stakes" | "tags" | "decidedAt" | "reviewedAt">;

/**
 * Preserved, not reviewed, or of no readable time: full. Else by whole days, each range including its first day: full,
 * summary, digest, wisdom. Times in the future are full. Decisions spec, Compaction Levels and Process.
 */
export function levelUnder(policy: DecisionPolicy, decision: Standing, now: number): Level {
  return isKept(policy, decision) ? "full" : levelByAge(policy, decision, now);
}

export function levelOf(
  policies: Policies,
  decision: Standing & Pick<Decision, "agent" | "category">,
  now: number,
): Level {
  return levelUnder(policyFor(policies, decision), decision, now);
}

/** The level of a reviewed decision's age alone: what wisdom is drawn from, preserved ones included. */
export function levelByAge(policy: DecisionPolicy, decision: Standing, now: number): Level {
  const { thresholds, ageBasis, isEnabled } = policy;
  const at = ageBasis === "review" ? decision.reviewedAt : decision.decidedAt;
  if (at === undefined || !isEnabled || decision.status !== REVIEWED) return "full";
  const age = now - at;
  if (age < thresholds.full * DAY_MS) return "full";
  if (age < thresholds.summary * DAY_MS) return "summary";
  return age < thresholds.digest * DAY_MS ? "digest" : "wisdom";
}

/** Marked as preserved, or of stakes or a tag that the policy preserves. */
export function isKept({ preserveStakes, preserveTags }: DecisionPolicy, decision: Standing): boolean {
  const { isPreserved, stakes, tags } = decision;
  return (
    isPreserved ||
    (stakes !== undefined && preserveStakes.includes(stakes)) ||
    tags.some((tag) => preserveTags.includes(tag))
  );
}

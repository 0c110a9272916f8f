// When a decision is shown shorter, and what is never shortened: policies, which one governs which decision, and the level
// that a decision has under it.
import { CompactError } from "../errors.ts";
import { compareTexts } from "../text/words.ts";
import { DAY_MS } from "../time.ts";
import { type Decision, type Level, REVIEWED } from "./decision.ts";

/** `decision`: age since it was made. `review`: since it was reviewed. */
export const AGE_BASES = ["decision", "review"] as const;
export type AgeBasis = (typeof AGE_BASES)[number];

export interface Thresholds {
  /** Whole days at which a decision is no longer shown in full. Default 7. */
  readonly full: number;
  /** At which it is no longer shown as a summary. Default 30. */
  readonly summary: number;
  /** At which it is counted in wisdom alone. Default 90. */
  readonly digest: number;
}

export interface DecisionPolicy {
  /** What answers call it. */
  readonly name: string;
  /** Decisions recorded by this agent only. */
  readonly agent?: string;
  /** Decisions of this category only. */
  readonly category?: string;
  /** False: everything it governs stays full. */
  readonly isEnabled: boolean;
  readonly thresholds: Thresholds;
  readonly ageBasis: AgeBasis;
  /** Decisions with one of these stakes are kept as if preserved. */
  readonly preserveStakes: readonly string[];
  /** With one of these tags. */
  readonly preserveTags: readonly string[];
  /** Reviewed decisions of a category below which no wisdom is drawn. */
  readonly minDecisions: number;
}

/** The specification's: 7, 30 and 90 days from the decision. */
export const DEFAULT_DECISION_POLICY: DecisionPolicy = {
  name: "default",
  isEnabled: true,
  thresholds: { full: 7, summary: 30, digest: 90 },
  ageBasis: "decision",
  preserveStakes: [],
  preserveTags: [],
  minDecisions: 5,
};

/**
 * In the order in which they are asked: agent and category, agent, category, default. The last one governs everything that
 * no other does.
 */
export type Policies = readonly [...DecisionPolicy[], DecisionPolicy];

/** What a policy says where it differs; the rest is as in the default. */
export interface PolicyChanges extends Partial<Omit<DecisionPolicy, "name" | "thresholds">> {
  readonly name: string;
  readonly thresholds?: Partial<Thresholds>;
}

/** The name of the policy that governs the rest; no other may have it, as answers tell policies apart by their names. */
export function isDefaultName(name: string): boolean {
  return name.trim().toLowerCase() === DEFAULT_DECISION_POLICY.name;
}

/**
 * @throws InvalidConfig for thresholds that do not rise, two policies for the same decisions, one without a place, or one
 * that is named `default`.
 */
export function decisionPolicies(
  fallback: Omit<PolicyChanges, "name" | "agent" | "category"> = {},
  others: readonly PolicyChanges[] = [],
): Policies {
  const base = withDefaults({ ...fallback, name: DEFAULT_DECISION_POLICY.name }, DEFAULT_DECISION_POLICY);
  const rest = others.map((changes) => withDefaults(changes, base));
  const places = new Map<string, string>();
  for (const { name, agent, category } of rest) {
    if (isDefaultName(name)) {
      const message = `A decision policy is named "${name}", as the one that governs the rest.`;
      const hint = "Give it another name, or change decisions.policy, which governs the rest.";
      throw invalidPolicy(message, hint, { policy: name });
    }
    if (agent === undefined && category === undefined) {
      const message = `The decision policy "${name}" names neither an agent nor a category.`;
      const hint = "Add agent or category, or change decisions.policy, which governs the rest.";
      throw invalidPolicy(message, hint, { policy: name });
    }
    const place = JSON.stringify([agent, category]);
    const other = places.get(place);
    if (other !== undefined) {
      const message = `The decision policies "${other}" and "${name}" govern the same decisions.`;
      throw invalidPolicy(message, "Keep one of them, or narrow one by agent or category.", {
        policies: [other, name],
      });
    }
    places.set(place, name);
  }
  return [...rest.sort((a, b) => policyRank(a) - policyRank(b) || compareTexts(a.name, b.name)), base];
}

/** The policy that governs a decision. */
export function policyFor(
  policies: Policies,
  { agent, category }: { agent: string; category: string },
): DecisionPolicy {
  const governs = (policy: DecisionPolicy) =>
    (policy.agent === undefined || policy.agent === agent) &&
    (policy.category === undefined || policy.category === category);
  return policies.find(governs) ?? DEFAULT_DECISION_POLICY;
}

function withDefaults(changes: PolicyChanges, base: DecisionPolicy): DecisionPolicy {
  const thresholds = { ...base.thresholds, ...changes.thresholds };
  const { full, summary, digest } = thresholds;
  if (!(full > 0 && full < summary && summary < digest)) {
    const { name } = changes;
    throw invalidPolicy(
      `The thresholds of the decision policy "${name}" must rise from 0: full ${full}, summary ${summary}, digest ${digest}.`,
      "Set them so that 0 < full < summary < digest, in days.",
      { policy: name },
      "INVALID_THRESHOLDS",
    );
  }
  return { ...base, ...changes, thresholds };
}

function policyRank({ agent, category }: DecisionPolicy): number {
  return (agent === undefined ? 2 : 0) + (category === undefined ? 1 : 0);
}

function invalidPolicy(message: string, hint: string, data: object, code = "INVALID_POLICY"): CompactError {
  return new CompactError("InvalidConfig", message, { code, hint, data: { ...data } });
}

// How much of a decision is shown: standing first, then age. A store that works levels out by itself (SQL) must agree with
// this file to the millisecond; one suite holds both against each other.

type LevelBasis = Pick<Decision, "status" | "isPreserved" | "stakes" | "tags" | "decidedAt" | "reviewedAt">;

/**
 * Preserved, not reviewed, or of no readable time: full. Else by whole days, each range including its first day: full,
 * summary, digest, wisdom. Times in the future are full. Decisions spec, Compaction Levels and Process.
 */
export function levelUnder(policy: DecisionPolicy, decision: LevelBasis, now: number): Level {
  return isPreservedUnder(policy, decision) ? "full" : levelByAge(policy, decision, now);
}

export function levelOf(
  policies: Policies,
  decision: LevelBasis & Pick<Decision, "agent" | "category">,
  now: number,
): Level {
  return levelUnder(policyFor(policies, decision), decision, now);
}

/** The time from which the policy counts the age of a decision. */
export function agedFrom(
  { ageBasis }: DecisionPolicy,
  { decidedAt, reviewedAt }: Pick<Decision, "decidedAt" | "reviewedAt">,
): number | undefined {
  return ageBasis === "review" ? reviewedAt : decidedAt;
}

/** The level of a reviewed decision's age alone: what wisdom is drawn from, preserved ones included. */
export function levelByAge(policy: DecisionPolicy, decision: LevelBasis, now: number): Level {
  const { thresholds, isEnabled } = policy;
  const at = agedFrom(policy, decision);
  if (at === undefined || !isEnabled || decision.status !== REVIEWED) return "full";
  const age = now - at;
  if (age < thresholds.full * DAY_MS) return "full";
  if (age < thresholds.summary * DAY_MS) return "summary";
  return age < thresholds.digest * DAY_MS ? "digest" : "wisdom";
}

/** Marked as preserved, or of stakes or a tag that the policy preserves. */
export function isPreservedUnder({ preserveStakes, preserveTags }: DecisionPolicy, decision: LevelBasis): boolean {
  const { isPreserved, stakes, tags } = decision;
  return (
    isPreserved ||
    (stakes !== undefined && preserveStakes.includes(stakes)) ||
    tags.some((tag) => preserveTags.includes(tag))
  );
}

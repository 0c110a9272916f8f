// Policies as answers name them: the one that governs what was asked for, and those that may govern some of it instead.
import { DEFAULT_DECISION_POLICY, type DecisionPolicy, type Policies } from "../levels/policy.ts";
import type { ServedDecisions, ServedPolicy } from "./served.ts";

type Asked = { readonly category?: string | undefined; readonly agent?: string | undefined };

/**
 * Of a request that names no agent, no agent's policy governs all; it is listed beside the one that does. The same holds
 * for categories.
 */
export function servePolicies(policies: Policies, asked: Asked): Pick<ServedDecisions, "policy" | "otherPolicies"> {
  const governing = policies.findIndex(
    ({ agent, category }) => isAll(agent, asked.agent) && isAll(category, asked.category),
  );
  const others = policies
    .slice(0, governing < 0 ? policies.length : governing)
    .filter(({ agent, category }) => isSome(agent, asked.agent) && isSome(category, asked.category));
  return {
    policy: servePolicy(policies[governing] ?? DEFAULT_DECISION_POLICY),
    ...(others.length === 0 ? {} : { otherPolicies: others.map(servePolicy) }),
  };
}

export function servePolicy(policy: DecisionPolicy): ServedPolicy {
  const { name, agent, category, isEnabled, thresholds, ageBasis, preserveStakes, preserveTags, minDecisions } = policy;
  return {
    name,
    ...(agent === undefined ? {} : { agent }),
    ...(category === undefined ? {} : { category }),
    enabled: isEnabled,
    thresholds,
    ageBasis,
    preserveRules: { stakes: preserveStakes, tags: preserveTags },
    minDecisions,
  };
}

function isAll(of: string | undefined, asked: string | undefined): boolean {
  return of === undefined || of === asked;
}

function isSome(of: string | undefined, asked: string | undefined): boolean {
  return of === undefined || asked === undefined || of === asked;
}

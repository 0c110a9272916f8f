// levels/level.ts as an expression of SQL, policies and all: the same arithmetic on the same doubles, so the same level to the
// millisecond. Levels are their places in LEVELS.
import { DAY_MS } from "../../../time.ts";
import { LEVELS } from "../../decision.ts";
import type { DecisionFilter, LevelView } from "../../decision-log.ts";
import { DEFAULT_DECISION_POLICY, type DecisionPolicy } from "../../levels/policy.ts";
import { type Fragment, fragment, joined, jsonList } from "../fragment.ts";
import { storedText } from "../ordered-text.ts";
import { UNDATED } from "../schema.ts";

/** 0 or 1: kept in full by its mark or by the policy that governs it. Of a row `d` of decisions. */
export function keptColumn({ policies }: LevelView, filter: DecisionFilter): Fragment {
  return byPolicy("d", governing(policies, filter), kept);
}

/** The level, 0 to 3. */
export function levelColumn({ policies, now }: LevelView, filter: DecisionFilter): Fragment {
  return byPolicy("d", governing(policies, filter), (policy) => levelOf(policy, now, kept(policy)));
}

/** The level of what is not kept, 0 to 3. For whoever has asked already whether it is: that is the dear part. */
export function unkeptLevelColumn({ policies, now }: LevelView, filter: DecisionFilter): Fragment {
  return byPolicy("d", governing(policies, filter), (policy) => levelOf(policy, now, fragment("0")));
}

function levelOf(policy: DecisionPolicy, now: number, isKept: Fragment): Fragment {
  if (!policy.isEnabled) return fragment("0");
  const at = policy.ageBasis === "review" ? "d.reviewed_at" : "d.decided_at";
  const { full, summary, digest } = policy.thresholds;
  return fragment(
    `CASE WHEN d.is_reviewed = 0 OR ${at} IS NULL OR ? - ${at} < ? THEN 0 WHEN ${isKept.sql} THEN 0
      WHEN ? - ${at} < ? THEN 1 WHEN ? - ${at} < ? THEN 2 ELSE 3 END`,
    ...[now, full * DAY_MS, ...isKept.values, now, summary * DAY_MS, now, digest * DAY_MS],
  );
}

/**
 * Whether age alone makes a reviewed decision wisdom. `row` is a row of decisions or of evidence, which both have
 * `decided_at`, `reviewed_at`, `agent` and `category`.
 */
export function isWisdomByAge(row: string, { policies, now }: LevelView, filter: DecisionFilter): Fragment {
  return byPolicy(row, governing(policies, filter), (policy) => {
    if (!policy.isEnabled) return fragment("0");
    const at = policy.ageBasis === "review" ? `${row}.reviewed_at` : `${row}.decided_at`;
    const { full, summary, digest } = policy.thresholds;
    // Without a date it is null, which is no wisdom either.
    return fragment(`(${at} > ? AND ? - ${at} >= ?)`, UNDATED, now, Math.max(full, summary, digest) * DAY_MS);
  });
}

/** Of levels as places in LEVELS. */
export function levelNumbers(levels: readonly (typeof LEVELS)[number][]): string {
  return jsonList([...new Set(levels)].map((level) => LEVELS.indexOf(level)));
}

function kept({ preserveStakes, preserveTags }: DecisionPolicy): Fragment {
  const ways = [fragment("d.preserve = 1")];
  if (preserveStakes.length > 0) {
    const list = jsonList(preserveStakes.map(storedText));
    ways.push(fragment("coalesce(d.stakes IN (SELECT value FROM json_each(?)), 0)", list));
  }
  if (preserveTags.length > 0) {
    const list = jsonList(preserveTags.map(storedText));
    ways.push(
      fragment("d.id IN (SELECT t.id FROM decision_tags AS t WHERE t.tag IN (SELECT value FROM json_each(?)))", list),
    );
  }
  const { sql, values } = joined(ways, " OR ");
  return fragment(`(${sql})`, ...values);
}

/** Those that can govern what the filter admits, in their order, up to the one that governs all that is left. */
function governing(
  policies: readonly DecisionPolicy[],
  { agent, category }: DecisionFilter,
): readonly DecisionPolicy[] {
  const possible = [...policies, DEFAULT_DECISION_POLICY].filter(
    (policy) =>
      (policy.agent === undefined || agent === undefined || policy.agent === agent) &&
      (policy.category === undefined || category === undefined || policy.category === category),
  );
  const last = possible.findIndex(
    (policy) =>
      (policy.agent === undefined || policy.agent === agent) &&
      (policy.category === undefined || policy.category === category),
  );
  return possible.slice(0, last + 1);
}

function byPolicy(
  row: string,
  policies: readonly DecisionPolicy[],
  column: (policy: DecisionPolicy) => Fragment,
): Fragment {
  const rest = policies.slice(0, -1).map((policy) => {
    const { sql, values } = column(policy);
    const governs = [
      ...(policy.agent === undefined ? [] : [fragment(`${row}.agent = ?`, storedText(policy.agent))]),
      ...(policy.category === undefined ? [] : [fragment(`${row}.category = ?`, storedText(policy.category))]),
    ];
    const condition = joined(governs, " AND ");
    return fragment(`WHEN ${condition.sql} THEN ${sql}`, ...condition.values, ...values);
  });
  const last = column(policies.at(-1) ?? DEFAULT_DECISION_POLICY);
  if (rest.length === 0) return last;
  const { sql, values } = joined(rest, " ");
  return fragment(`CASE ${sql} ELSE ${last.sql} END`, ...values, ...last.values);
}

// What is asked about levels: a page of them, their numbers, and what changed since the last cycle. What a level is, is
// levels/level.ts.
import type { Level, StoredDecision } from "../decision.ts";
import type {
  DecisionFilter,
  LevelChange,
  LeveledDecision,
  LevelSurvey,
  LevelView,
  PageQuery,
} from "../decision-log.ts";
import { confidenceRange } from "../levels/confidence-range.ts";
import { isKept, levelUnder } from "../levels/level.ts";
import { policyFor } from "../levels/policy.ts";
import { matches } from "./matches.ts";
import { comparePositions, compareTexts } from "./order.ts";

interface Standing {
  readonly isKept: boolean;
  readonly level: Level;
}

function standingOf({ policies, now }: LevelView, decision: StoredDecision): Standing {
  const policy = policyFor(policies, decision);
  return { isKept: isKept(policy, decision), level: levelUnder(policy, decision, now) };
}

/** `decisions` in the order of the log. */
export function pageOf(
  decisions: readonly StoredDecision[],
  { filter, view, levels, includePreserved = true, limit, after }: PageQuery,
): readonly LeveledDecision[] {
  const page: LeveledDecision[] = [];
  for (const decision of decisions) {
    if (page.length >= limit) break;
    if (after !== undefined && comparePositions(decision, after) <= 0) continue;
    if (!matches(decision, filter)) continue;
    const standing = standingOf(view, decision);
    if (standing.isKept && !includePreserved) continue;
    if (levels === undefined || levels.includes(standing.level)) page.push({ decision, level: standing.level });
  }
  return page;
}

export function surveyOf(
  decisions: Iterable<StoredDecision>,
  { filter, view, includePreserved = true }: Omit<PageQuery, "limit" | "after" | "levels">,
): LevelSurvey {
  const levels = { full: 0, summary: 0, digest: 0, wisdom: 0 };
  let [total, preserved] = [0, 0];
  for (const decision of decisions) {
    if (!matches(decision, filter)) continue;
    const standing = standingOf(view, decision);
    if (standing.isKept && !includePreserved) continue;
    total++;
    levels[standing.level]++;
    if (standing.isKept) preserved++;
  }
  return { total, preserved, levels };
}

/** Sorted by id. */
export function levelChanges(
  decisions: readonly StoredDecision[],
  before: ReadonlyMap<string, Level>,
  view: LevelView,
  filter: DecisionFilter,
): readonly LevelChange[] {
  const changes = decisions.flatMap((decision): readonly LevelChange[] => {
    if (!matches(decision, filter)) return [];
    const { id, category, agent, hash } = decision;
    const from = before.get(id) ?? "full";
    const to = standingOf(view, decision).level;
    if (from === to) return [];
    const confidence = confidenceRange(decision);
    return [{ id, category, agent, from, to, hash, ...(confidence === undefined ? {} : { confidence }) }];
  });
  return changes.sort((first, second) => compareTexts(first.id, second.id));
}

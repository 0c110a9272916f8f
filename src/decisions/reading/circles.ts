// Decisions whose successors lead back to them: each is superseded, so none of them is in force.
import type { RecordFault } from "../decision.ts";

/** Longer ones are not told: looking for them at each write would take too long. */
const LONGEST = 1_000;

export const CIRCLE: RecordFault["code"] = "SUPERSEDED_IN_CIRCLE";

export function circleFault(id: string): RecordFault {
  const message = "The decision that superseded it was superseded by it in turn, so none of them is in force.";
  return { id, code: CIRCLE, message };
}

/** Ids of the circle that a decision stands in, itself first. `next`: who took the place of whom, if that is in the log. */
export function circleOf(id: string, next: (id: string) => string | undefined): readonly string[] {
  const ids = [id];
  for (let at = next(id); at !== undefined && ids.length <= LONGEST; at = next(at)) {
    if (at === id) return ids;
    ids.push(at);
  }
  return [];
}

/** Of all decisions, given who took the place of whom. */
export function allInCircles(successors: ReadonlyMap<string, string>): readonly string[] {
  const seen = new Map<string, string>();
  const found: string[] = [];
  for (const start of successors.keys()) {
    let at: string | undefined = start;
    for (; at !== undefined && !seen.has(at); at = successors.get(at)) seen.set(at, start);
    // Come back to where this walk has been: a circle that no walk has seen before.
    if (at !== undefined && seen.get(at) === start) found.push(...circleOf(at, (id) => successors.get(id)));
  }
  return found;
}

// The one order of decisions: latest decided first, those without a readable date last, equals by ascending id.
import type { Position } from "../decision-log.ts";

/** Below zero where `first` comes first. */
export function comparePositions(first: Position, second: Position): number {
  const [one, other] = [first.decidedAt ?? Number.NEGATIVE_INFINITY, second.decidedAt ?? Number.NEGATIVE_INFINITY];
  if (one !== other) return one > other ? -1 : 1;
  return compareTexts(first.id, second.id);
}

export function compareTexts(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0;
}

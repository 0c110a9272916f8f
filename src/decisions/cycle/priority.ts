// What a cycle turns to first. Confidence components say how settled a decision is: where one of its reasons is weak, or
// its reasons are far apart, it may be looked at again, so it is compacted later.
import type { LevelChange } from "../decision-log.ts";

/** Of a decision that says nothing about its confidence: neither early nor late. */
const UNKNOWN = 0.5;

/**
 * `least * (1 - spread)`: the lowest component, made smaller by how far the highest is above it; 0 to 1. A decision with a
 * lone confidence of 0.9 has 0.9; with components of 0.9 and 0.5 it has 0.5 * (1 - 0.4) = 0.3; one without any has 0.5.
 */
export function priorityOf(confidence: LevelChange["confidence"]): number {
  if (confidence === undefined) return UNKNOWN;
  const { least, spread } = confidence;
  return Math.min(1, Math.max(0, least * (1 - spread)));
}

/** Highest first, equals by id. */
export function byPriority(
  a: { readonly priority: number; readonly id: string },
  b: { readonly priority: number; readonly id: string },
): number {
  return b.priority - a.priority || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

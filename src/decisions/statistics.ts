// Rates and scores of reviewed decisions, from counts of equal ones alone. Sums are made in one order whatever the order of
// the counts, so every store and every run gives the same bits. Rounded only by `roundHalfUp`, for those who show them.
import { actualConfidence, type Decision, OUTCOMES } from "./decision.ts";
import type { LevelChange, Tally } from "./decision-log.ts";

export interface Statistics {
  readonly decisions: number;
  /** Successes among those with an outcome; partial does not count as one. Absent without outcomes. */
  readonly successRate?: number;
  /** Mean of all confidences that were stated. */
  readonly avgConfidence?: number;
  /** Figures of the decisions that have both an outcome and a confidence; absent without any. */
  readonly scored?: Scored;
}

export interface Scored {
  readonly decisions: number;
  /** Mean of what came of them: success 1, partial 0.5, else 0. */
  readonly accuracy: number;
  readonly avgConfidence: number;
  /** Mean of (confidence - actual) squared; 0 is perfect. */
  readonly brierScore: number;
  /** Accuracy less mean confidence: below 0 overconfident. */
  readonly calibrationGap: number;
}

export function statisticsOf(tallies: readonly Tally[]): Statistics {
  const sorted = [...tallies].sort(inOneOrder);
  const withOutcome = sorted.filter(({ outcome }) => outcome !== undefined);
  const successes = withOutcome.filter(({ outcome }) => outcome === "success");
  const confident = sorted.filter(({ confidence }) => confidence !== undefined);
  const scored = scoredOf(sorted);
  return {
    decisions: countOf(sorted),
    ...(withOutcome.length === 0 ? {} : { successRate: countOf(successes) / countOf(withOutcome) }),
    ...(confident.length === 0 ? {} : { avgConfidence: meanOf(confident, ({ confidence = 0 }) => confidence) }),
    ...(scored === undefined ? {} : { scored }),
  };
}

/** Undefined where no decision has both an outcome and a confidence. */
export function scoredOf(tallies: readonly Tally[]): Scored | undefined {
  const both = tallies.filter(isScored).sort(inOneOrder);
  if (both.length === 0) return undefined;
  const accuracy = meanOf(both, ({ outcome }) => actualConfidence(outcome));
  const avgConfidence = meanOf(both, ({ confidence }) => confidence);
  return {
    decisions: countOf(both),
    accuracy,
    avgConfidence,
    brierScore: meanOf(both, ({ outcome, confidence }) => (confidence - actualConfidence(outcome)) ** 2),
    calibrationGap: accuracy - avgConfidence,
  };
}

export type ScoredTally = Tally & Required<Pick<Tally, "outcome" | "confidence">>;

export function isScored(tally: Tally): tally is ScoredTally {
  return tally.outcome !== undefined && tally.confidence !== undefined;
}

function countOf(tallies: readonly Tally[]): number {
  return tallies.reduce((sum, { count }) => sum + count, 0);
}

/**
 * Counts of one confidence are added up before anything is multiplied: a store may tell them by category or not, and the
 * sum is the same.
 */
function meanOf<Kind extends Tally>(sorted: readonly Kind[], figureOf: (tally: Kind) => number): number {
  const counts = new Map<number, number>();
  for (const tally of sorted) counts.set(figureOf(tally), (counts.get(figureOf(tally)) ?? 0) + tally.count);
  let sum = 0;
  for (const [value, count] of [...counts].sort(([a], [b]) => a - b)) sum += value * count;
  return sum / countOf(sorted);
}

function inOneOrder(a: Tally, b: Tally): number {
  return (a.confidence ?? -1) - (b.confidence ?? -1) || rankOf(a) - rankOf(b);
}

function rankOf({ outcome }: Tally): number {
  return outcome === undefined ? -1 : OUTCOMES.indexOf(outcome);
}

// Rounding as people do it on paper. Binary fractions lie a hair beside the decimal they stand for (1.005 is 1.00499...), and
// sums add more; both are far below the twelve digits that are looked at.

/** Half away from zero: 0.0625 is 0.063 at three decimals, -0.0625 is -0.063. Never -0. */
export function roundHalfUp(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  const whole = Math.floor(Number((Math.abs(value) * scale).toPrecision(12)) + 0.5);
  return whole === 0 ? 0 : (Math.sign(value) * whole) / scale;
}

// How low the confidence in a decision goes, and how far its parts are from each other. A store that works it out by
// itself (SQL) must agree with this file.

/** Of the confidences of its reasons; of a record that does not break it down, its own. Undefined without either. */
export function confidenceRange({
  reasons,
  confidence,
}: Pick<Decision, "reasons" | "confidence">): LevelChange["confidence"] {
  const own = reasons.flatMap((reason) => reason.confidence ?? []);
  const components = own.length > 0 || confidence === undefined ? own : [confidence];
  if (components.length === 0) return undefined;
  const [least, most] = components.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [1, 0],
  );
  return { least, spread: most - least };
}

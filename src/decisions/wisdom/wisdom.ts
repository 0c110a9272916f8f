// What a log has taught, by category: figures, principles and ways to fail, each with its counts and examples. Not rounded
// and not worded; the two forms in which it is served are spec-form.ts and structured-form.ts.
import type { Statistics } from "../calibration/statistics.ts";
import type { ServedDecisions } from "../serving/served.ts";

/** Held by at least two successes, and by no more failures than successes. */
export interface Principle {
  /** As most of its decisions say it, on one line. */
  readonly text: string;
  /** Successes that nothing has superseded. */
  readonly confirmations: number;
  /** Failures that had it as pattern or reason. */
  readonly contradictions: number;
  /** At most three each, latest decided first. */
  readonly confirmingIds: readonly string[];
  readonly contradictingIds: readonly string[];
}

export interface CrossCategoryPrinciple extends Principle {
  /** Those in which it has been confirmed: two at least. Sorted. */
  readonly categories: readonly string[];
}

export interface FailureMode {
  readonly text: string;
  /** Failures that had it as pattern, or as lesson and had no pattern. */
  readonly failures: number;
  /** All that hold it, whatever came of them. */
  readonly decisions: number;
  /** At most three, latest decided first. */
  readonly failingIds: readonly string[];
}

export interface CategoryWisdom extends Statistics {
  readonly category: string;
  /** At most five; most confirmations first, equals by text. */
  readonly principles: readonly Principle[];
  /** At most five; most failures first, then by their share, then by text. */
  readonly failureModes: readonly FailureMode[];
}

export interface Wisdom extends Pick<ServedDecisions, "policy" | "otherPolicies" | "errors" | "errorsTotal"> {
  /** Sorted by name; categories with too few decisions are left out. */
  readonly categories: readonly CategoryWisdom[];
  /** At most five. */
  readonly crossCategory: readonly CrossCategoryPrinciple[];
  /** Reviewed decisions of wisdom's age, those of the categories that were left out included. */
  readonly totalDecisions: number;
  readonly categoriesAnalyzed: number;
}

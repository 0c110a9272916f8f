// Wisdom for programs: camelCase, counts apart from texts, with the ids of decisions that bear them out. Three decimals, four
// for Brier scores, and no key without something to say.
import { roundHalfUp } from "../calibration/round.ts";
import type { CategoryWisdom, CrossCategoryPrinciple, FailureMode, Principle, Wisdom } from "./wisdom.ts";

export interface StructuredPrinciple {
  readonly text: string;
  readonly confirmations: number;
  readonly contradictions: number;
  /** Successes that bear it out: at most three, latest decided first. */
  readonly exampleIds: readonly string[];
  /** Failures that had it as pattern or reason. */
  readonly contradictingIds?: readonly string[];
}

export interface StructuredFailureMode {
  readonly text: string;
  readonly failures: number;
  /** All that hold it, whatever came of them. */
  readonly decisions: number;
  readonly exampleIds: readonly string[];
}

export interface StructuredCategoryWisdom {
  readonly category: string;
  readonly decisions: number;
  readonly successRate?: number;
  readonly keyPrinciples?: readonly StructuredPrinciple[];
  /** The text of the first of `failureModes`. */
  readonly commonFailureMode?: string;
  readonly failureModes?: readonly StructuredFailureMode[];
  readonly avgConfidence?: number;
  readonly brierScore?: number;
  /** Mean of what came of them less mean confidence: below 0 overconfident. */
  readonly calibrationGap?: number;
}

export interface StructuredWisdom extends Omit<Wisdom, "categories" | "crossCategory"> {
  readonly wisdom: readonly StructuredCategoryWisdom[];
  readonly crossCategory?: readonly (StructuredPrinciple & { readonly categories: readonly string[] })[];
}

const DECIMALS = 3;
const BRIER_DECIMALS = 4;

export function structuredForm({ categories, crossCategory, ...rest }: Wisdom): StructuredWisdom {
  return {
    wisdom: categories.map(structuredCategory),
    ...(crossCategory.length === 0 ? {} : { crossCategory: crossCategory.map(sharedPrinciple) }),
    ...rest,
  };
}

function structuredCategory(wisdom: CategoryWisdom): StructuredCategoryWisdom {
  const { category, decisions, successRate, avgConfidence, scored, principles, failureModes } = wisdom;
  const [worst] = failureModes;
  return {
    category,
    decisions,
    ...rounded("successRate", successRate, DECIMALS),
    ...(principles.length === 0 ? {} : { keyPrinciples: principles.map(structuredPrinciple) }),
    ...(worst === undefined ? {} : { commonFailureMode: worst.text, failureModes: failureModes.map(structuredMode) }),
    ...rounded("avgConfidence", avgConfidence, DECIMALS),
    ...rounded("brierScore", scored?.brierScore, BRIER_DECIMALS),
    ...rounded("calibrationGap", scored?.calibrationGap, DECIMALS),
  };
}

function structuredPrinciple({ confirmingIds, contradictingIds, ...principle }: Principle): StructuredPrinciple {
  const { text, confirmations, contradictions } = principle;
  return {
    text,
    confirmations,
    contradictions,
    exampleIds: confirmingIds,
    ...(contradictingIds.length === 0 ? {} : { contradictingIds }),
  };
}

function sharedPrinciple(principle: CrossCategoryPrinciple) {
  return { ...structuredPrinciple(principle), categories: principle.categories };
}

function structuredMode({ text, failures, decisions, failingIds }: FailureMode): StructuredFailureMode {
  return { text, failures, decisions, exampleIds: failingIds };
}

function rounded<Key extends string>(
  key: Key,
  value: number | undefined,
  decimals: number,
): { readonly [K in Key]?: number } {
  return (value === undefined ? {} : { [key]: roundHalfUp(value, decimals) }) as { readonly [K in Key]?: number };
}

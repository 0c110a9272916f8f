// What a log has taught, by category: figures, principles and ways to fail, each with its counts and examples, neither
// rounded nor worded; and the two forms in which it is served.
import { plainPlural } from "../../text/figures.ts";
import type { ServedDecision, ServedDecisions } from "../serving/served.ts";
import { roundHalfUp, type Statistics } from "../statistics.ts";

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
  /** Failures that had it as pattern, or had no pattern and decided it. */
  readonly failures: number;
  /** All that hold it, whatever came of them. */
  readonly decisions: number;
  /** At most three, latest decided first. */
  readonly failingIds: readonly string[];
  /** What these taught: to be done next time, never what failed. Each on one line. */
  readonly learned: readonly string[];
}

export interface CategoryWisdom extends Statistics {
  readonly category: string;
  /** At most five; patterns first, then lessons of successes, then reasons, of each most confirmations first, then by text. */
  readonly principles: readonly Principle[];
  /** At most five; most failures first, then by their share, then by text. */
  readonly failureModes: readonly FailureMode[];
}

export interface Wisdom extends Pick<ServedDecisions, "policy" | "otherPolicies" | "errors" | "errorsTotal"> {
  /** Sorted by name; categories with too few decisions are left out. */
  readonly categories: readonly CategoryWisdom[];
  /** At most five. */
  readonly crossCategory: readonly CrossCategoryPrinciple[];
  /**
   * Decisions of wisdom's age of which nothing above tells, those of left-out categories included: failures first, then
   * those that came true in part, then the rest, of each the latest first; each with its lesson. At most twenty of the latest 200.
   */
  readonly lines: readonly ServedDecision[];
  /** Reviewed decisions of wisdom's age, those of the categories that were left out included. */
  readonly totalDecisions: number;
  readonly categoriesAnalyzed: number;
}

// Wisdom in the form of the specification's example: principles and the failure mode as sentences, two decimals, and no key
// without something to say.

interface SpecCategoryWisdom {
  readonly category: string;
  readonly decisions: number;
  readonly success_rate?: number;
  /** `text (3 confirmations)`, or `text (6 confirmations, 1 contradiction)`. */
  readonly key_principles?: readonly string[];
  /** `text (4 failures)`. */
  readonly common_failure_mode?: string;
  /** What these failures taught, where they say so. */
  readonly learned?: readonly string[];
}

interface SpecWisdom extends Pick<Wisdom, "errors" | "errorsTotal"> {
  readonly wisdom: readonly SpecCategoryWisdom[];
  readonly total_decisions: number;
  readonly categories_analyzed: number;
}

const DECIMALS = 2;

export function specForm({ categories, totalDecisions, categoriesAnalyzed, errors, errorsTotal }: Wisdom): SpecWisdom {
  return {
    wisdom: categories.map(specCategory),
    total_decisions: totalDecisions,
    categories_analyzed: categoriesAnalyzed,
    ...(errors === undefined ? {} : { errors }),
    ...(errorsTotal === undefined ? {} : { errorsTotal }),
  };
}

function specCategory(wisdom: CategoryWisdom): SpecCategoryWisdom {
  const { category, decisions, successRate, principles, failureModes } = wisdom;
  const [worst] = failureModes;
  return {
    category,
    decisions,
    ...rounded("success_rate", successRate, DECIMALS),
    ...(principles.length === 0 ? {} : { key_principles: principles.map(principleSentence) }),
    ...(worst === undefined ? {} : { common_failure_mode: failureSentence(worst) }),
    ...(worst === undefined || worst.learned.length === 0 ? {} : { learned: worst.learned }),
  };
}

function principleSentence(principle: Principle): string {
  return `${principle.text} (${principleCounts(principle)})`;
}

/** `6 confirmations, 1 contradiction`. */
export function principleCounts({ confirmations, contradictions }: Principle): string {
  const against = contradictions === 0 ? "" : `, ${plainPlural(contradictions, "contradiction")}`;
  return `${plainPlural(confirmations, "confirmation")}${against}`;
}

function failureSentence({ text, failures }: FailureMode): string {
  return `${text} (${plainPlural(failures, "failure")})`;
}

// Wisdom for programs: camelCase, counts apart from texts, with the ids of decisions that bear them out. Three decimals, four
// for Brier scores, and no key without something to say.

interface StructuredPrinciple
  extends Pick<Principle, "text" | "confirmations" | "contradictions">,
    Partial<Pick<Principle, "contradictingIds">> {
  /** Successes that bear it out: at most three, latest decided first. */
  readonly exampleIds: readonly string[];
}

interface StructuredMode extends Omit<FailureMode, "failingIds" | "learned">, Partial<Pick<FailureMode, "learned">> {
  readonly exampleIds: readonly string[];
}

interface StructuredCategoryWisdom extends Pick<CategoryWisdom, "category" | "decisions"> {
  readonly successRate?: number;
  readonly keyPrinciples?: readonly StructuredPrinciple[];
  /** The text of the first of `failureModes`. */
  readonly commonFailureMode?: string;
  readonly failureModes?: readonly StructuredMode[];
  readonly avgConfidence?: number;
  readonly brierScore?: number;
  /** Mean of what came of them less mean confidence: below 0 overconfident. */
  readonly calibrationGap?: number;
}

interface StructuredWisdom
  extends Omit<Wisdom, "categories" | "crossCategory" | "lines">,
    Partial<Pick<Wisdom, "lines">> {
  readonly wisdom: readonly StructuredCategoryWisdom[];
  readonly crossCategory?: readonly (StructuredPrinciple & { readonly categories: readonly string[] })[];
}

const STRUCTURED_DECIMALS = 3;
const BRIER_DECIMALS = 4;

export function structuredForm({ categories, crossCategory, lines, ...rest }: Wisdom): StructuredWisdom {
  return {
    wisdom: categories.map(structuredCategory),
    ...(crossCategory.length === 0
      ? {}
      : {
          crossCategory: crossCategory.map((shared) => ({
            ...structuredPrinciple(shared),
            categories: shared.categories,
          })),
        }),
    ...(lines.length === 0 ? {} : { lines }),
    ...rest,
  };
}

function structuredCategory(wisdom: CategoryWisdom): StructuredCategoryWisdom {
  const { category, decisions, successRate, avgConfidence, scored, principles, failureModes } = wisdom;
  const [worst] = failureModes;
  return {
    category,
    decisions,
    ...rounded("successRate", successRate, STRUCTURED_DECIMALS),
    ...(principles.length === 0 ? {} : { keyPrinciples: principles.map(structuredPrinciple) }),
    ...(worst === undefined ? {} : { commonFailureMode: worst.text, failureModes: failureModes.map(structuredMode) }),
    ...rounded("avgConfidence", avgConfidence, STRUCTURED_DECIMALS),
    ...rounded("brierScore", scored?.brierScore, BRIER_DECIMALS),
    ...rounded("calibrationGap", scored?.calibrationGap, STRUCTURED_DECIMALS),
  };
}

function structuredPrinciple(principle: Principle): StructuredPrinciple {
  const { text, confirmations, contradictions, confirmingIds, contradictingIds } = principle;
  const against = contradictingIds.length === 0 ? {} : { contradictingIds };
  return { text, confirmations, contradictions, exampleIds: confirmingIds, ...against };
}

function structuredMode({ failingIds, learned, ...mode }: FailureMode): StructuredMode {
  return { ...mode, exampleIds: failingIds, ...(learned.length === 0 ? {} : { learned }) };
}

function rounded<Key extends string>(
  key: Key,
  value: number | undefined,
  decimals: number,
): { readonly [K in Key]?: number } {
  return (value === undefined ? {} : { [key]: roundHalfUp(value, decimals) }) as { readonly [K in Key]?: number };
}

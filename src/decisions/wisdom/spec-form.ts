// Wisdom in the form of the specification's example: principles and the failure mode as sentences, two decimals, and no key
// without something to say.
import { roundHalfUp } from "../calibration/round.ts";
import type { CategoryWisdom, FailureMode, Principle, Wisdom } from "./wisdom.ts";

export interface SpecCategoryWisdom {
  readonly category: string;
  readonly decisions: number;
  readonly success_rate?: number;
  /** `text (3 confirmations)`, or `text (6 confirmations, 1 contradiction)`. */
  readonly key_principles?: readonly string[];
  /** `text (4 failures)`. */
  readonly common_failure_mode?: string;
}

export interface SpecWisdom extends Pick<Wisdom, "errors" | "errorsTotal"> {
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

function specCategory({
  category,
  decisions,
  successRate,
  principles,
  failureModes,
}: CategoryWisdom): SpecCategoryWisdom {
  const [worst] = failureModes;
  return {
    category,
    decisions,
    ...(successRate === undefined ? {} : { success_rate: roundHalfUp(successRate, DECIMALS) }),
    ...(principles.length === 0 ? {} : { key_principles: principles.map(principleSentence) }),
    ...(worst === undefined ? {} : { common_failure_mode: failureSentence(worst) }),
  };
}

export function principleSentence({ text, confirmations, contradictions }: Principle): string {
  const against = contradictions === 0 ? "" : `, ${counted(contradictions, "contradiction")}`;
  return `${text} (${counted(confirmations, "confirmation")}${against})`;
}

export function failureSentence({ text, failures }: FailureMode): string {
  return `${text} (${counted(failures, "failure")})`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

// What to try next after an answer of no use, as a pure function of what was tried already. Every rung may be taken a
// few times only, so the ladder ends whatever the model does.
import type { FaultCode } from "../answer/judge-answer.ts";
import type { NextStep, Strategy } from "../summarizer.ts";

export interface Attempt {
  /** Output tokens asked for. */
  readonly cap: number;
  readonly strategy: Strategy;
  readonly isSharper: boolean;
  readonly halvings: number;
  readonly raises: number;
}

const MOST_HALVINGS = 2;
const MOST_RAISES = 2;
/** Calls that one pass can take: the first, both halvings, both raises, the sharper one and `brief`. */
export const CALLS_PER_PASS = 1 + MOST_HALVINGS + MOST_RAISES + 2;

export interface Rung {
  readonly next: NextStep;
  readonly attempt: Attempt;
}

/** `most`: output tokens that the model can give. */
export function nextRung(fault: FaultCode, attempt: Attempt, most: number): Rung {
  const { cap, strategy, isSharper, halvings, raises } = attempt;
  switch (fault) {
    case "EMPTY_ANSWER":
    case "TRUNCATED_ANSWER":
      if (raises >= MOST_RAISES) break;
      return { next: "raise-cap", attempt: { ...attempt, raises: raises + 1, cap: Math.min(most, cap * 2) } };
    case "TOO_LONG_ANSWER":
      if (halvings >= MOST_HALVINGS) break;
      return {
        next: "halve-cap",
        attempt: { ...attempt, halvings: halvings + 1, cap: Math.max(1, Math.floor(cap / 2)) },
      };
    case "REFUSED":
      if (strategy === "brief") break;
      return { next: "brief", attempt: { ...attempt, strategy: "brief" } };
    case "NO_SUMMARY":
    case "UNCLOSED_SCRATCH":
      if (isSharper) break;
      return { next: "retry", attempt: { ...attempt, isSharper: true } };
  }
  return { next: "give-up", attempt };
}

/** One sentence a fault, without a word of the answer. */
export const FAULT_SENTENCES: Readonly<Record<FaultCode, string>> = {
  EMPTY_ANSWER: "The model returned no text.",
  TRUNCATED_ANSWER: "The answer was cut off at its cap.",
  TOO_LONG_ANSWER: "The answer was complete, but longer than its cap.",
  REFUSED: "The model declined to summarize.",
  NO_SUMMARY: "The answer was no summary: it acts, chats, or holds on to nothing of the input.",
  UNCLOSED_SCRATCH: "The answer opened a block of scratch work and never closed it.",
};

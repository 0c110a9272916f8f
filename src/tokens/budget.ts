// How many tokens of the window a prompt may take. Arithmetic only; when to act on it is decided elsewhere.
import { CompactError } from "../errors.ts";

export interface BudgetParts {
  /** The model's window, in tokens. */
  readonly maxContextTokens: number;
  /** Kept free for what an estimate misses. */
  readonly hardCapBuffer: number;
  /** Kept free for the answer: providers count it against the same window. */
  readonly reservedOutputTokens: number;
}

/**
 * Window minus buffer minus reserved output, in tokens.
 * @throws CompactError `InvalidConfig` when a part is not a number of tokens, or nothing is left.
 */
export function budgetOf(parts: BudgetParts): number {
  const { maxContextTokens, hardCapBuffer, reservedOutputTokens } = parts;
  requireTokens("max_context_tokens", maxContextTokens);
  requireTokens("policy.hard_cap_buffer", hardCapBuffer);
  requireTokens("reserved_output_tokens", reservedOutputTokens);
  const budget = maxContextTokens - hardCapBuffer - reservedOutputTokens;
  if (budget > 0) return budget;
  throw new CompactError(
    "InvalidConfig",
    `max_context_tokens (${maxContextTokens}) must be greater than policy.hard_cap_buffer (${hardCapBuffer}) plus reserved_output_tokens (${reservedOutputTokens})`,
    {
      code: "NO_BUDGET",
      hint: "Raise max_context_tokens to the model's window, or lower the buffer or the reserved output.",
      data: { maxContextTokens, hardCapBuffer, reservedOutputTokens },
    },
  );
}

function requireTokens(path: string, value: number): void {
  if (Number.isFinite(value) && value >= 0) return;
  throw new CompactError("InvalidConfig", `${path} must be a number of tokens, 0 or more`, {
    code: "INVALID_TOKEN_NUMBER",
    hint: `Give ${path} as a whole number.`,
    data: { path },
  });
}

// Makes the one error that a model call fails with. Which code fits is decided by status-failure.ts and
// thrown-failure.ts; nothing that a prompt, an answer or a key holds may be handed in here.
import { CompactError } from "../../errors.ts";
import { MODEL_FAILURE_CODES, type ModelFailureCode } from "../model.ts";

export interface FailureDetails {
  readonly hint?: string | undefined;
  /** HTTP status, where there was an answer. */
  readonly status?: number | undefined;
  /** How long the provider asks to wait, milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** A name from a closed vocabulary: a system code (`ECONNRESET`) or a provider's error code. */
  readonly reason?: string | undefined;
  /** Only what belongs to the caller (his own function's error): a provider's error objects hold prompts. */
  readonly cause?: unknown;
}

export function modelFailure(code: ModelFailureCode, message: string, details: FailureDetails = {}): CompactError {
  const { hint, status, retryAfterMs, reason, cause } = details;
  return new CompactError("SummarizationFailed", message, {
    code,
    ...(hint === undefined ? {} : { hint }),
    data: {
      ...(status === undefined ? {} : { status }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(reason === undefined ? {} : { reason }),
    },
    cause,
  });
}

const codes: ReadonlySet<string> = new Set(MODEL_FAILURE_CODES);

/** True for what a `Model` may throw; other errors of ours (a missing package, a bad setting) are not about the call. */
export function isModelFailure(error: unknown): error is CompactError {
  return CompactError.isInstance(error) && error.kind === "SummarizationFailed" && codes.has(error.code);
}

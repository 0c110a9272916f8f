// What a user of a framework can do about an error whose hint is written for who configures: a window is never guessed.
import { CompactError } from "../../errors.ts";

/** The error with what to do about it where it is a host that names the model; any other error as it is. */
export function withAdvice(error: unknown): unknown {
  if (!CompactError.isInstance(error) || error.code !== "UNKNOWN_MODEL") return error;
  return new CompactError(error.kind, error.message, {
    code: error.code,
    hint: 'Pass a manager that knows its window: new CompactManager({ maxContextTokens: 32_000 }), or for this model alone new CompactManager({ models: { "its name": { maxContextTokens: 32_000 } } }).',
    data: error.data,
    cause: error,
  });
}

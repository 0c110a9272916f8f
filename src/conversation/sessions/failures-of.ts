// How many calls of a model stand behind a failed summary: what the breaker counts.
import { CompactError } from "../../errors.ts";

export function failuresOf(error: unknown): number {
  const failures = CompactError.isInstance(error) ? error.data.failures : undefined;
  return typeof failures === "number" && failures > 0 ? failures : 1;
}

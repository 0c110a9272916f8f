// Why an answer ended, from the names that providers give it.
import type { CompactError } from "../../errors.ts";
import { modelFailure } from "../failures/model-failure.ts";
import type { FinishReason } from "../model.ts";

/** `unknown` for what the table lacks. */
export function finishFrom(table: Readonly<Record<string, FinishReason>>, reason: unknown): FinishReason {
  return typeof reason === "string" && Object.hasOwn(table, reason) ? (table[reason] ?? "unknown") : "unknown";
}

/** The window ended before the cap did: a larger cap would not help, less input does. */
export function windowFull(): CompactError {
  return modelFailure("MODEL_INPUT_TOO_LONG", "The model's window was full before its answer was complete", {
    hint: "Give the model's real window as maxContextTokens, or use a model with a larger one.",
  });
}

// What the tests of models ask, and how they look at what is thrown.
import { inspect } from "node:util";
import { CompactError } from "../../src/errors.ts";
import type { ModelRequest } from "../../src/models/model.ts";
import { createRedactor } from "../../src/redaction/redactor.ts";

const redactor = createRedactor();

export const PROMPT_WORDS = "the heron crossed the weir at noon";
export const KEY = "key-3f9c-never-to-be-seen";

export function modelRequest(
  changes: Partial<Omit<ModelRequest, "system" | "prompt">> & { prompt?: string } = {},
): ModelRequest {
  const { prompt = PROMPT_WORDS, ...rest } = changes;
  return {
    system: redactor.text("Summarize."),
    prompt: redactor.text(prompt),
    maxTokens: 500,
    temperature: 0,
    ...rest,
  };
}

/** The CompactError that a promise rejects with; anything else fails the test. */
export async function failureOf(promise: Promise<unknown>): Promise<CompactError> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if (!("error" in outcome)) throw new Error("expected a rejection, got a value");
  if (!CompactError.isInstance(outcome.error)) throw outcome.error;
  return outcome.error;
}

/** Everything a log could show of an error: its fields, its causes, its stack. */
export function everythingOf(error: CompactError): string {
  return `${inspect(error, { depth: 20, showHidden: true, maxStringLength: null })}\n${JSON.stringify(error)}\n${error.message}\n${error.hint}`;
}

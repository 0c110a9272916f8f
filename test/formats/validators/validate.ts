// Every fault for which a list's provider would refuse it: the oracle of all tests that make lists. Strict, and no part of the
// product, which heals instead.
import { validateAnthropic } from "./anthropic.ts";
import { validateChat } from "./openai-chat.ts";
import { validateResponses } from "./openai-responses.ts";
import type { ValidateOptions, Violation } from "./violations.ts";

const VALIDATORS: Readonly<Record<string, typeof validateChat>> = {
  "openai-chat": validateChat,
  "openai-responses": validateResponses,
  anthropic: validateAnthropic,
};

/** Empty for a valid list. Throws for a format that is none. */
export function validate(
  format: { readonly name: string } | undefined,
  messages: readonly unknown[],
  options: ValidateOptions = {},
): readonly Violation[] {
  const check = VALIDATORS[format?.name ?? ""];
  if (check === undefined) throw new Error(`no format: ${format?.name}`);
  return check(messages, options);
}

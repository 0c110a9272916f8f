// What to do about a failure, for a person at a prompt: errors that clients get, too, speak of fields and tools, where a
// command has flags and other commands.
import { CompactError } from "../errors.ts";

/** By the code of the error; undefined where its own hint says more. */
export type PromptHints = Readonly<Record<string, string | ((error: CompactError) => string | undefined)>>;

/** The same error with the hint of its code; anything else as it is. */
export function atPrompt(error: unknown, hints: PromptHints): unknown {
  if (!CompactError.isInstance(error)) return error;
  const { kind, message, code, data, cause } = error;
  const known = hints[code];
  const hint = typeof known === "function" ? known(error) : known;
  if (hint === undefined) return error;
  return new CompactError(kind, message, {
    code,
    hint,
    data,
    ...(cause === undefined ? {} : { cause }),
  });
}

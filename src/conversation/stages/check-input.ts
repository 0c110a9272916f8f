// What a caller may pass: a session id, a list of messages, known options. Anything else is said at the door, not
// found out in the middle.
import { CompactError } from "../../errors.ts";
import type { ConversationInput } from "../conversation-parts.ts";

const KNOWN: ReadonlySet<string> = new Set([
  "sessionId",
  "messages",
  "format",
  "system",
  "tools",
  "isManual",
  "targetTokens",
  "note",
  "usage",
  "isStrict",
  "signal",
] satisfies readonly (keyof ConversationInput)[]);

/** A copy of the list as it is now. Throws `InvalidInput` naming what is wrong. */
export function checkInput(input: ConversationInput): readonly unknown[] {
  if (typeof input.sessionId !== "string" || input.sessionId === "")
    throw invalid("The session id must be a text that is not empty.");
  if (!Array.isArray(input.messages)) throw invalid("The messages must be a list.");
  const unknown = Object.keys(input).find((key) => !KNOWN.has(key));
  if (unknown !== undefined) throw invalid(`${unknown} is not a known option.`);
  const { targetTokens } = input;
  if (targetTokens !== undefined && !(Number.isSafeInteger(targetTokens) && targetTokens > 0)) {
    throw invalid("targetTokens must be a whole number above 0.");
  }
  return [...input.messages];
}

function invalid(message: string): CompactError {
  return new CompactError("InvalidInput", message, { hint: "See the types of CompactManager." });
}

// Extracts the ledger of a stretch of conversation, kind by kind. What each kind is stands in kinds/.
import { type FactInput, readFactMessage } from "./fact-message.ts";
import { extractCommands } from "./kinds/commands.ts";
import { extractDecisions } from "./kinds/decisions.ts";
import { extractErrors } from "./kinds/errors.ts";
import { extractFiles } from "./kinds/files.ts";
import { extractIdentifiers } from "./kinds/identifiers.ts";
import { extractPlans } from "./kinds/plans.ts";
import { extractResponses } from "./kinds/responses.ts";
import { extractRules } from "./kinds/rules.ts";
import { extractStatements, extractUserMessages } from "./kinds/user-messages.ts";
import { extractValues } from "./kinds/values.ts";
import type { Ledger } from "./ledger.ts";

export interface ExtractOptions {
  /** Tools that keep a plan or to-do list, besides those known by name. */
  readonly stateTools?: readonly string[];
}

/** `redact` is applied to every text before anything is read from it, so no fact holds a secret. `inputs` in order. */
export function extractFacts(
  inputs: readonly FactInput[],
  redact: (text: string) => string,
  { stateTools = [] }: ExtractOptions = {},
): Ledger {
  const messages = inputs.map((input) => readFactMessage(input, redact));
  return {
    version: 1,
    userMessages: extractUserMessages(messages),
    rules: extractRules(messages),
    responses: extractResponses(messages),
    decisions: extractDecisions(messages),
    files: extractFiles(messages),
    commands: extractCommands(messages),
    errors: extractErrors(messages),
    plans: extractPlans(messages, stateTools),
    values: extractValues(messages),
    identifiers: extractIdentifiers(messages),
    statements: extractStatements(messages),
  };
}

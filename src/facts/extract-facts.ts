// Extracts the ledger of a stretch of conversation, kind by kind. What each kind is stands in kinds/.
import { createPacer } from "../tokens/turns/pacer.ts";
import { type FactInput, type FactMessage, readFactMessage } from "./fact-message.ts";
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
  options: ExtractOptions = {},
): Ledger {
  const steps = extractStepwise(inputs, redact, options);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** `extractFacts`, with pauses in which other work runs. */
export async function extractFactsInTurns(
  inputs: readonly FactInput[],
  redact: (text: string) => string,
  options: ExtractOptions = {},
): Promise<Ledger> {
  const pacer = createPacer();
  const steps = extractStepwise(inputs, redact, options);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (pacer.isDue()) await pacer.pause();
  }
}

/** Yields wherever the work may be put down. */
function* extractStepwise(
  inputs: readonly FactInput[],
  redact: (text: string) => string,
  { stateTools = [] }: ExtractOptions,
): Generator<void, Ledger> {
  const messages: FactMessage[] = [];
  for (const input of inputs) {
    messages.push(readFactMessage(input, redact));
    yield;
  }
  const userMessages = extractUserMessages(messages);
  yield;
  const rules = extractRules(messages);
  yield;
  const responses = extractResponses(messages);
  yield;
  const decisions = extractDecisions(messages);
  yield;
  const files = extractFiles(messages);
  yield;
  const commands = extractCommands(messages);
  yield;
  const errors = extractErrors(messages);
  yield;
  const plans = extractPlans(messages, stateTools);
  yield;
  const values = extractValues(messages);
  yield;
  const identifiers = extractIdentifiers(messages);
  yield;
  const statements = extractStatements(messages);
  return {
    version: 1,
    userMessages,
    rules,
    responses,
    decisions,
    files,
    commands,
    errors,
    plans,
    values,
    identifiers,
    statements,
  };
}

// Extracts the ledger of a stretch of conversation, kind by kind. What each kind is stands in kinds/.
import { runInTurns, runThrough, type Stepwise } from "../tokens/turns/stepwise.ts";
import { changesStepwise } from "./changes/apply-changes.ts";
import { type FactInput, type FactMessage, readFactMessage } from "./fact-message.ts";
import { extractCommandsStepwise } from "./kinds/commands.ts";
import { extractDecisionsStepwise } from "./kinds/decisions.ts";
import { extractErrorsStepwise } from "./kinds/errors.ts";
import { extractFilesStepwise } from "./kinds/files.ts";
import { extractIdentifiersStepwise } from "./kinds/identifiers.ts";
import { extractPlansStepwise } from "./kinds/plans.ts";
import { extractResponsesStepwise } from "./kinds/responses.ts";
import { extractRulesStepwise } from "./kinds/rules.ts";
import { extractStatementsStepwise, extractUserMessages } from "./kinds/user-messages.ts";
import { changeValuesStepwise, extractValuesStepwise } from "./kinds/values.ts";
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
  return runThrough(extractStepwise(inputs, redact, options));
}

/** `extractFacts`, with pauses in which other work runs. */
export function extractFactsInTurns(
  inputs: readonly FactInput[],
  redact: (text: string) => string,
  options: ExtractOptions = {},
): Promise<Ledger> {
  return runInTurns(extractStepwise(inputs, redact, options));
}

/** Yields wherever the work may be put down. */
function* extractStepwise(
  inputs: readonly FactInput[],
  redact: (text: string) => string,
  { stateTools = [] }: ExtractOptions,
): Stepwise<Ledger> {
  const messages: FactMessage[] = [];
  for (const input of inputs) {
    messages.push(readFactMessage(input, redact));
    yield;
  }
  const userMessages = extractUserMessages(messages);
  yield;
  const rules = yield* extractRulesStepwise(messages);
  yield;
  const responses = yield* extractResponsesStepwise(messages);
  yield;
  const decisions = yield* extractDecisionsStepwise(messages);
  yield;
  const files = yield* extractFilesStepwise(messages);
  yield;
  const commands = yield* extractCommandsStepwise(messages);
  yield;
  const errors = yield* extractErrorsStepwise(messages);
  yield;
  const plans = yield* extractPlansStepwise(messages, stateTools);
  yield;
  const statements = yield* extractStatementsStepwise(messages);
  yield;
  const said = yield* extractValuesStepwise(messages);
  const values = yield* changeValuesStepwise(said, yield* changesStepwise(undefined, { userMessages, statements }));
  yield;
  const identifiers = yield* extractIdentifiersStepwise(messages);
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

// Extracts the ledger of a stretch of conversation, kind by kind, and carries it over a round: what was known, plus what
// later messages add. How a later fact settles an earlier one is each kind's own rule.
import { runInTurns, runThrough, type Stepwise } from "../tokens/stepwise.ts";
import { extractAttachments, mergeAttachments } from "./attached.ts";
import { extractCalls, mergeCalls } from "./calls.ts";
import { extractCommands, mergeCommands } from "./commands.ts";
import { extractErrors, mergeErrors } from "./errors.ts";
import { type FactInput, type FactMessage, readFactMessage } from "./fact-message.ts";
import { extractFiles, mergeFiles } from "./files.ts";
import { cite, type Ledger } from "./ledger.ts";
import { extractPlans, mergePlans } from "./plans.ts";
import { extractRules, mergeRules, withoutCorrected } from "./rules.ts";
import {
  extractDecisions,
  extractIdentifiers,
  extractStatements,
  extractUserMessages,
  mergeDecisions,
  mergeIdentifiers,
  mergeStatements,
  mergeUserMessages,
} from "./said.ts";
import { withUserWords } from "./user-words.ts";

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
  for (const input of withUserWords(inputs)) {
    messages.push(readFactMessage(input, redact));
    yield;
  }
  const said = {
    userMessages: extractUserMessages(messages),
    statements: extractStatements(messages),
    decisions: extractDecisions(messages),
  };
  yield;
  const identifiers = extractIdentifiers(messages);
  yield;
  return {
    version: 2,
    ...said,
    identifiers,
    rules: withoutCorrected(yield* extractRules(messages), said.userMessages),
    files: yield* extractFiles(messages),
    commands: yield* extractCommands(messages),
    errors: yield* extractErrors(messages),
    calls: yield* extractCalls(messages),
    attachments: extractAttachments(messages),
    plans: yield* extractPlans(messages, stateTools),
  };
}

export function mergeLedgers(earlier: Ledger, later: Ledger): Ledger {
  return {
    version: 2,
    userMessages: mergeUserMessages(earlier.userMessages, later.userMessages),
    rules: mergeRules(withoutCorrected(earlier.rules, later.userMessages), later.rules),
    decisions: mergeDecisions(earlier.decisions, later.decisions),
    files: mergeFiles(earlier.files, later.files),
    commands: mergeCommands(earlier.commands, later.commands),
    errors: mergeErrors(earlier.errors, later.errors, later.commands, later.files),
    plans: mergePlans(earlier.plans, later.plans),
    calls: mergeCalls(earlier.calls, later.calls),
    attachments: mergeAttachments(earlier.attachments, later.attachments),
    identifiers: mergeIdentifiers(earlier.identifiers, later.identifiers),
    statements: mergeStatements(earlier.statements, later.statements),
  };
}

/** The ledger as it stands after later messages that stay in the conversation: what they settled is marked, nothing of theirs is added. */
export function overtake(ledger: Ledger, later: Ledger): Ledger {
  const known = new Set(ledger.errors.map(({ source }) => cite(source)));
  const errors = mergeErrors(ledger.errors, later.errors, later.commands, later.files);
  return {
    ...ledger,
    rules: withoutCorrected(ledger.rules, later.userMessages),
    errors: errors.filter(({ source }) => known.has(cite(source))),
    plans: mergePlans(ledger.plans, later.plans),
  };
}

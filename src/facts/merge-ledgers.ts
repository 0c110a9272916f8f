// Carries a ledger over a round: what was known, plus what the newly removed messages add. How a later fact
// replaces or settles an earlier one is each kind's own rule.
import { runThrough, type Stepwise } from "../tokens/turns/stepwise.ts";
import { changesStepwise } from "./changes/apply-changes.ts";
import { mergeCommands } from "./kinds/commands.ts";
import { mergeDecisions } from "./kinds/decisions.ts";
import { mergeErrors } from "./kinds/errors.ts";
import { mergeFiles } from "./kinds/files.ts";
import { mergeIdentifiers } from "./kinds/identifiers.ts";
import { mergePlans } from "./kinds/plans.ts";
import { mergeResponses } from "./kinds/responses.ts";
import { mergeRules } from "./kinds/rules.ts";
import { mergeStatements } from "./kinds/user-messages.ts";
import { changeValuesStepwise, mergeValuesStepwise } from "./kinds/values.ts";
import type { Ledger } from "./ledger.ts";

export function mergeLedgers(earlier: Ledger, later: Ledger): Ledger {
  return runThrough(mergeLedgersStepwise(earlier, later));
}

export function* mergeLedgersStepwise(earlier: Ledger, later: Ledger): Stepwise<Ledger> {
  const values = yield* changeValuesStepwise(
    yield* mergeValuesStepwise(earlier.values, later.values),
    yield* changesStepwise(earlier, later),
  );
  yield;
  const identifiers = mergeIdentifiers(earlier.identifiers, later.identifiers);
  yield;
  const rules = mergeRules(earlier.rules, later.rules);
  yield;
  const decisions = mergeDecisions(earlier.decisions, later.decisions);
  yield;
  const errors = mergeErrors(earlier.errors, later.errors, later.commands, later.files);
  yield;
  const commands = mergeCommands(earlier.commands, later.commands);
  yield;
  return {
    version: 1,
    userMessages: [...earlier.userMessages, ...later.userMessages],
    rules,
    responses: mergeResponses(earlier.responses, later.responses),
    decisions,
    files: mergeFiles(earlier.files, later.files),
    commands,
    errors,
    plans: mergePlans(earlier.plans, later.plans),
    values,
    identifiers,
    statements: mergeStatements(earlier.statements, later.statements),
  };
}

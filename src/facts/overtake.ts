// How a ledger stands after later messages that stay in the conversation: what they replaced or settled is marked,
// but nothing of theirs is added, since they speak for themselves.
import type { Stepwise } from "../tokens/turns/stepwise.ts";
import { changesStepwise } from "./changes/apply-changes.ts";
import { mergeDecisions } from "./kinds/decisions.ts";
import { mergeErrors } from "./kinds/errors.ts";
import { mergePlans } from "./kinds/plans.ts";
import { mergeRules } from "./kinds/rules.ts";
import { changeValuesStepwise, mergeValuesStepwise } from "./kinds/values.ts";
import { cite, type Ledger, type Source } from "./ledger.ts";

interface Sourced {
  readonly source: Source;
}

export function* overtakeStepwise(ledger: Ledger, later: Ledger): Stepwise<Ledger> {
  const known = (facts: readonly Sourced[]) => new Set(facts.map(({ source }) => cite(source)));
  const only = <Fact extends Sourced>(merged: readonly Fact[], before: readonly Sourced[]): readonly Fact[] => {
    const sources = known(before);
    return merged.filter(({ source }) => sources.has(cite(source)));
  };
  const told = yield* changeValuesStepwise(
    yield* mergeValuesStepwise(ledger.values, later.values),
    yield* changesStepwise(ledger, later),
  );
  // What only the change makes a value of was said by a person before.
  const values = only(told, [...ledger.values, ...ledger.userMessages]);
  yield;
  const rules = only(mergeRules(ledger.rules, later.rules), ledger.rules);
  yield;
  const decisions = only(mergeDecisions(ledger.decisions, later.decisions), ledger.decisions);
  yield;
  const errors = only(mergeErrors(ledger.errors, later.errors, later.commands, later.files), ledger.errors);
  yield;
  return { ...ledger, rules, decisions, errors, values, plans: mergePlans(ledger.plans, later.plans) };
}

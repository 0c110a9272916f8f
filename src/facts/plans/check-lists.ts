// Check lists that the assistant wrote out in its words: the latest state, item by item. One in a file is what the
// file says.
import type { FactMessage } from "../fact-message.ts";
import type { PlanFact } from "../ledger.ts";
import { checkList } from "./plan-items.ts";
import { nextState } from "./tool-plans.ts";

const FROM = "check list";
/** A single line with a box is a choice that is offered, or an item that is quoted. */
const FEWEST = 2;

export function saidCheckLists(messages: readonly FactMessage[]): readonly PlanFact[] {
  let plan: PlanFact | undefined;
  for (const { spoken, source } of messages) {
    for (const { author, text } of spoken) {
      const items = author === "assistant" && text.includes("] ") ? checkList(text) : [];
      if (items.length >= FEWEST) plan = nextState(plan, FROM, items, source);
    }
  }
  return plan === undefined ? [] : [plan];
}

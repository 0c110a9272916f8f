// What the tests of summaries by a model share: a short history, a good answer to it, a bench with a scripted model.
import type { ConversationConfig } from "../../../src/index.ts";
import { createScriptedModel, type ModelCall, type ModelStep } from "../../../src/testing.ts";
import { assistant, bench, turns, user } from "../support.ts";

const sleepless = { timeoutMs: 500 };
/** A short answer that holds on to the history below. */
export const GOOD = [
  "## Goals and success criteria",
  "- Move the ledger to version 3 [1.1]",
  "## Outstanding actions and blockers",
  "- None are open [1.1]",
].join("\n");
export const history = (name = "ledger") => [
  user(`Move the ${name} to version 3. Never touch the audit table.`),
  assistant("I will start with the schema."),
  ...turns(12),
  user("go on"),
];

/** A bench whose summaries are written by a model that follows a script. */
export function scripted(
  steps: readonly ModelStep[] | ((call: ModelCall) => ModelStep),
  config: ConversationConfig = {},
) {
  const model = createScriptedModel(steps as never);
  return { model, ...bench({ ...config, summarizer: { model, ...sleepless } }) };
}

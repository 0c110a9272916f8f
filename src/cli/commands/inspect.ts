// `agent-compact inspect FILE`: where the tokens of a conversation are, and what a compaction would do. Writes nothing.
import type { ConversationPlan } from "../../conversation/conversation-plan.ts";
import { CompactError } from "../../errors.ts";
import { createRedactor, type RedactorOptions } from "../../redaction/redactor.ts";
import { counterFor } from "../../tokens/create-token-counter.ts";
import { resolveModel } from "../../tokens/models.ts";
import { type Inspection, type InspectionPlan, inspectMessages } from "../analysis/inspect-messages.ts";
import { sharesByBudget, wholeLedger } from "../analysis/whole-ledger.ts";
import { readConversationSource } from "../input/conversation-source.ts";
import { nameSession } from "../input/name-session.ts";
import { type CompactorFlags, openCompactor, readConfig } from "../open-compactor.ts";
import { createProgress } from "../progress.ts";
import { renderInspection } from "../render/inspection.ts";
import { colorsOf, type Terminal } from "../terminal.ts";

export interface InspectFlags extends CompactorFlags {
  readonly format: string;
}

export async function inspectConversation(file: string, flags: InspectFlags, terminal: Terminal): Promise<void> {
  const progress = createProgress(terminal, flags);
  progress.step(`Reading ${file === "-" ? "stdin" : file}`);
  const source = await readConversationSource(file, flags.format, terminal);
  const opened = await openCompactor(flags, terminal, { isReadOnly: true });
  const sessionId = flags.sessionId ?? (await nameSession(source, opened.archive));
  const { format, system, tools } = source;
  const options = {
    format: format.name,
    ...(system === undefined ? {} : { system }),
    ...(tools === undefined ? {} : { tools }),
  };
  const plan = await planOrRefusal(() => opened.compactor.plan(sessionId, source.messages, options));
  const { count } = counterFor(resolveModel(opened.model));
  const { config } = await readConfig(flags, terminal);
  const redactor = createRedactor(config.redaction as RedactorOptions | undefined);
  const facts = sharesByBudget(wholeLedger(source, redactor), count);
  // A tool's name is whatever the transcript says it is.
  const inspection: Inspection = redactor.json({ ...inspectMessages(source, opened.model), plan, facts });
  for (const { message } of source.notes) progress.warn(`Reading the session: ${message}.`);
  const { stdout } = terminal;
  if (flags.json === true) stdout.write(`${JSON.stringify(inspection)}\n`);
  else stdout.write(renderInspection(inspection, source, stdout, colorsOf(stdout, terminal)));
}

/** A conversation that cannot be compacted can still be looked at. */
async function planOrRefusal(makePlan: () => Promise<ConversationPlan>): Promise<InspectionPlan> {
  try {
    return summarizePlan(await makePlan());
  } catch (error) {
    if (CompactError.isInstance(error) && error.kind === "InsufficientBudget")
      return { possible: false, reason: error.message };
    throw error;
  }
}

function summarizePlan(plan: ConversationPlan): InspectionPlan {
  const leaving = plan.messages.reduce((sum, { action, tokens }) => sum + (action === "summarize" ? tokens : 0), 0);
  const isActing = plan.triggered && (leaving > 0 || plan.messages.some(({ action }) => action === "shorten"));
  const expected = plan.tokens_before - leaving + plan.summary_max_tokens;
  return {
    possible: true,
    reason: plan.reason,
    budget: plan.budget,
    target: plan.target,
    kept: plan.kept,
    pruned_count: plan.pruned_count,
    summary_max_tokens: plan.summary_max_tokens,
    expected_tokens: isActing ? Math.min(expected, plan.tokens_before) : plan.tokens_before,
  };
}

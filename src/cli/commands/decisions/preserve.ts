// `agent-compact decisions preserve`: keeps a decision in full at any age, or lets it be shown shorter again.
import { setPreserve } from "../../../decisions/recording/set-preserve.ts";
import { getDecision } from "../../../decisions/serving/get-decision.ts";
import { CompactError } from "../../../errors.ts";
import { type DecisionFlags, withDecisions } from "../../open-decisions.ts";
import { printResult } from "../../print-result.ts";
import { oneLine } from "../../render/table.ts";
import type { Terminal } from "../../terminal.ts";

export interface PreserveFlags extends DecisionFlags {
  readonly off?: true;
}

const UNKNOWN = { code: "UNKNOWN_DECISION", hint: "List the decisions to see their ids." };

export async function preserveOne(id: string, flags: PreserveFlags, terminal: Terminal): Promise<void> {
  const preserve = flags.off !== true;
  await withDecisions(flags, terminal, {}, async ({ log, flag, options }) => {
    const answer = await setPreserve(log, { id, preserve }, options);
    // To a client it is an answer; to a person at a prompt, a mistake.
    if (!answer.success) throw new CompactError("NotFound", answer.error ?? "No decision has this id.", UNKNOWN);
    const { compactionLevel, standing, policy } = await getDecision(log, answer.decisionId, options);
    const shownId = oneLine(answer.decisionId);
    const still = !preserve && standing.preserved ? ` The policy ${oneLine(policy)} preserves it all the same.` : "";
    printResult(
      { ...answer, compactionLevel },
      (colors) =>
        preserve
          ? `${colors.cyan(shownId)} is preserved: shown in full at any age. To undo: agent-compact decisions preserve ${shownId} --off${flag}\n`
          : `${colors.cyan(shownId)} is not preserved any more; its level is ${compactionLevel}.${still}\n`,
      flags,
      terminal,
      { isTold: true },
    );
  });
}

// `agent-compact decisions get`: one decision as it was recorded, its level and why.
import { getDecision } from "../../../decisions/serving/get-decision.ts";
import { type DecisionFlags, withDecisions } from "../../open-decisions.ts";
import { printResult } from "../../print-result.ts";
import { renderRecord } from "../../render/decisions/record.ts";
import { type Terminal, widthOf } from "../../terminal.ts";
import { decidedTimes } from "./decided-times.ts";

export async function showDecision(id: string, flags: DecisionFlags, terminal: Terminal): Promise<void> {
  await withDecisions(flags, terminal, {}, async ({ log, flag, options }) => {
    const answer = await getDecision(log, id, options);
    const decidedAt = (await decidedTimes(log, [answer.id])).get(answer.id);
    const { now, policies } = options;
    const width = widthOf(terminal.stdout);
    printResult(
      answer,
      (colors) => renderRecord(answer, { colors, width, now, decidedAt, flag, policies }),
      flags,
      terminal,
    );
  });
}

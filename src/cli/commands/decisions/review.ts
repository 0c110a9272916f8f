// `agent-compact decisions review`: writes down what came of a decision.
import { reviewDecision } from "../../../decisions/recording/review-decision.ts";
import { type DecisionFlags, withDecisions } from "../../open-decisions.ts";
import { printResult } from "../../print-result.ts";
import { renderReplaced } from "../../render/decisions/replaced-review.ts";
import { oneLine } from "../../render/table.ts";
import { type Terminal, widthOf } from "../../terminal.ts";

export interface ReviewFlags extends DecisionFlags {
  readonly outcome: string;
  readonly result?: string;
  readonly lessons?: string;
  readonly notes?: string;
  readonly agent?: string;
}

export async function reviewOne(id: string, flags: ReviewFlags, terminal: Terminal): Promise<void> {
  const { outcome, result: actualResult, lessons, notes, agent } = flags;
  await withDecisions(flags, terminal, {}, async ({ log, flag, options }) => {
    const answer = await reviewDecision(log, { id, outcome, actualResult, lessons, notes, agent }, options);
    const { compactionLevel, replaced } = answer;
    const shownId = oneLine(answer.id);
    const width = widthOf(terminal.stdout);
    printResult(
      answer,
      (colors) =>
        [
          `Reviewed ${colors.cyan(shownId)}: ${answer.outcome}. ${levelLine(compactionLevel)}`,
          ...(replaced === undefined ? [] : renderReplaced(replaced, { colors, width })),
          ...(compactionLevel === "full"
            ? []
            : [`To keep it in full: ${colors.cyan(`agent-compact decisions preserve ${shownId}${flag}`)}`]),
          "",
        ].join("\n"),
      flags,
      terminal,
      { isTold: true },
    );
  });
}

function levelLine(level: string): string {
  if (level === "full") return "It is shown in full for now.";
  return level === "wisdom"
    ? "By its age it counts in wisdom from now on."
    : `By its age it is shown as a ${level} from now on.`;
}

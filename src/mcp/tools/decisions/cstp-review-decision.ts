// The tool `cstp_review_decision`: writes down what came of a decision.
import { reviewDecisionMethod } from "../../../decisions/cstp/methods/review-decision.ts";
import { pieceFrom } from "../../answer/text-piece.ts";
import { defineTool } from "../../tool.ts";
import { nameOf, quoted } from "../reading/row-text.ts";
import { decisionsOf, methodParameters, toolAliases, toolDescription, toolParameters } from "./method-tool.ts";

const { shape } = reviewDecisionMethod.params;

const PARAMETERS = reviewDecisionMethod.params
  .pick({
    decisionId: true,
    outcome: true,
    actualResult: true,
    lessons: true,
    notes: true,
    reviewedBy: true,
  })
  .extend({
    reviewedBy: shape.reviewedBy.describe("Who reviewed"),
  });

export const cstpReviewDecision = defineTool({
  name: "cstp_review_decision",
  title: "Review a decision",
  description: toolDescription(reviewDecisionMethod),
  input: toolParameters(PARAMETERS),
  output: reviewDecisionMethod.result,
  aliases: toolAliases(PARAMETERS),
  hints: reviewDecisionMethod.hints,
  async run(given, context) {
    const result = await reviewDecisionMethod.run(methodParameters(PARAMETERS, given), decisionsOf(context));
    const { id, outcome, compactionLevel, replaced } = result;
    const lines = [
      `Decision ${nameOf(id)} reviewed: ${outcome}. By its age it is shown at level ${compactionLevel}.`,
      ...(replaced === undefined ? [] : replacedLines(replaced)),
      ...(compactionLevel === "full" ? [] : ["To keep it whole: cstp_set_preserve."]),
    ];
    return { text: lines.join("\n"), structured: result };
  },
});

/** Of the text of an answer; its structured part has the whole. */
const MOST_SHOWN = 6000;

function replacedLines(replaced: Readonly<Record<string, unknown>>): readonly string[] {
  const whole = JSON.stringify(replaced, null, 1);
  const shown = pieceFrom(whole, 0, MOST_SHOWN);
  const cut = shown.length < whole.length ? ` (characters 1-${shown.length} of ${whole.length})` : "";
  return [`It replaced this review, which nothing else keeps${cut}:`, quoted(shown)];
}

// The tool `cstp_review_decision`: writes down what came of a decision.
import { reviewDecisionMethod } from "../../../decisions/cstp/methods/review-decision.ts";
import { defineTool } from "../../tool.ts";
import { nameOf } from "../reading/row-text.ts";
import { decisionsOf, methodParameters, toolDescription, toolParameters } from "./method-tool.ts";

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
    notes: shape.notes.describe("Anything else about the review"),
    reviewedBy: shape.reviewedBy.describe("Who reviewed"),
  });

export const cstpReviewDecision = defineTool({
  name: "cstp_review_decision",
  title: "Review a decision",
  description: toolDescription(reviewDecisionMethod),
  input: toolParameters(PARAMETERS),
  output: reviewDecisionMethod.result,
  hints: reviewDecisionMethod.hints,
  async run(given, context) {
    const result = await reviewDecisionMethod.run(methodParameters(PARAMETERS, given), decisionsOf(context));
    const { id, outcome, compactionLevel } = result;
    const lines = [
      `Decision ${nameOf(id)} reviewed: ${outcome}. By its age it is shown at level ${compactionLevel}.`,
      ...(compactionLevel === "full" ? [] : ["To keep it whole: cstp_set_preserve."]),
    ];
    return { text: lines.join("\n"), structured: result };
  },
});

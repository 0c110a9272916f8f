// The tool `cstp_record_decision`: writes a decision down. Of the method's parameters only those that a model has something
// to say about: every conversation pays for the list.
import { recordDecisionMethod } from "../../../decisions/cstp/methods/record-decision.ts";
import { defineTool } from "../../tool.ts";
import { nameOf } from "../reading/row-text.ts";
import { decisionsOf, methodParameters, toolAliases, toolDescription, toolParameters } from "./method-tool.ts";

const { shape } = recordDecisionMethod.params;

const PARAMETERS = recordDecisionMethod.params
  .pick({
    decision: true,
    category: true,
    confidence: true,
    stakes: true,
    context: true,
    reasons: true,
    pattern: true,
    bridge: true,
    tags: true,
    supersedes: true,
    preserve: true,
    recordedBy: true,
  })
  .extend({
    recordedBy: shape.recordedBy.describe("Who decided"),
  });

export const cstpRecordDecision = defineTool({
  name: "cstp_record_decision",
  title: "Record a decision",
  description: toolDescription(recordDecisionMethod),
  input: toolParameters(PARAMETERS),
  output: recordDecisionMethod.result,
  aliases: toolAliases(PARAMETERS),
  hints: recordDecisionMethod.hints,
  async run(given, context) {
    const result = await recordDecisionMethod.run(methodParameters(PARAMETERS, given), decisionsOf(context));
    const { id, supersedes = [] } = result;
    const lines = [
      `Decision recorded (ID: ${nameOf(id)}).`,
      ...(supersedes.length === 0 ? [] : [`It supersedes ${supersedes.map(nameOf).join(", ")}.`]),
      `When it is known what came of it: cstp_review_decision with decision_id: ${JSON.stringify(nameOf(id))}.`,
    ];
    return { text: lines.join("\n"), structured: result };
  },
});

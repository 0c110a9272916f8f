// The tool `cstp_record_decision`: writes a decision down. Of the method's parameters only those that a model has something
// to say about: every conversation pays for the list.
import {
  compactMethod,
  recordDecisionMethod,
  reviewDecisionMethod,
  setPreserveMethod,
} from "../../decisions/cstp/writing-methods.ts";
import { pieceFrom } from "../answer.ts";
import { defineTool } from "../tool.ts";
import {
  decisionsOf,
  levelsText,
  methodParameters,
  toolAliases,
  toolDescription,
  toolParameters,
} from "./decision-view.ts";
import { nameOf, quoted } from "./row-view.ts";

const { shape } = recordDecisionMethod.params;

const RECORD_PARAMETERS = recordDecisionMethod.params
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
  input: toolParameters(RECORD_PARAMETERS),
  output: recordDecisionMethod.result,
  aliases: toolAliases(RECORD_PARAMETERS),
  hints: recordDecisionMethod.hints,
  async run(given, context) {
    const result = await recordDecisionMethod.run(methodParameters(RECORD_PARAMETERS, given), decisionsOf(context));
    const { id, supersedes = [] } = result;
    const lines = [
      `Decision recorded (ID: ${nameOf(id)}).`,
      ...(supersedes.length === 0 ? [] : [`It supersedes ${supersedes.map(nameOf).join(", ")}.`]),
      `When it is known what came of it: cstp_review_decision with decision_id: ${JSON.stringify(nameOf(id))}.`,
    ];
    return { text: lines.join("\n"), structured: result };
  },
});

// The tool `cstp_review_decision`: writes down what came of a decision.

const { shape: reviewShape } = reviewDecisionMethod.params;

const REVIEW_PARAMETERS = reviewDecisionMethod.params
  .pick({
    decisionId: true,
    outcome: true,
    actualResult: true,
    lessons: true,
    notes: true,
    reviewedBy: true,
  })
  .extend({
    reviewedBy: reviewShape.reviewedBy.describe("Who reviewed"),
  });

export const cstpReviewDecision = defineTool({
  name: "cstp_review_decision",
  title: "Review a decision",
  description: toolDescription(reviewDecisionMethod),
  input: toolParameters(REVIEW_PARAMETERS),
  output: reviewDecisionMethod.result,
  aliases: toolAliases(REVIEW_PARAMETERS),
  hints: reviewDecisionMethod.hints,
  async run(given, context) {
    const result = await reviewDecisionMethod.run(methodParameters(REVIEW_PARAMETERS, given), decisionsOf(context));
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

// The tool `cstp_set_preserve`: keeps a decision in full at any age, or lets it be shown shorter again.

export const cstpSetPreserve = defineTool({
  name: "cstp_set_preserve",
  title: "Preserve a decision",
  description: toolDescription(setPreserveMethod),
  input: toolParameters(setPreserveMethod.params),
  output: setPreserveMethod.result,
  aliases: toolAliases(setPreserveMethod.params),
  hints: setPreserveMethod.hints,
  async run(given, context) {
    const result = await setPreserveMethod.run(methodParameters(setPreserveMethod.params, given), decisionsOf(context));
    const { success, decisionId, preserve, error = "" } = result;
    const id = `[${nameOf(decisionId)}]`;
    const done = preserve ? `${id} is preserved: shown in full at any age.` : `${id} is not preserved any more.`;
    const text = success ? done : `${nameOf(error)}\nNothing was changed. cstp_get_compacted lists the ids.`;
    return { text, structured: result };
  },
});

// The tool `cstp_compact`: a cycle over the decision log, or what one would change.

/** Changes that the text names; the structured form has more. */
const MOST_NAMED = 20;

export const cstpCompact = defineTool({
  name: "cstp_compact",
  title: "Run a decision cycle",
  description: toolDescription(compactMethod),
  input: toolParameters(compactMethod.params),
  output: compactMethod.result,
  aliases: toolAliases(compactMethod.params),
  hints: compactMethod.hints,
  async run(given, context) {
    const result = await compactMethod.run(methodParameters(compactMethod.params, given), decisionsOf(context));
    const { compacted, preserved, levels, dryRun, changed, changedTotal, run, warning, errors = [] } = result;
    const named = changed.slice(0, MOST_NAMED).map(({ id, from, to }) => `- [${nameOf(id)}] ${from} -> ${to}`);
    const left = changedTotal - named.length;
    const lines = [
      dryRun ? "Dry run: nothing was written." : "Cycle done. The records are as they were.",
      `Decisions: ${compacted} (${preserved} preserved): ${levelsText(levels)}.`,
      `Levels that ${dryRun ? "would change" : "changed"}: ${changedTotal}.`,
      ...named,
      ...(left > 0 ? [`- and ${left} more`] : []),
      ...(run === undefined
        ? []
        : [`Texts written: ${run.texts.llm} by a model, ${run.texts.extractive} by code, ${run.texts.failed} failed.`]),
      ...(warning === undefined ? [] : [`⚠️ ${warning}`]),
      ...(errors.length === 0
        ? []
        : [
            `⚠️ Records not served as they should be: ${result.errorsTotal ?? errors.length}; cstp_get_compacted names them.`,
          ]),
    ];
    return { text: lines.join("\n"), structured: result };
  },
});

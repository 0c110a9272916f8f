// The tools that write into a decision log: `cstp_record_decision`, `cstp_review_decision`, `cstp_set_preserve`,
// `cstp_compact`.

import { isPatternAlone } from "../../decisions/review-decision.ts";
import type { NearWording } from "../../decisions/wisdom/merge-wordings.ts";
import { snippetOf } from "../../observations/reading/row-view.ts";
import {
  compactMethod,
  recordDecisionMethod,
  reviewDecisionMethod,
  setPreserveMethod,
} from "../../operations/decisions/writing.ts";
import { plainPlural } from "../../text/figures.ts";
import { pieceFrom } from "../page-text.ts";
import { decisionTool } from "./decision-tool.ts";
import { levelsText } from "./decision-view.ts";
import { nameOf, quoted } from "./row-view.ts";

const { shape: recordShape } = recordDecisionMethod.params;

export const cstpRecordDecision = decisionTool(recordDecisionMethod, {
  title: "Record a decision",
  // Only those that a model has something to say about.
  params: recordDecisionMethod.params
    .pick({
      ...{ decision: true, category: true, confidence: true, stakes: true, context: true, reasons: true },
      ...{ pattern: true, bridge: true, tags: true, supersedes: true, reviewIn: true, preserve: true },
    })
    .extend({ recordedBy: recordShape.recordedBy.describe("Who decided") }),
  linesOf: ({ id, supersedes = [], nearWordings }) => [
    `Decision recorded (ID: ${nameOf(id)}).`,
    ...(supersedes.length === 0 ? [] : [`It supersedes ${supersedes.map(nameOf).join(", ")}.`]),
    ...nearLines(nearWordings, "If its pattern is one of these, give it as pattern when you review it"),
    `When it is known what came of it: cstp_review_decision with decision_id: ${JSON.stringify(nameOf(id))}.`,
  ],
});

const { shape: reviewShape } = reviewDecisionMethod.params;

export const cstpReviewDecision = decisionTool(reviewDecisionMethod, {
  title: "Review a decision",
  params: reviewDecisionMethod.params
    .pick({ decisionId: true, outcome: true, actualResult: true, lessons: true, pattern: true, notes: true })
    .extend({ reviewedBy: reviewShape.reviewedBy.describe("Who reviewed") }),
  linesOf: ({ id, outcome, compactionLevel, replaced, nearWordings }) => [
    `Decision ${nameOf(id)} reviewed: ${outcome}. By its age it is shown at level ${compactionLevel}.`,
    ...(replaced === undefined ? [] : replacedLines(replaced)),
    ...nearLines(nearWordings, "If it says one of these, review it again in these words"),
    ...(compactionLevel === "full" ? [] : ["To keep it whole: cstp_set_preserve."]),
  ],
});

/** What the log says already, for whoever is about to say it otherwise. */
function nearLines(near: readonly NearWording[] = [], what: string): readonly string[] {
  if (near.length === 0) return [];
  const wordings = near.map(({ text, decisions }) => `- ${snippetOf(text)} (${plainPlural(decisions, "decision")})`);
  return [`${what}, so that they count together:`, ...wordings];
}

/** Of the text of an answer; its structured part has the whole. */
const MOST_SHOWN = 6000;

function replacedLines(replaced: Readonly<Record<string, unknown>>): readonly string[] {
  const whole = JSON.stringify(replaced, null, 1);
  const shown = pieceFrom(whole, 0, MOST_SHOWN);
  const cut = shown.length < whole.length ? ` (characters 1-${shown.length} of ${whole.length})` : "";
  return [
    `It replaced this ${isPatternAlone(replaced) ? "pattern" : "review"}, which nothing else keeps${cut}:`,
    quoted(shown),
  ];
}

export const cstpSetPreserve = decisionTool(setPreserveMethod, {
  title: "Preserve a decision",
  linesOf: ({ success, decisionId, preserve, error = "" }) => {
    if (!success) return [nameOf(error), "Nothing was changed. cstp_get_compacted lists the ids."];
    const id = `[${nameOf(decisionId)}]`;
    return [preserve ? `${id} is preserved: shown in full at any age.` : `${id} is not preserved any more.`];
  },
});

/** Changes that the text names; the structured form has more. */
const MOST_NAMED = 20;

export const cstpCompact = decisionTool(compactMethod, {
  title: "Run a decision cycle",
  linesOf: ({
    compacted,
    preserved,
    levels,
    dryRun,
    changed,
    changedTotal,
    run,
    warning,
    errors = [],
    errorsTotal,
  }) => {
    const named = changed.slice(0, MOST_NAMED).map(({ id, from, to }) => `- [${nameOf(id)}] ${from} -> ${to}`);
    const left = changedTotal - named.length;
    const faults = `⚠️ Records not served as they should be: ${errorsTotal ?? errors.length}; cstp_get_compacted names them.`;
    return [
      dryRun ? "Dry run: nothing was written." : "Cycle done. The records are as they were.",
      `Decisions: ${compacted} (${preserved} preserved): ${levelsText(levels)}.`,
      `Levels that ${dryRun ? "would change" : "changed"}: ${changedTotal}.`,
      ...named,
      ...(left > 0 ? [`- and ${left} more`] : []),
      ...(run === undefined
        ? []
        : [`Texts written: ${run.texts.llm} by a model, ${run.texts.extractive} by code, ${run.texts.failed} failed.`]),
      ...(warning === undefined ? [] : [`⚠️ ${warning}`]),
      ...(errors.length === 0 ? [] : [faults]),
    ];
  },
});

// The CSTP methods that read: getCompacted, queryDecisions, getDecision, getWisdom, getCalibration.
import * as z from "zod";
import { getCalibration, VERDICTS } from "../../decisions/calibration.ts";
import { LEVELS } from "../../decisions/decision.ts";
import { getDecision } from "../../decisions/serving/get-decision.ts";
import { FORMS, getCompacted, queryDecisions } from "../../decisions/serving/query-decisions.ts";
import { getWisdom } from "../../decisions/wisdom/get-wisdom.ts";
import { specForm, structuredForm } from "../../decisions/wisdom/wisdom.ts";
import { defineOperation, optionsOf } from "./context.ts";
import {
  agent,
  aText,
  category,
  decisionId,
  faultsRest,
  LONGEST_NAME,
  levelResult,
  list,
  served,
  servedDecision,
  servedPolicy,
  servedRest,
} from "./schemas.ts";

export const getCompactedMethod = defineOperation({
  name: "cstp.getCompacted",
  description:
    "Gives the decisions of the log, latest first: recent, unreviewed and preserved ones whole, older ones as summary or " +
    "one line, those of 90 days and more only counted. Call it to see what was decided before deciding again.",
  params: z.object({
    category: category(),
    agent: agent(),
    level: z.enum(LEVELS).optional().describe("Only decisions of this level; wisdom is served without any text"),
    form: z
      .enum(FORMS)
      .optional()
      .describe(
        "lines: all as one line each, those of wisdom's age too, at a fraction of the tokens; levels when left out",
      ),
    limit: z.int().optional().describe("Most decisions of the answer, 1 to 500; 50 when left out"),
    includePreserved: z.boolean().optional().describe("false leaves out preserved decisions; true when left out"),
    cursor: aText(4000).optional().describe("nextCursor of the last answer, with the same other parameters"),
  }),
  result: z.object({
    decisions: served.describe("Latest first, each at its level"),
    ...servedRest,
    overdue: list(z.object({ id: z.string(), category: z.string(), reviewBy: z.string(), oneLine: z.string() }))
      .optional()
      .describe("Not reviewed by the day they were to be, the longest overdue first; at most ten, on the first page"),
  }),
  hints: { isReadOnly: true, isDestructive: false, isIdempotent: true },
  run: async (params, context) => getCompacted(await context.log(), params, optionsOf(context)),
});

export const queryDecisionsMethod = defineOperation({
  name: "cstp.queryDecisions",
  description:
    "Finds decisions by words and by who, what and how they stand, latest first. Each names the level of its age; with " +
    "compacted each is served at that level, and those of wisdom's age are left out.",
  params: z.object({
    query: aText(1000).optional().describe("Words that all must occur; every decision when left out"),
    category: category(),
    agent: agent(),
    status: aText(LONGEST_NAME).optional().describe("As recorded: pending, reviewed"),
    compacted: z.boolean().optional().describe("true serves each at its level; false, the default, whole"),
    level: z.enum(LEVELS).optional().describe("Only decisions of this level"),
    limit: z.int().optional().describe("Most decisions of the answer, 1 to 500; 50 when left out"),
    cursor: aText(4000).optional().describe("nextCursor of the last answer, with the same other parameters"),
  }),
  result: z.object({
    decisions: z
      .array(servedDecision.extend({ compactionLevel: levelResult }))
      .readonly()
      .describe("Latest first; compactionLevel is the level of its standing and age"),
    ...servedRest,
  }),
  hints: { isReadOnly: true, isDestructive: false, isIdempotent: true },
  run: async (params, context) => queryDecisions(await context.log(), params, optionsOf(context)),
});

export const getDecisionMethod = defineOperation({
  name: "cstp.getDecision",
  description:
    "Gives one decision with every key of its record, at any age, and says at which level lists show it and why. Call it " +
    "when a summary or a line is not enough.",
  params: z.object({ decisionId: decisionId() }),
  result: z.object({
    id: z.string().describe("The whole id"),
    decision: z.record(z.string(), z.unknown()).readonly().describe("The record, every key as it was written"),
    compactionLevel: levelResult.describe("How lists show it"),
    standing: z
      .object({
        status: z.string(),
        reviewed: z.boolean(),
        preserved: z.boolean(),
        superseded: z.boolean(),
        supersededBy: z.string().optional(),
        ageDays: z.number().optional(),
      })
      .describe("Why it is shown so; ageDays is absent where its date cannot be read"),
    policy: z.string().describe("Name of the policy that governs it"),
  }),
  hints: { isReadOnly: true, isDestructive: false, isIdempotent: true },
  run: async (params, context) => getDecision(await context.log(), params.decisionId, optionsOf(context)),
});

const principle = z.object({
  text: z.string(),
  confirmations: z.int(),
  contradictions: z.int(),
  exampleIds: list(z.string()),
  contradictingIds: list(z.string()).optional(),
});

const failureMode = z.object({
  text: z.string(),
  failures: z.int(),
  decisions: z.int(),
  exampleIds: list(z.string()),
  learned: list(z.string()).optional(),
});

const categoryWisdom = z.object({
  category: z.string(),
  decisions: z.int(),
  success_rate: z.number().optional(),
  key_principles: list(z.string()).optional().describe("text (3 confirmations)"),
  common_failure_mode: z.string().optional().describe("text (4 failures)"),
  learned: list(z.string()).optional().describe("What these failures taught"),
  successRate: z.number().optional(),
  keyPrinciples: list(principle).optional(),
  commonFailureMode: z.string().optional(),
  failureModes: list(failureMode).optional(),
  avgConfidence: z.number().optional(),
  brierScore: z.number().optional(),
  calibrationGap: z.number().optional(),
});

export const getWisdomMethod = defineOperation({
  name: "cstp.getWisdom",
  description:
    "Gives for each category what its reviewed decisions of wisdom's age taught: success rate, principles with their " +
    "confirmations, what failed most often and what that taught. Call it before a decision of that category.",
  params: z.object({
    category: category(),
    agent: agent(),
    minDecisions: z
      .int()
      .optional()
      .describe("Categories with fewer such decisions are left out, 1 to 100; the policy's, 5, when left out"),
    format: z
      .enum(["spec", "structured"])
      .optional()
      .describe("spec, the default: snake_case with sentences; structured: camelCase with counts and ids"),
  }),
  result: z.object({
    wisdom: list(categoryWisdom).describe("By category; snake_case keys in the form spec, the others in structured"),
    total_decisions: z
      .int()
      .optional()
      .describe("Reviewed decisions of wisdom's age, left-out categories included; spec"),
    categories_analyzed: z.int().optional().describe("Categories in wisdom; spec"),
    totalDecisions: z.int().optional().describe("As total_decisions; structured"),
    categoriesAnalyzed: z.int().optional().describe("As categories_analyzed; structured"),
    crossCategory: list(principle.extend({ categories: list(z.string()) }))
      .optional()
      .describe("Principles confirmed in several categories; structured"),
    lines: served.optional().describe("Decisions of that age of which no principle and no failure tells; structured"),
    policy: servedPolicy.optional().describe("The policy that governs what was asked for; structured"),
    otherPolicies: list(servedPolicy).optional().describe("Policies that may govern some of it instead; structured"),
    ...faultsRest,
  }),
  hints: { isReadOnly: true, isDestructive: false, isIdempotent: true },
  run: async ({ format, ...params }, context) => {
    const wisdom = await getWisdom(await context.log(), params, optionsOf(context));
    return format === "structured" ? structuredForm(wisdom) : specForm(wisdom);
  },
});

const verdict = z.enum(VERDICTS);
const figure = z.number().nullable();

export const getCalibrationMethod = defineOperation({
  name: "cstp.getCalibration",
  description:
    "Compares the confidence of reviewed decisions with what came of them: Brier score, accuracy, and the gap between the " +
    "two, over all and by confidence. Read from the records alone; compaction changes nothing in it.",
  params: z.object({ category: category(), agent: agent() }),
  result: z.object({
    overall: z
      .object({
        brierScore: figure.describe("Mean squared error of the confidence: 0 is perfect"),
        accuracy: figure.describe("Mean of what came true: success 1, partial 0.5, else 0"),
        avgConfidence: figure.describe("Mean of what was stated"),
        calibrationGap: figure.describe("Accuracy less mean confidence: below 0 is overconfident"),
        interpretation: verdict.nullable(),
        totalDecisions: z.int().describe("Reviewed decisions"),
        reviewedDecisions: z.int().describe("Of them, those with an outcome and a confidence"),
      })
      .describe("Figures are null below three decisions with an outcome and a confidence"),
    byConfidenceBucket: z
      .array(
        z.object({
          bucket: z.string(),
          decisions: z.int(),
          successRate: z.number(),
          accuracy: z.number(),
          expectedRate: z.number(),
          gap: z.number(),
          interpretation: verdict,
        }),
      )
      .readonly()
      .describe("The highest first; those of fewer than three decisions are left out"),
  }),
  hints: { isReadOnly: true, isDestructive: false, isIdempotent: true },
  run: async (params, context) => getCalibration(await context.log(), params, optionsOf(context)),
});

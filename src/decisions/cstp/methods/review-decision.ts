// `cstp.reviewDecision`: says what came of a decision.
import * as z from "zod";
import { OUTCOMES, REVIEWED } from "../../decision.ts";
import { type ReviewRequest, reviewDecision } from "../../recording/review-decision.ts";
import { defineMethod } from "../method.ts";
import { aText, decisionId, LONGEST_NAME, oneOf } from "../parameters/kinds.ts";
import { ignoredResult, levelResult } from "../results/served.ts";
import { optionsOf } from "./options.ts";

const LONGEST_TEXT = 20_000;

export const reviewDecisionMethod = defineMethod({
  name: "cstp.reviewDecision",
  description:
    "Says what came of a decision. From then on it counts in calibration and wisdom, and is shown shorter as it ages. A " +
    "later review takes the place of an earlier one.",
  params: z.object({
    decisionId: decisionId(),
    outcome: oneOf(OUTCOMES).describe("What came of it"),
    actualResult: aText(LONGEST_TEXT).optional().describe("What happened"),
    lessons: aText(LONGEST_TEXT).optional().describe("What to do, or not to do, next time"),
    notes: aText(LONGEST_TEXT).optional().describe("Anything else about the review"),
    affectedKpis: z.unknown().optional().describe("Figures that it moved, and how; kept, not used"),
    reviewedBy: aText(LONGEST_NAME)
      .optional()
      .describe("Who reviewed; whoever the token stands for, where tokens are set"),
  }),
  result: z.object({
    success: z.literal(true).describe("What fails is an error"),
    id: z.string().describe("The whole id"),
    status: z.literal(REVIEWED).describe("From now on"),
    outcome: z.enum(OUTCOMES).describe("As it was sent"),
    reviewedAt: z.string().describe("ISO 8601, UTC"),
    compactionLevel: levelResult.describe("Now that it is reviewed"),
    replaced: z
      .record(z.string(), z.unknown())
      .readonly()
      .optional()
      .describe("The review that this one took the place of, as the record had it; nothing else keeps it"),
    ignored: ignoredResult,
  }),
  hints: { isReadOnly: false, isDestructive: true, isIdempotent: false },
  run: async ({ decisionId: id, reviewedBy, ...review }, context) => {
    const agent = context.agent === "" ? reviewedBy : context.agent;
    // What a client sent as JSON is JSON.
    const request = { id, ...review, agent } as ReviewRequest;
    const answer = await reviewDecision(await context.log(), request, optionsOf(context));
    return { success: true as const, ...answer };
  },
});

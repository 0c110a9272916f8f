// `cstp.queryDecisions`: decisions that hold certain words, whole or at their level.
import * as z from "zod";
import { LEVELS } from "../../decision.ts";
import { queryDecisions } from "../../serving/query-decisions.ts";
import { defineMethod } from "../method.ts";
import { agent, aText, category, LONGEST_NAME, oneOf, wholeNumber, yesOrNo } from "../parameters/kinds.ts";
import { levelResult, servedDecision, servedRest } from "../results/served.ts";
import { optionsOf } from "./options.ts";

export const queryDecisionsMethod = defineMethod({
  name: "cstp.queryDecisions",
  description:
    "Finds decisions by words and by who, what and how they stand, latest first. Each names the level of its age; with " +
    "compacted each is served at that level, and those of wisdom's age are left out.",
  params: z.object({
    query: aText(1000).optional().describe("Words that all must occur; every decision when left out"),
    category: category(),
    agent: agent(),
    status: aText(LONGEST_NAME).optional().describe("As recorded: pending, reviewed"),
    compacted: yesOrNo().optional().describe("true serves each at its level; false, the default, whole"),
    level: oneOf(LEVELS).optional().describe("Only decisions of this level"),
    limit: wholeNumber().optional().describe("Most decisions of the answer, 1 to 500; 50 when left out"),
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

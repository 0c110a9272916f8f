// `cstp.getCompacted`: decisions as whole as their standing and age allow.
import * as z from "zod";
import { LEVELS } from "../../decision.ts";
import { getCompacted } from "../../serving/get-compacted.ts";
import { defineMethod } from "../method.ts";
import { agent, aText, category, oneOf, wholeNumber, yesOrNo } from "../parameters/kinds.ts";
import { served, servedRest } from "../results/served.ts";
import { optionsOf } from "./options.ts";

export const getCompactedMethod = defineMethod({
  name: "cstp.getCompacted",
  description:
    "Gives the decisions of the log, latest first: recent, unreviewed and preserved ones whole, older ones as summary or " +
    "one line, those of 90 days and more only counted. Call it to see what was decided before deciding again.",
  params: z.object({
    category: category(),
    agent: agent(),
    level: oneOf(LEVELS).optional().describe("Only decisions of this level; wisdom is served without any text"),
    limit: wholeNumber().optional().describe("Most decisions of the answer, 1 to 500; 50 when left out"),
    includePreserved: yesOrNo().optional().describe("false leaves out preserved decisions; true when left out"),
    cursor: aText(4000).optional().describe("nextCursor of the last answer, with the same other parameters"),
  }),
  result: z.object({ decisions: served.describe("Latest first, each at its level"), ...servedRest }),
  hints: { isReadOnly: true, isDestructive: false, isIdempotent: true },
  run: async (params, context) => getCompacted(await context.log(), params, optionsOf(context)),
});

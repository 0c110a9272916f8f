// `cstp.getDecision`: one record as it was written.
import * as z from "zod";
import { getDecision } from "../../serving/get-decision.ts";
import { defineMethod } from "../method.ts";
import { decisionId } from "../parameters/kinds.ts";
import { levelResult } from "../results/served.ts";
import { optionsOf } from "./options.ts";

export const getDecisionMethod = defineMethod({
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

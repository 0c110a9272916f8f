// `cstp.getCalibration`: how well confidence matched what came of it.
import * as z from "zod";
import { getCalibration, VERDICTS } from "../../calibration/get-calibration.ts";
import { defineMethod } from "../method.ts";
import { agent, category } from "../parameters/kinds.ts";
import { optionsOf } from "./options.ts";

const verdict = z.enum(VERDICTS);
const figure = z.number().nullable();

export const getCalibrationMethod = defineMethod({
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

// `cstp.setPreserve`: marks a decision as never to be compacted, or takes the mark away.
import * as z from "zod";
import { setPreserve } from "../../recording/set-preserve.ts";
import { defineMethod } from "../method.ts";
import { decisionId, yesOrNo } from "../parameters/kinds.ts";
import { ignoredResult } from "../results/served.ts";
import { optionsOf } from "./options.ts";

export const setPreserveMethod = defineMethod({
  name: "cstp.setPreserve",
  description:
    "Marks a decision as never to be compacted, or takes the mark away. Takes effect at once; an unknown id is an answer " +
    "without success, not an error.",
  params: z.object({
    decisionId: decisionId(),
    preserve: yesOrNo().optional().describe("true marks it, false takes the mark away; true when left out"),
  }),
  /** A text that is taken for true would keep for good what somebody meant to let go. */
  exact: ["preserve"],
  result: z.object({
    success: z.boolean().describe("False where no decision has the id"),
    decisionId: z.string().describe("The whole id; as it was sent where no decision has it"),
    preserve: z.boolean().describe("As it was sent"),
    error: z.string().optional().describe("Why it was no success"),
    ignored: ignoredResult,
  }),
  hints: { isReadOnly: false, isDestructive: false, isIdempotent: true },
  run: async ({ decisionId: id, preserve = true }, context) =>
    setPreserve(await context.log(), { id, preserve }, optionsOf(context)),
});

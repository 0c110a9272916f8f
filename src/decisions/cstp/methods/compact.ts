// `cstp.compact`: runs a cycle, or says what one would change.
import * as z from "zod";
import { compactDecisions } from "../../compact-decisions.ts";
import { defineMethod } from "../method.ts";
import { agent, category, yesOrNo } from "../parameters/kinds.ts";
import { faultsResult, ignoredResult, levelCounts, levelResult } from "../results/served.ts";
import { optionsOf } from "./options.ts";

const run = z.object({
  id: z.string(),
  started_at: z.string(),
  finished_at: z.string(),
  trigger: z.string().describe("schedule, or who asked"),
  total: z.int(),
  preserved: z.int(),
  levels: levelCounts,
  changed: z.int(),
  texts: z.object({ llm: z.int(), extractive: z.int(), failed: z.int() }),
});

export const compactMethod = defineMethod({
  name: "cstp.compact",
  description:
    "Runs a compaction cycle: looks at every decision, writes the texts of those that became a summary or a line, and tells " +
    "which levels changed. Records stay as they are. With dryRun it only says what would change.",
  params: z.object({
    category: category(),
    agent: agent(),
    dryRun: yesOrNo().optional().describe("true writes nothing; false when left out"),
  }),
  result: z.object({
    compacted: z.int().describe("Decisions looked at, full ones included"),
    preserved: z.int().describe("Of them, those that are preserved"),
    levels: levelCounts.describe("How many of them are at each level"),
    dryRun: z.boolean().describe("True where nothing was written"),
    changed: z
      .array(z.object({ id: z.string(), from: levelResult, to: levelResult }))
      .readonly()
      .describe("Decisions with another level than after the last cycle; at most 100"),
    changedTotal: z.int().describe("All of them"),
    run: run.optional().describe("As the log keeps it; absent for a dry run"),
    errors: faultsResult.optional().describe("Records that are not served as they should be"),
    errorsTotal: z.int().optional().describe("Their whole number, where not all are listed"),
    warning: z.string().optional().describe("Why texts were left to code: the model failed again and again"),
    ignored: ignoredResult,
  }),
  hints: { isReadOnly: false, isDestructive: false, isIdempotent: true },
  run: async (params, context) => {
    const { texts, signal, now, agent: caller } = context;
    const request = { ...params, trigger: caller === "" ? undefined : caller };
    return compactDecisions(await context.log(), request, { ...optionsOf(context), texts, signal, clock: now });
  },
});
